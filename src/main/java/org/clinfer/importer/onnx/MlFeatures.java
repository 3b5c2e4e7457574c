package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** The operators of ai.onnx.ml that change features: scales, missing values, categories. */
final class MlFeatures {

    private static final Params LAST = new Params().put("axis", new long[] {-1}).put("keep_dims", true);

    private MlFeatures() {}

    private static String vector(Steps steps, double[] values) {
        return steps.constant(MlAttributes.tensor(DType.FLOAT32, values, values.length));
    }

    private static String reals(OnnxNode node, Steps steps) {
        String x = node.input(0);
        return steps.dtype(x) == DType.FLOAT32 ? x : steps.cast(x, DType.FLOAT32);
    }

    static void scaler(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        String moved = steps.add("Sub", reals(node, steps), vector(steps, node.requiredReals("offset")));
        steps.last("Mul", moved, vector(steps, node.requiredReals("scale")));
    }

    /** Rows divided by their largest element or their norm; one that is 0 stays as it is. */
    static void normalizer(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        String x = reals(node, steps);
        String norm = node.text("norm", "MAX");
        String size = switch (norm) {
            case "MAX" -> steps.add("ReduceMax", LAST, x);
            case "L1" -> steps.add("ReduceL1", LAST, x);
            case "L2" -> steps.add("ReduceL2", LAST, x);
            default -> throw node.malformed("norm is '" + norm + "'");
        };
        String isZero = steps.add("Equal", size, steps.scalar(DType.FLOAT32, 0));
        steps.last("Div", x, steps.add("Where", isZero, steps.scalar(DType.FLOAT32, 1), size));
    }

    static void binarizer(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        DType dtype = steps.dtype(node.input(0));
        String above = steps.add("Greater", node.input(0), steps.scalar(dtype, node.real("threshold", 0)));
        steps.last("Cast", new Params().put("to", dtype.label()), above);
    }

    /** One value, which may be NaN, becomes another one, of each feature its own or of all the same. */
    static void imputer(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        String x = node.input(0);
        DType dtype = steps.dtype(x);
        node.ignore("imputed_value_floats", "imputed_value_int64s", "replaced_value_float", "replaced_value_int64");
        boolean isReal = dtype.isFloating();
        double[] values = isReal
                ? node.requiredReals("imputed_value_floats")
                : LongStream.of(node.requiredIntegers("imputed_value_int64s"))
                        .asDoubleStream()
                        .toArray();
        double replaced = isReal ? node.real("replaced_value_float", 0) : node.integer("replaced_value_int64", 0);
        String isMissing = Double.isNaN(replaced)
                ? steps.add("Not", steps.add("Equal", x, x))
                : steps.add("Equal", x, steps.scalar(dtype, replaced));
        steps.last("Where", isMissing, steps.constant(MlAttributes.tensor(dtype, values, values.length)), x);
    }

    /** Features by their places in the last axis. */
    static void arrayFeatureExtractor(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 2);
        Steps steps = new Steps(node, graph);
        String places = steps.add("Reshape", node.input(1), steps.vector(-1));
        String x = steps.rank(node.input(0)) == 1 ? steps.unsqueezed(node.input(0), 0) : node.input(0);
        steps.last("Gather", new Params().put("axis", -1L), x, places);
    }

    /** The features of all inputs side by side. */
    static void featureVectorizer(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, Integer.MAX_VALUE);
        Steps steps = new Steps(node, graph);
        long[] sizes = node.integers("inputdimensions").orElse(new long[0]);
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < node.inputs().size(); i++) {
            String part = MlTranslators.rows(steps, node.input(i), DType.FLOAT32);
            parts.add(i < sizes.length ? steps.slice(part, 1, 0, sizes[i]) : part);
        }
        graph.add(node, "Concat", parts, new Params().put("axis", 1L));
    }

    /** A value that is none of the categories gives zeros. */
    static void oneHotEncoder(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        MlAttributes.refuseTexts(node, "cats_strings");
        Steps steps = new Steps(node, graph);
        long[] categories = node.requiredIntegers("cats_int64s");
        if (!node.flag("zeros", true)) {
            throw node.unsupportedUse("zeros 0, which makes an unknown category an error");
        }
        String x = steps.unsqueezed(steps.cast(node.input(0), DType.INT64), -1);
        String is = steps.add("Equal", x, steps.constant(Tensor.of(categories, categories.length)));
        steps.last("Cast", new Params().put("to", DType.FLOAT32.label()), is);
    }

    /** Keys and values are whole or real numbers, in lists or tensors; a key of NaN is that of every NaN. */
    static void labelEncoder(OnnxNode node, OnnxGraphWriter graph, OnnxTensorReader tensors) {
        node.requireInputs(1, 1);
        MlAttributes attributes = new MlAttributes(node, tensors);
        MlAttributes.refuseTexts(node, "keys_strings", "values_strings", "classes_strings");
        node.ignore("default_string");
        Steps steps = new Steps(node, graph);
        String x = node.input(0);
        Tensor keys = table(node, attributes, "keys");
        Tensor values = table(node, attributes, "values");
        if (keys.elements() != values.elements() || keys.elements() == 0) {
            throw node.malformed(keys.elements() + " keys and " + values.elements() + " values");
        }
        node.ignore("default_int64", "default_float", "default_tensor");
        double real = node.real("default_float", -0.0f);
        double otherwise = attributes
                .tensor("default_tensor")
                .map(tensor -> tensor.getDouble(0))
                .orElse(values.dtype().isFloating() ? real : node.integer("default_int64", -1));
        String wide = steps.unsqueezed(x, -1);
        String is = steps.add("Equal", wide, steps.constant(keys));
        if (keys.dtype().isFloating() && Arrays.stream(keys.toDoubleArray()).anyMatch(Double::isNaN)) {
            String isNaN = steps.add("Not", steps.add("Equal", steps.constant(keys), steps.constant(keys)));
            is = steps.add("Or", is, steps.add("And", steps.add("Not", steps.add("Equal", wide, wide)), isNaN));
        }
        String found = steps.cast(is, DType.UINT8);
        String place = steps.add("ArgMax", new Params().put("axis", -1L).put("keepdims", false), found);
        Params along = new Params().put("axis", new long[] {-1}).put("keep_dims", false);
        String isKnown = steps.cast(steps.add("ReduceMax", along, found), DType.BOOL);
        String value = steps.add("Gather", new Params().put("axis", 0L), steps.constant(values), place);
        steps.last("Where", isKnown, value, steps.scalar(values.dtype(), otherwise));
    }

    private static Tensor table(OnnxNode node, MlAttributes attributes, String what) {
        Optional<Tensor> tensor = attributes.tensor(what + "_tensor");
        if (tensor.isPresent()) {
            return tensor.get().reshaped(Shape.of(tensor.get().elements()));
        }
        Optional<long[]> whole = node.integers(what + "_int64s").filter(all -> all.length > 0);
        if (whole.isPresent()) {
            return Tensor.of(whole.get(), whole.get().length);
        }
        double[] reals = node.requiredReals(what + "_floats");
        return MlAttributes.tensor(DType.FLOAT32, reals, reals.length);
    }

    /** The map from labels to scores of every row is that row of the scores, in the order of the labels. */
    static void zipMap(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        node.ignore("classlabels_int64s", "classlabels_strings");
        graph.add(node, "Identity", node.inputs(), new Params());
    }
}
