package org.clinfer.importer.onnx;

import java.util.Arrays;
import java.util.Map;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/**
 * Random numbers, and Dropout in training. All are composed of RandomUniform, whose numbers follow from a seed: that of the
 * node, or one made of the name of its output.
 */
final class RandomTranslators {

    private static final int FLOAT = 1;
    private static final int INT32 = 6;

    private RandomTranslators() {}

    static Map<String, Translator> all() {
        return Map.of(
                "RandomUniform", (node, graph) -> uniform(node, graph, shape(node, graph)),
                "RandomUniformLike", (node, graph) -> uniform(node, graph, shapeOfInput(node, graph)),
                "RandomNormal", (node, graph) -> normal(node, graph, shape(node, graph)),
                "RandomNormalLike", (node, graph) -> normal(node, graph, shapeOfInput(node, graph)),
                "Bernoulli", RandomTranslators::bernoulli,
                "Multinomial", RandomTranslators::multinomial);
    }

    private static String shape(OnnxNode node, GraphWriter graph) {
        node.requireInputs(0, 0);
        return new Steps(node, graph).vector(node.requiredIntegers("shape"));
    }

    private static String shapeOfInput(OnnxNode node, GraphWriter graph) {
        node.requireInputs(1, 1);
        return new Steps(node, graph).shape(node.input(0));
    }

    /** What the node says, or the type of its input, or float32. */
    private static DType dtype(OnnxNode node, GraphWriter graph, int otherwise) {
        return node.has("dtype") || node.inputs().isEmpty() || otherwise != FLOAT
                ? ElementTypes.require(Math.toIntExact(node.integer("dtype", otherwise)), node.source(), "the output")
                : new Steps(node, graph).dtype(node.input(0));
    }

    private static void uniform(OnnxNode node, GraphWriter graph, String shape) {
        double low = node.real("low", 0);
        double high = node.real("high", 1);
        scaled(node, graph, drawn(node, graph, shape, 0), high - low, low);
    }

    /** By the method of Box and Muller. */
    private static void normal(OnnxNode node, GraphWriter graph, String shape) {
        Steps steps = new Steps(node, graph);
        String above = steps.add("Sub", steps.scalar(DType.FLOAT32, 1), drawn(node, graph, shape, 0));
        String twice = steps.add("Mul", steps.add("Log", above), steps.scalar(DType.FLOAT32, -2));
        String angle = steps.add("Mul", drawn(node, graph, shape, 1), steps.scalar(DType.FLOAT32, 2 * Math.PI));
        String standard = steps.add("Mul", steps.add("Sqrt", twice), steps.add("Cos", angle));
        scaled(node, graph, standard, node.real("scale", 1), node.real("mean", 0));
    }

    private static void scaled(OnnxNode node, GraphWriter graph, String numbers, double factor, double addend) {
        Steps steps = new Steps(node, graph);
        String product = steps.add("Mul", numbers, steps.scalar(DType.FLOAT32, factor));
        String sum = steps.add("Add", product, steps.scalar(DType.FLOAT32, addend));
        steps.last("Cast", new Params().put("to", dtype(node, graph, FLOAT).label()), sum);
    }

    private static void bernoulli(OnnxNode node, GraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        String drawn = drawn(node, graph, steps.shape(node.input(0)), 0);
        String one = steps.add("Less", drawn, steps.cast(node.input(0), DType.FLOAT32));
        steps.last("Cast", new Params().put("to", dtype(node, graph, FLOAT).label()), one);
    }

    /** The largest of the logarithms of probabilities, each with a number of Gumbel's distribution added. */
    private static void multinomial(OnnxNode node, GraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        String x = steps.unsqueezed(steps.cast(node.input(0), DType.FLOAT32), 1);
        String samples = steps.vector(node.integer("sample_size", 1));
        String shape = steps.concat(Arrays.asList(steps.sizes(x, 0), samples, steps.sizes(x, 2)));
        String once = steps.add("Neg", steps.add("Log", drawn(node, graph, shape, 0)));
        String sum = steps.add("Sub", x, steps.add("Log", once));
        String chosen = steps.add("ArgMax", new Params().put("axis", 2L).put("keepdims", false), sum);
        steps.last("Cast", new Params().put("to", dtype(node, graph, INT32).label()), chosen);
    }

    /** A Dropout that trains, or may: as its input training_mode says. */
    static void dropout(OnnxNode node, GraphWriter graph) {
        Steps steps = new Steps(node, graph);
        String x = node.input(0);
        String ratio = node.hasInput(1) ? steps.cast(node.input(1), DType.FLOAT32) : steps.scalar(DType.FLOAT32, 0.5);
        String every = steps.add("Not", node.input(2));
        String kept = steps.add("GreaterOrEqual", drawn(node, graph, steps.shape(x), 0), ratio);
        String mask = steps.add("Or", kept, every);
        String factor = steps.add("Reciprocal", steps.add("Sub", steps.scalar(DType.FLOAT32, 1), ratio));
        DType dtype = steps.dtype(x);
        String scaled = steps.add("Where", every, x, steps.add("Mul", x, steps.cast(factor, dtype)));
        steps.last("Where", mask, scaled, steps.scalar(dtype, 0));
        steps.output(1, "Identity", mask);
    }

    /** Numbers from 0 to below 1. */
    private static String drawn(OnnxNode node, GraphWriter graph, String shape, int stream) {
        Params params = new Params().put("seed", Integer.toUnsignedLong(seed(node)) << 1 | stream);
        return new Steps(node, graph).add("RandomUniform", params, shape);
    }

    /** Dropout's seed is an integer, all others are real numbers. */
    private static int seed(OnnxNode node) {
        if (!node.has("seed")) {
            return node.outputs().get(0).hashCode();
        }
        return node.op().equals("Dropout")
                ? Long.hashCode(node.integer("seed", 0))
                : Float.floatToIntBits((float) node.real("seed", 0));
    }
}
