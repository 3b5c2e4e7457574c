package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Normalizations, LRN, Softmax, LogSoftmax and Dropout. */
final class OnnxNormalizationTranslators {

    private static final float EPSILON = 1e-5f;

    /** So many axes no value has. */
    private static final int MOST_AXES = 64;

    private OnnxNormalizationTranslators() {}

    static Map<String, OnnxTranslator> all() {
        return Map.of(
                "BatchNormalization", OnnxNormalizationTranslators::batchNorm,
                "LayerNormalization", OnnxNormalizationTranslators::rows,
                "RMSNormalization", OnnxNormalizationTranslators::rows,
                "Softmax", OnnxNormalizationTranslators::softmax,
                "LogSoftmax", OnnxNormalizationTranslators::softmax,
                "Dropout", OnnxNormalizationTranslators::dropout);
    }

    private static void batchNorm(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(5, 5);
        if (node.opset() >= 14 && node.flag("training_mode", false)) {
            trainingNorm(node, graph);
            return;
        }
        for (int output = 1; output < node.outputs().size(); output++) {
            if (graph.isOutputUsed(node, output)) {
                throw node.unsupportedUse("training outputs");
            }
        }
        node.ignore("momentum", "is_test", "consumed_inputs");
        if (!node.flag("spatial", true)) {
            elementNorm(node, graph);
            return;
        }
        DirectTranslators.translate(node, graph, node.inputs());
    }

    /** With a scale, a shift, a mean and a variance for each element of a picture. */
    private static void elementNorm(OnnxNode node, OnnxGraphWriter graph) {
        Steps steps = new Steps(node, graph);
        DType dtype = steps.dtype(node.input(0));
        String centred = steps.add("Sub", node.input(0), node.input(3));
        String epsilon = steps.scalar(dtype, node.real("epsilon", EPSILON));
        String deviation = steps.add("Sqrt", steps.add("Add", node.input(4), epsilon));
        String scaled = steps.add("Mul", steps.add("Div", centred, deviation), node.input(1));
        steps.last("Add", scaled, node.input(2));
    }

    /** By the statistics of the batch itself; those of many batches take in a part of them. */
    private static void trainingNorm(OnnxNode node, OnnxGraphWriter graph) {
        Steps steps = new Steps(node, graph);
        String x = node.input(0);
        int rank = steps.rank(x);
        long[] axes = rank == 1
                ? new long[] {0}
                : LongStream.range(0, rank).filter(axis -> axis != 1).toArray();
        DType dtype = steps.dtype(x);
        DType exact = dtype == DType.FLOAT64 ? dtype : DType.FLOAT32;
        String values = dtype == exact ? x : steps.cast(x, exact);
        String mean = mean(steps, values, axes);
        String apart = steps.add("Sub", values, mean);
        String variance = mean(steps, steps.add("Mul", apart, apart), axes);
        String flatMean = steps.add("Reshape", mean, steps.vector(-1));
        String flatVariance = steps.add("Reshape", variance, steps.vector(-1));
        Params params = new Params().put("epsilon", node.real("epsilon", EPSILON));
        List<String> inputs = List.of(x, node.input(1), node.input(2), flatMean, flatVariance);
        double momentum = node.real("momentum", 0.9f);
        graph.add(node, "BatchNorm", inputs, List.of(node.output()), params);
        average(node, graph, 1, flatMean, exact, momentum);
        average(node, graph, 2, flatVariance, exact, momentum);
    }

    private static String mean(Steps steps, String values, long[] axes) {
        return steps.add("Mean", new Params().put("axis", axes).put("keep_dims", true), values);
    }

    /** The running statistic: a part of the given one, and the rest of that of the batch. */
    private static void average(
            OnnxNode node, OnnxGraphWriter graph, int output, String ofBatch, DType exact, double momentum) {
        if (!graph.isOutputUsed(node, output)) {
            return;
        }
        Steps steps = new Steps(node, graph);
        String before = node.input(output + 2);
        DType dtype = steps.dtype(before);
        String kept =
                steps.add("Mul", dtype == exact ? before : steps.cast(before, exact), steps.scalar(exact, momentum));
        String taken = steps.add("Mul", ofBatch, steps.scalar(exact, 1 - momentum));
        String sum = steps.add("Add", kept, taken);
        Params to = new Params().put("to", dtype.label());
        String name = node.outputs().get(output);
        if (dtype == exact) {
            graph.add(node, "Identity", List.of(sum), List.of(name), new Params());
        } else {
            graph.add(node, "Cast", List.of(sum), List.of(name), to);
        }
    }

    /** Mean and deviation are computed in float32 at least. */
    private static void rows(OnnxNode node, OnnxGraphWriter graph) {
        long type = node.integer("stash_type", 1);
        if (type != 1) {
            throw node.unsupportedUse("stash_type " + type);
        }
        DirectTranslators.translate(node, graph, withWholeRows(node, graph));
    }

    /** The inputs with factors and addends that are as large as a row, where they only broadcast to it. */
    static List<String> withWholeRows(OnnxNode node, OnnxGraphWriter graph) {
        OptionalInt rank = graph.types().rank(node.input(0));
        long axis = node.integer("axis", -1);
        long last = axis < 0 ? -axis : rank.orElse(0) - axis;
        if (last < 1 || last > rank.orElse(MOST_AXES)) {
            return node.inputs();
        }
        int axes = (int) last;
        List<String> inputs = new ArrayList<>(List.of(node.input(0)));
        for (int i = 1; i < node.inputs().size(); i++) {
            inputs.add(wholeRow(node, graph, node.input(i), axes));
        }
        return inputs;
    }

    private static String wholeRow(OnnxNode node, OnnxGraphWriter graph, String factors, int axes) {
        Optional<Shape> shape = graph.types().of(factors).shape();
        if (factors.isEmpty()
                || shape.isEmpty()
                || isWhole(shape.get(), graph.types().of(node.input(0)), axes)) {
            return factors;
        }
        int outer = shape.get().rank() - axes;
        boolean isShared =
                IntStream.range(0, outer).allMatch(i -> isOne(shape.get().dim(i)));
        if (!isShared) {
            throw node.unsupportedUse("factors or addends of " + shape.get() + ", which differ between rows");
        }
        Steps steps = new Steps(node, graph);
        long[] inner = LongStream.range(-axes, 0).toArray();
        String row = outer > 0
                ? steps.add(
                        "Squeeze",
                        new Params().put("axis", LongStream.range(0, outer).toArray()),
                        factors)
                : factors;
        return steps.add("Expand", row, steps.sizes(node.input(0), inner));
    }

    private static boolean isWhole(Shape factors, KnownType x, int axes) {
        if (factors.rank() != axes) {
            return false;
        }
        int outer = x.rank().orElse(axes) - axes;
        return IntStream.range(0, axes)
                .allMatch(i -> !isOne(factors.dim(i)) || x.size(outer + i).orElse(0L) == 1);
    }

    private static boolean isOne(Dim dim) {
        return dim instanceof Dim.Known known && known.size() == 1;
    }

    /** Before operator set 13 all axes from {@code axis} on count as one. */
    private static void softmax(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        boolean flatten = node.opset() < 13;
        Params params =
                new Params().put("axis", node.integer("axis", flatten ? 1 : -1)).put("flatten", flatten);
        graph.add(node, node.op(), node.inputs(), params);
    }

    private static void dropout(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 3);
        node.ignore("is_test", "seed", "consumed_inputs");
        if (node.hasInput(2) && !dropsNothing(node, graph) && mayTrain(node, graph)) {
            RandomTranslators.dropout(node, graph);
            return;
        }
        Params params = new Params();
        if (node.has("ratio")) {
            params.put("ratio", node.real("ratio", 0.5f));
        }
        graph.add(node, "Dropout", List.of(node.input(0)), params);
        if (graph.isOutputUsed(node, 1)) {
            mask(node, graph);
        }
    }

    /** {@return whether its ratio is a constant 0: training makes no difference then} */
    private static boolean dropsNothing(OnnxNode node, OnnxGraphWriter graph) {
        return node.hasInput(1)
                && graph.constant(node.input(1))
                        .filter(ratio -> ratio.elements() == 1 && ratio.getDouble(0) == 0)
                        .isPresent();
    }

    /** {@return whether training_mode is true, or only a run knows} */
    private static boolean mayTrain(OnnxNode node, OnnxGraphWriter graph) {
        Optional<Tensor> mode = graph.constant(node.input(2));
        if (mode.isPresent() && mode.get().elements() != 1) {
            throw node.malformed(
                    "training_mode must be one value, but is " + mode.get().type());
        }
        return mode.isEmpty() || mode.get().getLong(0) != 0;
    }

    /** Nothing is dropped, so the mask is true everywhere. */
    private static void mask(OnnxNode node, OnnxGraphWriter graph) {
        if (node.opset() < 10) {
            throw node.unsupportedUse("output mask before operator set 10");
        }
        String shape = graph.addStep(node, "Shape", List.of(node.input(0)), new Params());
        Params params = new Params().put("value", 1.0).put("dtype", DType.BOOL.label());
        graph.add(
                node, "ConstantOfShape", List.of(shape), List.of(node.outputs().get(1)), params);
    }
}
