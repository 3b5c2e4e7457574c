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
    (ML + "TreeEnsembleRegressor", 3, whole_trees(), [WHOLE], 1),
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
    (
        ML + "LabelEncoder",
        4,
        dict(
            keys_tensor=np.array([-1, 1, 2]),
            values_tensor=np.array([1, 2, 3], np.int16),
            default_tensor=np.array([4], np.int16),
        ),
        [WHOLE],
        1,
    ),
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

CASES = TREES + LINES + FEATURES + TEXTS
