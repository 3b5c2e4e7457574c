"""The cases of record.py: operator with its domain, version, attributes, operands, and the number of outputs."""

import numpy as np

FLOAT = np.float32


def reals(seed, *sizes, scale=1.0):
    return (scale * np.random.default_rng(seed).normal(size=sizes)).astype(FLOAT)


def ints(seed, low, high, *sizes, dtype=np.int64):
    return np.random.default_rng(seed).integers(low, high, sizes).astype(dtype)


def listed(seed, count, scale=1.0):
    return [float(value) for value in reals(seed, count, scale=scale)]


def const(array):
    return "const", array


def trees(prefix, seed, count, depth, features, targets, modes=("BRANCH_LEQ",), missing=False, ids=None, sign=False, **more):
    """Complete trees with random tests; with ids each leaf has one of these targets, else weights of all."""
    rng = np.random.default_rng(seed)
    keys = ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids", "missing_value_tracks_true")
    nodes = {"nodes_" + key: [] for key in keys}
    leaves = {prefix + key: [] for key in ("_treeids", "_nodeids", "_ids", "_weights")}
    inner = 2**depth - 1
    for tree in range(count):
        for node in range(2 * inner + 1):
            test = node < inner
            values = (
                tree,
                node,
                int(rng.integers(features)) if test else 0,
                float(FLOAT(rng.normal())) if test else 0.0,
                modes[int(rng.integers(len(modes)))] if test else "LEAF",
                2 * node + 1 if test else 0,
                2 * node + 2 if test else 0,
                int(rng.integers(2)) if missing else 0,
            )
            for key, value in zip(nodes, values):
                nodes[key].append(value)
            for target in [] if test else ids and [ids[int(rng.integers(len(ids)))]] or range(targets):
                weight = float(FLOAT(rng.normal()))
                for key, value in zip(leaves, (tree, node, target, abs(weight) / 3 if sign else weight)):
                    leaves[key].append(value)
    if not missing:
        del nodes["nodes_missing_value_tracks_true"]
    return {**nodes, **leaves, **more}


ML = "ai.onnx.ml."
X = reals(1, 5, 4)
HOLES = np.where(reals(2, 5, 4) > 0.8, FLOAT("nan"), X)
ALL_MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ")
WHOLE = ints(3, -2, 3, 5, 4)


def regressor(x, seed=1, count=3, depth=3, targets=1, version=3, **more):
    return (
        ML + "TreeEnsembleRegressor",
        version,
        trees("target", seed, count, depth, 4, targets, **{"n_targets": targets, **more}),
        [x],
        1,
    )


def classifier(x, classes, seed=1, version=3, **more):
    labels = [5, 7, 9, 2][:classes]
    return ML + "TreeEnsembleClassifier", version, trees("class", seed, 3, 2, 4, classes, classlabels_int64s=labels, **more), [x], 2


def whole_trees():
    case = trees("target", 4, 3, 2, 4, 1, modes=("BRANCH_EQ", "BRANCH_NEQ", "BRANCH_GT"), n_targets=1)
    case["nodes_values"] = [float(round(value)) for value in case["nodes_values"]]
    return case


def doubles():
    case = trees("target", 4, 3, 2, 4, 2, n_targets=2)
    for key in ("nodes_values", "target_weights"):
        case[key + "_as_tensor"] = np.array(case.pop(key), np.float64)
    return case


TREES = [
    regressor(X, base_values=[0.3]),
    regressor(X, targets=2, aggregate_function="AVERAGE", base_values=[0.5, -0.25]),
    regressor(X, targets=3, ids=[0, 2], aggregate_function="MIN"),
    regressor(X, targets=2, ids=[0, 1], aggregate_function="MAX"),
    regressor(HOLES, modes=ALL_MODES, missing=True),
    regressor(X, targets=2, post_transform="SOFTMAX"),
    regressor(X, targets=2, post_transform="LOGISTIC"),
    regressor(X, targets=2, ids=[0, 1], post_transform="SOFTMAX_ZERO"),
    regressor(X, targets=1, post_transform="LOGISTIC"),
    regressor(X, targets=1, sign=True, count=1, post_transform="PROBIT"),
    regressor(X, depth=0),
    (ML + "TreeEnsembleRegressor", 3, whole_trees(), [WHOLE.astype(FLOAT)], 1),
    (ML + "TreeEnsembleRegressor", 3, doubles(), [X.astype(np.float64)], 1),
    classifier(X, 3),
    classifier(X, 3, ids=[0, 1, 2], base_values=[0.1, 0.2, -0.3]),
    classifier(X, 4, post_transform="SOFTMAX"),
    classifier(X, 3, version=1, post_transform="LOGISTIC"),
    *(
        classifier(X, 2, ids=[used], sign=sign, post_transform=transform)
        for used in (0, 1)
        for sign in (False, True)
        for transform in ("NONE", "LOGISTIC", "SOFTMAX")
    ),
    classifier(X, 2, ids=[0], post_transform="LOGISTIC", base_values=[0.25]),
    (
        ML + "TreeEnsemble",
        5,
        dict(
            aggregate_function=1,
            n_targets=2,
            nodes_featureids=[0, 1, 2, 0],
            nodes_modes=np.array([6, 1, 6, 3], np.uint8),
            nodes_splits=np.array([0, 0.1, 0, 1], FLOAT),
            membership_values=np.array([-2, 1, FLOAT("nan"), 0, 2, -1, FLOAT("nan")], FLOAT),
            nodes_trueleafs=[0, 1, 0, 1],
            nodes_falseleafs=[0, 1, 1, 1],
            nodes_truenodeids=[1, 0, 3, 3],
            nodes_falsenodeids=[2, 1, 2, 4],
            leaf_targetids=[0, 1, 0, 1, 1],
            leaf_weights=np.array([1, 2.5, -3, 4, 0.5], FLOAT),
            tree_roots=[0, 2],
        ),
        [WHOLE.astype(FLOAT)],
        1,
    ),
]


def svc(classes, rho, **more):
    count = 2 * classes
    return (
        ML + "SVMClassifier",
        1,
        dict(
            kernel_type="RBF",
            kernel_params=[0.3, 0.5, 2.0],
            vectors_per_class=[2] * classes,
            support_vectors=listed(5, 4 * count),
            coefficients=listed(6, count * (classes - 1)),
            rho=rho,
            classlabels_ints=[5, 7, 9, 2][:classes],
            **more,
        ),
        [X],
        2,
    )


def svr(kernel, **more):
    vectors = dict(n_supports=3, support_vectors=listed(5, 12), kernel_params=[0.3, 0.5, 2.0])
    return ML + "SVMRegressor", 1, dict(kernel_type=kernel, coefficients=listed(6, 3), rho=[0.3], **vectors, **more), [X], 1


LINES = [
    *(
        (ML + "LinearRegressor", 1, dict(coefficients=listed(4, 4 * n), intercepts=listed(5, n), targets=n, post_transform=t), [X], 1)
        for n in (1, 2)
        for t in ("NONE", "LOGISTIC", "SOFTMAX")
    ),
    *(
        (
            ML + "LinearClassifier",
            1,
            dict(coefficients=listed(4, 4 * n), intercepts=listed(5, n), classlabels_ints=[5, 7, 9][: max(2, n)], post_transform=t),
            [X],
            2,
        )
        for n in (1, 2, 3)
        for t in ("NONE", "LOGISTIC", "SOFTMAX")
    ),
    (ML + "LinearClassifier", 1, dict(coefficients=listed(4, 12), intercepts=listed(5, 3), classlabels_ints=[5, 7, 9]), [WHOLE], 2),
    *(svr(kernel) for kernel in ("LINEAR", "POLY", "RBF", "SIGMOID")),
    svr("RBF", one_class=1),
    (ML + "SVMRegressor", 1, dict(kernel_type="LINEAR", kernel_params=[0.0, 0.0, 0.0], coefficients=listed(6, 4), rho=[0.3]), [X], 1),
    svc(2, [-0.1]),
    svc(2, [0.1], post_transform="LOGISTIC"),
    svc(2, [-0.1], prob_a=[-1.0], prob_b=[-0.5]),
    svc(3, listed(7, 3)),
    svc(4, listed(7, 6), post_transform="SOFTMAX"),
]

FEATURES = [
    (ML + "Scaler", 1, dict(offset=listed(3, 4), scale=listed(4, 4)), [X], 1),
    (ML + "Scaler", 1, dict(offset=[0.5], scale=[2.0]), [WHOLE], 1),
    *((ML + "Normalizer", 1, dict(norm=norm), [np.concatenate([X, np.zeros((1, 4), FLOAT)])], 1) for norm in ("L1", "L2")),
    (ML + "Normalizer", 1, dict(norm="MAX"), [np.abs(X)], 1),
    (ML + "Binarizer", 1, dict(threshold=0.3), [X], 1),
    (ML + "Imputer", 1, dict(imputed_value_floats=listed(3, 4), replaced_value_float=float("nan")), [HOLES], 1),
    (ML + "Imputer", 1, dict(imputed_value_int64s=[7], replaced_value_int64=1), [WHOLE], 1),
    (ML + "ArrayFeatureExtractor", 1, {}, [X, const(np.array([[2, 0, 2]]))], 1),
    (ML + "ArrayFeatureExtractor", 1, {}, [X[0], const(np.array([[3, 1]]))], 1),
    (ML + "FeatureVectorizer", 1, dict(inputdimensions=[4, 4]), [X, X + 1], 1),
    (ML + "OneHotEncoder", 1, dict(cats_int64s=[-2, 0, 1]), [WHOLE], 1),
    (ML + "OneHotEncoder", 1, dict(cats_int64s=[0, 1]), [np.round(X)], 1),
    (ML + "LabelEncoder", 2, dict(keys_int64s=[-1, 1, 2], values_int64s=[10, 30, 20], default_int64=-7), [WHOLE], 1),
    (ML + "LabelEncoder", 2, dict(keys_int64s=[-1, 1, 2], values_floats=[0.5, 1.5, -2.0]), [WHOLE], 1),
    (ML + "LabelEncoder", 4, dict(keys_floats=[0.0, float("nan"), 1.0], values_int64s=[1, 2, 3]), [np.round(HOLES)], 1),
]


def grams(least, most, skip, mode, pool, counts, places, x, **more):
    attributes = dict(
        min_gram_length=least,
        max_gram_length=most,
        max_skip_count=skip,
        mode=mode,
        pool_int64s=pool,
        ngram_counts=counts,
        ngram_indexes=places,
        **more,
    )
    return "TfIdfVectorizer", 9, attributes, [x], 1


POOL = [0, 1, 2, 0, 1, 1, 1, 2, 0, 0, 1, 2]
COUNTS = [0, 3, 9]
PLACES = [4, 0, 2, 1, 3, 6, 5]
WORDS = ints(9, 0, 3, 2, 9)
TEXTS = [
    grams(1, 1, 0, "TF", POOL, COUNTS, PLACES, WORDS),
    grams(2, 2, 2, "IDF", POOL, COUNTS, PLACES, WORDS),
    grams(1, 3, 1, "TFIDF", POOL, COUNTS, PLACES, WORDS, weights=listed(8, 7)),
    grams(1, 3, 3, "IDF", POOL, COUNTS, PLACES, WORDS.astype(np.int32), weights=listed(8, 7)),
    grams(2, 3, 0, "TF", POOL, COUNTS, PLACES, WORDS[0]),
    grams(3, 3, 5, "TF", POOL, COUNTS, PLACES, WORDS[0, :2]),
]

MS = "com.microsoft."
HALF = np.float16


def codes(seed, *sizes, dtype=np.uint8):
    limits = np.iinfo(dtype)
    return np.random.default_rng(seed).integers(limits.min, limits.max + 1, sizes).astype(dtype)


def scalar(value, dtype=FLOAT):
    return const(np.array(value, dtype))


def quantized_conv(last, weights=np.int8):
    x = codes(1, 1, 5, 6, 4) if last else codes(1, 1, 4, 5, 6)
    steps = [scalar(0.02), scalar(120, np.uint8), const(codes(2, 3, 4, 3, 2, dtype=weights) // 4), scalar(0.01), scalar(0, weights)]
    more = dict(channels_last=1) if last else {}
    attributes = dict(pads=[1, 0, 1, 1], strides=[2, 1], kernel_shape=[3, 2], **more)
    return MS + "QLinearConv", 1, attributes, [x, *steps, scalar(0.05), scalar(100, np.uint8), const(ints(3, -200, 200, 3, dtype=np.int32))], 1


def fused_product(a, b, **attributes):
    return MS + "FusedMatMul", 1, attributes, [a, b], 1


def experts(activation, fused=1, third=False, biases=True, **more):
    wide = 6 * fused
    operands = [
        reals(1, 5, 4),
        reals(2, 5, 3),
        const(reals(3, 3, wide, 4)),
        const(reals(4, 3, wide)) if biases else None,
        const(reals(5, 3, 4, 6)),
        const(reals(6, 3, 4)) if biases else None,
        *([const(reals(7, 3, 6, 4))] if third else []),
    ]
    return MS + "MoE", 1, dict(activation_type=activation, k=2, **more), operands, 1


def nbits(bits, block, groups=None, zeros=None, bias=False):
    columns, rows = 3, 40
    blocks = -(-rows // block)
    operands = [
        reals(1, 2, rows),
        const(codes(2, columns, blocks, block * bits // 8)),
        const(np.abs(reals(3, columns * blocks)) * FLOAT(0.1)),
        zeros and const(codes(4, columns * -(-blocks * bits // 8))),
        groups and const(ints(5, 0, blocks, rows, dtype=np.int32)),
        const(reals(6, columns)) if bias else None,
    ]
    while operands[-1] is None:
        operands.pop()
    return MS + "MatMulNBits", 1, dict(K=rows, N=columns, bits=bits, block_size=block), operands, 1


IDS = ints(1, 0, 5, 2, 3, dtype=np.int32)
RUNTIME = [
    (MS + "Range", 1, {}, [scalar(1.5), scalar(7), scalar(2)], 1),
    (MS + "Range", 1, {}, [scalar(1, np.int64), scalar(4, np.int64)], 1),
    (MS + "ExpandDims", 1, {}, [reals(1, 2, 3), scalar(-1, np.int32)], 1),
    (MS + "GatherND", 1, {}, [reals(1, 3, 4), ints(2, 0, 3, 2, 2)], 1),
    (MS + "Pad", 1, dict(mode="constant"), [reals(1, 2, 3), const(np.array([1, 0, 0, 2])), scalar(0.5)], 1),
    (MS + "Pad", 1, dict(mode="reflect"), [reals(1, 2, 3), const(np.array([1, 0, 0, 2]))], 1),
    (MS + "GridSample", 1, dict(mode="bilinear", align_corners=1), [reals(1, 1, 2, 4, 5), reals(2, 1, 3, 3, 2, scale=0.6)], 1),
    (MS + "GridSample", 1, dict(mode="bicubic"), [reals(1, 1, 2, 4, 5), reals(2, 1, 3, 3, 2, scale=0.6)], 1),
    (MS + "Trilu", 1, dict(upper=0), [reals(1, 2, 4, 5), scalar(1, np.int64)], 1),
    (MS + "Unique", 1, {}, [np.round(reals(1, 12))], 3),
    (MS + "NhwcMaxPool", 1, dict(kernel_shape=[2, 3], strides=[2, 1], pads=[1, 0, 0, 1]), [codes(1, 1, 6, 5, 3)], 1),
    quantized_conv(False),
    quantized_conv(True),
    quantized_conv(True, np.uint8),
    (MS + "CDist", 1, dict(metric="sqeuclidean"), [reals(1, 4, 3), reals(2, 5, 3)], 1),
    (MS + "CDist", 1, dict(metric="euclidean"), [reals(1, 4, 3) + 3, reals(2, 5, 3)], 1),
    (MS + "UnfoldTensor", 1, dict(dim=1, size=3, step=2), [reals(1, 2, 8, 3)], 1),
    (MS + "UnfoldTensor", 1, dict(size=4), [reals(1, 2, 7)], 1),
    (MS + "TransposeMatMul", 1, dict(transA=1, alpha=0.5), [reals(1, 2, 4, 3), reals(2, 2, 4, 5)], 1),
    fused_product(reals(1, 3, 2, 4), reals(2, 4, 2, 5), transBatchA=1, transBatchB=1),
    fused_product(reals(1, 3, 2, 4), reals(2, 2, 4, 5), transBatchA=1),
    fused_product(reals(1, 4, 2, 3), reals(2, 5, 2, 4), transA=1, transB=1, transBatchA=1, transBatchB=1),
    fused_product(reals(1, 4, 2, 6, 3), reals(2, 2, 6, 4, 5), transA=1, transBatchA=1, alpha=2.0),
    (
        MS + "QEmbedLayerNormalization",
        1,
        {},
        [
            IDS,
            IDS % 2,
            *(const(codes(seed, *sizes)) for seed, sizes in ((1, (6, 8)), (2, (3, 8)), (3, (2, 8)), (4, (8,)), (5, (8,)))),
            np.array([[1, 1, 0], [1, 1, 1]], np.int32),
            *(scalar(0.01 * i) for i in range(1, 6)),
            *(scalar(100 + i, np.uint8) for i in range(5)),
        ],
        2,
    ),
    *(experts(activation) for activation in ("relu", "gelu", "silu", "identity")),
    experts("silu", normalize_routing_weights=1),
    experts("swiglu", fused=2, swiglu_fusion=1, swiglu_limit=0.7, activation_alpha=1.702, activation_beta=1.0, normalize_routing_weights=1),
    *(
        (
            MS + "MatMulBnb4",
            1,
            dict(K=12, N=4, block_size=16, quant_type=kind),
            [reals(1, 3, 12), const(codes(2, 24)), const(np.abs(reals(3, 3)))],
            1,
        )
        for kind in (0, 1)
    ),
    nbits(2, 32),
    nbits(2, 16, zeros=True, bias=True),
    nbits(4, 16, groups=True),
    (
        MS + "LinearAttention",
        1,
        dict(q_num_heads=2, kv_num_heads=2, update_rule="gated_delta", scale=0.5),
        [*(reals(i, 1, 3, 8) for i in range(1, 4)), reals(4, 1, 2, 4, 4), -np.abs(reals(5, 1, 3, 2)), np.abs(reals(6, 1, 3, 2))],
        2,
    ),
    (MS + "CausalConvWithState", 1, dict(activation="silu"), [reals(1, 2, 3, 5), reals(2, 3, 1, 4), reals(3, 3), reals(4, 2, 3, 3)], 2),
    (MS + "GatedAdd", 1, {}, [reals(1, 2, 3), reals(2, 2, 3), reals(3, 2, 1)], 1),
    (MS + "GatedRMSNorm", 1, {}, [reals(1, 2, 3, 8), reals(2, 4), reals(3, 2, 3, 8)], 1),
    (MS + "LinearAttentionGate", 1, {}, [reals(1, 2, 3, 4), reals(2, 4), reals(3, 4), reals(4, 2, 3, 4)], 2),
]


def softmax(x):
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def gelu(x):
    return FLOAT(0.5) * x * (1 + np.tanh(np.sqrt(FLOAT(2 / np.pi)) * (x + FLOAT(0.044715) * x**3)))


def silu(x):
    return x / (1 + np.exp(-x))


def complex_product(a, b):
    product = (a[..., 0] + 1j * a[..., 1]) * (b[..., 0] + 1j * b[..., 1])
    return [np.stack([product.real, product.imag], -1).astype(FLOAT)]


def buckets(bidirectional):
    """The rows of T5's table, https://github.com/huggingface/transformers, _relative_position_bucket."""

    def bias(table, queries, keys):
        ahead = np.arange(keys)[None, :] - np.arange(queries)[:, None]
        count = len(table)
        row = np.zeros_like(ahead)
        if bidirectional:
            count //= 2
            row = (ahead > 0) * count
            far = abs(ahead)
        else:
            far = -np.minimum(ahead, 0)
        exact = count // 2
        logarithm = np.log(np.maximum(far, 1) / exact) / np.log(20 / exact) * (count - exact)
        row = row + np.where(far < exact, far, np.minimum(exact + logarithm.astype(np.int64), count - 1))
        return [table[row].transpose(2, 0, 1)[None]]

    attributes = dict(max_distance=20, is_bidirectional=bidirectional)
    return MS + "RelativePositionBias", 1, attributes, [reals(1, 8, 2), scalar(30, np.int64), scalar(26, np.int64)], 1, bias


def mixture(activation, **more):
    """Experts with a third layer, or with two in one that do not alternate."""
    third = more.get("swiglu_fusion", 0) == 0

    def sums(x, scores, fc1, _, fc2, __=None, fc3=None):
        shares = softmax(scores)
        shares *= shares >= np.sort(shares, -1)[:, -2:-1]
        y = np.zeros_like(x)
        for expert in range(3):
            all = x @ fc1[expert].T
            gate, line = (all, x @ fc3[expert].T) if third else np.split(all, 2, -1)
            y += shares[:, expert : expert + 1] * ((silu(gate) * line) @ fc2[expert].T)
        return [y]

    operands = [reals(1, 5, 4), reals(2, 5, 3), const(reals(3, 3, 6 if third else 12, 4)), None, const(reals(5, 3, 4, 6))]
    operands += [None, const(reals(7, 3, 6, 4))] if third else []
    return MS + "MoE", 1, dict(activation_type=activation, k=2, activation_alpha=1.0, **more), operands, 1, sums


def attention(query, key, value, bias=None):
    """Two heads, of inputs with the axes batch, position, head and feature."""
    if bias is not None:
        parts = bias.reshape(3, 1, 1, *query.shape[2:])
        query, key, value = query + parts[0], key + parts[1], value + parts[2]
    scores = np.einsum("bqhf,bkhf->bhqk", query, key) / np.sqrt(FLOAT(query.shape[-1]))
    return [np.einsum("bhqk,bkhf->bqhf", softmax(scores), value).reshape(*query.shape[:2], -1)]


def packed_all(x, _=None, __=None, bias=None):
    return attention(x[:, :, :, 0], x[:, :, :, 1], x[:, :, :, 2], bias)


def packed_keys(x, keys):
    return attention(x.reshape(2, 3, 2, 4), keys[:, :, :, 0], keys[:, :, :, 1])


def rotated(angles, *parts):
    sines, cosines = np.sin(angles)[:, None], np.cos(angles)[:, None]
    return [(parts[i] * cosines + parts[i + 1] * sines).astype(FLOAT) for i in (0, 2)]


DEFINED = [
    (
        MS + "MulInteger",
        1,
        {},
        [codes(1, 2, 3), scalar(100, np.uint8), codes(2, 3), scalar(7, np.uint8)],
        1,
        lambda a, za, b, zb: [((a.astype(np.int32) - za) * (b.astype(np.int32) - zb)).astype(np.int32)],
    ),
    (
        MS + "ReduceSumInteger",
        1,
        dict(axes=[1], keepdims=0),
        [codes(1, 2, 9, dtype=np.int8)],
        1,
        lambda x: [x.sum(1, dtype=np.int32)],
    ),
    (
        MS + "BiasSoftmax",
        1,
        dict(axis=3, is_inner_broadcast=1),
        [reals(1, 2, 2, 3, 4), reals(2, 2, 1, 1, 4)],
        1,
        lambda x, bias: [softmax(x + bias)],
    ),
    (
        MS + "BiasSoftmax",
        1,
        dict(axis=2, is_inner_broadcast=0),
        [reals(1, 2, 2, 3, 4), reals(2, 1, 1, 3, 4)],
        1,
        lambda x, bias: [softmax((x + bias).reshape(2, 2, 12)).reshape(x.shape)],
    ),
    (MS + "BiasDropout", 1, {}, [reals(1, 2, 3), reals(2, 3), reals(3, 2, 3)], 1, lambda x, bias, more: [x + bias + more]),
    (MS + "BitmaskDropout", 1, {}, [reals(1, 2, 3)], 1, lambda x: [x]),
    (MS + "ComplexMul", 1, {}, [reals(1, 2, 3, 2), reals(2, 3, 2)], 1, complex_product),
    (
        MS + "ComplexMulConj",
        1,
        {},
        [reals(1, 2, 3, 2), reals(2, 2, 1, 2)],
        1,
        lambda a, b: complex_product(a, b * np.array([1, -1], FLOAT)),
    ),
    (MS + "TorchEmbedding", 1, {}, [const(reals(1, 6, 4)), IDS.astype(np.int64)], 1, lambda table, ids: [table[ids]]),
    (MS + "GemmFastGelu", 1, {}, [reals(1, 2, 3), reals(2, 3, 4), reals(3, 4)], 1, lambda x, w, b: [gelu(x @ w + b)]),
    (
        MS + "FusedMatMulActivation",
        1,
        dict(activation="LeakyRelu", activation_alpha=0.25, alpha=2.0, transB=1),
        [reals(1, 2, 3), reals(2, 4, 3)],
        1,
        lambda a, b: [(lambda x: np.where(x < 0, FLOAT(0.25) * x, x))(2 * a @ b.T)],
    ),
    (
        MS + "GemmaRotaryEmbedding",
        1,
        {},
        [reals(1, 2, 3, 4), *(reals(i, 2, 2, 3, 4) for i in range(2, 6))],
        2,
        rotated,
    ),
    buckets(0),
    buckets(1),
    mixture("silu"),
    mixture("swiglu", swiglu_fusion=2),
    mixture("swiglu"),
    (MS + "MultiHeadAttention", 1, dict(num_heads=2), [reals(1, 2, 3, 2, 3, 4)], 1, packed_all),
    (MS + "MultiHeadAttention", 1, dict(num_heads=2), [reals(1, 2, 3, 2, 3, 4), None, None, reals(2, 24)], 1, packed_all),
    (MS + "MultiHeadAttention", 1, dict(num_heads=2), [reals(1, 2, 3, 8), reals(2, 2, 5, 2, 2, 4)], 1, packed_keys),
]

PICTURE = reals(1, 1, 3, 5, 6)
FIRST = [
    ("Affine", 1, dict(alpha=2.0, beta=-0.5), [X], 1),
    ("Crop", 1, dict(border=[1, 2, 0, 1]), [PICTURE], 1),
    ("Crop", 1, dict(border=[1, 2, 0, 1], scale=[2, 3]), [PICTURE], 1),
    ("ImageScaler", 1, dict(scale=0.5, bias=[0.1, -0.2, 0.3]), [PICTURE], 1),
    ("ParametricSoftplus", 1, dict(alpha=2.0, beta=0.5), [X], 1),
    ("ScaledTanh", 1, dict(alpha=2.0, beta=0.5), [X], 1),
]

CASES = FIRST + RUNTIME + DEFINED + TREES + LINES + FEATURES + TEXTS
