package org.clinfer.importer.onnx;

import static java.util.Map.entry;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** The operators of the domain ai.onnx.ml, which converters write for scikit-learn, XGBoost and their like, but for texts. */
final class MlTranslators {

    static final String DOMAIN = "ai.onnx.ml";

    private static final List<String> TRANSFORMS = List.of("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT");
    private static final List<String> AGGREGATES = List.of("AVERAGE", "SUM", "MIN", "MAX");

    private final OnnxTensorReader tensors;

    MlTranslators(OnnxTensorReader tensors) {
        this.tensors = tensors;
    }

    Map<String, OnnxTranslator> all() {
        return Map.ofEntries(
                entry("TreeEnsemble", this::treeEnsemble),
                entry("TreeEnsembleRegressor", this::treeEnsembleRegressor),
                entry("TreeEnsembleClassifier", this::treeEnsembleClassifier),
                entry("LinearRegressor", this::linearRegressor),
                entry("LinearClassifier", this::linearClassifier),
                entry("SVMRegressor", (node, graph) -> new SupportVectors(node, graph).regress()),
                entry("SVMClassifier", (node, graph) -> new SupportVectors(node, graph).classify()),
                entry("Scaler", MlFeatures::scaler),
                entry("Normalizer", MlFeatures::normalizer),
                entry("Binarizer", MlFeatures::binarizer),
                entry("Imputer", MlFeatures::imputer),
                entry("ArrayFeatureExtractor", MlFeatures::arrayFeatureExtractor),
                entry("FeatureVectorizer", MlFeatures::featureVectorizer),
                entry("OneHotEncoder", MlFeatures::oneHotEncoder),
                entry("LabelEncoder", (node, graph) -> MlFeatures.labelEncoder(node, graph, tensors)),
                entry("ZipMap", MlFeatures::zipMap));
    }

    /** Rows of features: a vector is one row. */
    static String rows(Steps steps, String x, DType dtype) {
        String cast = steps.dtype(x) == dtype ? x : steps.cast(x, dtype);
        return steps.rank(x) == 1 ? steps.unsqueezed(cast, 0) : cast;
    }

    private void treeEnsemble(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        DType given = steps.dtype(node.input(0));
        DType dtype = MlAttributes.real(given);
        String aggregate = numbered(node, "aggregate_function", AGGREGATES, 1);
        String transform = numbered(node, "post_transform", TRANSFORMS, 0);
        Trees trees = Trees.byLists(node, new MlAttributes(node, tensors));
        long targets = node.integer("n_targets");
        String sums = new TreeEnsemble(node, graph, trees, dtype).sums(aggregate, targets);
        String scores = new MlScores(node, graph, dtype).transformed(transform, sums, targets);
        steps.last("Cast", new Params().put("to", given.label()), scores);
    }

    private static String numbered(OnnxNode node, String attribute, List<String> names, long otherwise) {
        long number = node.integer(attribute, otherwise);
        if (number < 0 || number >= names.size()) {
            throw node.malformed(attribute + " is " + number);
        }
        return names.get((int) number);
    }

    static String transform(OnnxNode node) {
        String transform = node.text("post_transform", "NONE");
        if (!TRANSFORMS.contains(transform)) {
            throw node.malformed("post_transform is '" + transform + "'");
        }
        return transform;
    }

    private void treeEnsembleRegressor(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        DType dtype = MlAttributes.real(steps.dtype(node.input(0)));
        MlAttributes attributes = new MlAttributes(node, tensors);
        Trees trees = Trees.byNumbers(node, attributes, "target");
        long targets = node.integer("n_targets");
        TreeEnsemble ensemble = new TreeEnsemble(node, graph, trees, dtype);
        String sums = ensemble.sums(node.text("aggregate_function", "SUM"), targets);
        Optional<double[]> base = attributes.optionalReals("base_values");
        if (base.isPresent()) {
            sums = ensemble.plus(sums, base.get());
        }
        String scores = new MlScores(node, graph, dtype).transformed(transform(node), sums, targets);
        steps.last("Cast", new Params().put("to", DType.FLOAT32.label()), scores);
    }

    private void treeEnsembleClassifier(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        DType dtype = MlAttributes.real(steps.dtype(node.input(0)));
        MlAttributes attributes = new MlAttributes(node, tensors);
        Trees trees = Trees.byNumbers(node, attributes, "class");
        MlScores scores = new MlScores(node, graph, dtype);
        int classes = scores.labels("classlabels_int64s").size();
        double[] base = attributes.optionalReals("base_values").orElse(new double[0]);
        long[] used =
                trees.leaves().stream().mapToLong(Trees.Leaf::target).distinct().toArray();
        TreeEnsemble ensemble = new TreeEnsemble(node, graph, trees, dtype);
        if (classes == 2 && used.length == 1 && used[0] < 2) {
            ofTwo(scores, node, ensemble, trees, used[0], base);
            return;
        }
        String sums = ensemble.sums("SUM", classes);
        if (base.length > 0) {
            if (classes == 2 || base.length != classes) {
                throw node.unsupportedUse(base.length + " base_values and " + classes + " classes");
            }
            sums = ensemble.plus(sums, base);
        }
        scores.ofMany(transform(node), sums, classes);
    }

    /** Two classes, of which one alone has weights: the first stands for the second, the second for itself. */
    private static void ofTwo(
            MlScores scores, OnnxNode node, TreeEnsemble ensemble, Trees trees, long used, double[] base) {
        if (base.length > 1) {
            throw node.unsupportedUse("2 base_values and weights of one class");
        }
        boolean isPositive = trees.leaves().stream().allMatch(leaf -> leaf.weight() >= 0);
        String transform = transform(node);
        String sums = ensemble.sums("SUM", used + 1);
        if (used == 0) {
            scores.ofTwo(
                    transform, base.length == 0 ? sums : ensemble.plus(sums, base), isPositive ? 0.5 : 0, isPositive);
        } else {
            scores.ofSecond(transform, sums, isPositive ? 0.5 : 0);
        }
    }

    private void linearRegressor(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        long targets = node.integer("targets", 1);
        MlScores scores = new MlScores(node, graph, DType.FLOAT32);
        String sums = linear(node, graph, targets, "intercepts");
        new Steps(node, graph).last("Identity", scores.transformed(transform(node), sums, targets));
    }

    private void linearClassifier(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        node.ignore("multi_class"); // how it was trained
        MlScores scores = new MlScores(node, graph, DType.FLOAT32);
        int classes = scores.labels("classlabels_ints").size();
        int sums = node.reals("intercepts").map(all -> all.length).orElse(classes);
        String raw = linear(node, graph, sums, "intercepts");
        if (sums == 1) {
            scores.ofTwo(transform(node), raw, 0, true);
        } else {
            scores.ofMany(transform(node), raw, sums);
        }
    }

    /** A weighted sum of the features for each target. */
    private static String linear(OnnxNode node, OnnxGraphWriter graph, long targets, String addends) {
        Steps steps = new Steps(node, graph);
        double[] coefficients = node.requiredReals("coefficients");
        if (targets < 1 || coefficients.length % targets != 0) {
            throw node.malformed(coefficients.length + " coefficients are not of " + targets + " targets");
        }
        Tensor weights = MlAttributes.tensor(DType.FLOAT32, coefficients, targets, coefficients.length / targets);
        String x = rows(steps, node.input(0), DType.FLOAT32);
        String sums = steps.add("MatMul", x, steps.transposed(steps.constant(weights), 1, 0));
        Optional<double[]> more =
                node.reals(addends).filter(all -> Arrays.stream(all).anyMatch(each -> each != 0));
        return more.map(all ->
                        steps.add("Add", sums, steps.constant(MlAttributes.tensor(DType.FLOAT32, all, all.length))))
                .orElse(sums);
    }
}
