package org.clinfer.importer.onnx;

import java.util.Arrays;
import java.util.Map;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/**
 * Random numbers, and Dropout in training. All are composed of Random, whose numbers follow from a seed: that of the node,
 * with the numbers of ONNX's reference implementation where it has the operator, or one made of the name of its output.
 */
final class RandomTranslators {

    private static final int FLOAT = 1;
    private static final int INT32 = 6;

    private RandomTranslators() {}

    static Map<String, OnnxTranslator> all() {
        return Map.of(
                "RandomUniform", (node, graph) -> uniform(node, graph, shape(node, graph)),
                "RandomUniformLike", (node, graph) -> uniform(node, graph, shapeOfInput(node, graph)),
                "RandomNormal", (node, graph) -> normal(node, graph, shape(node, graph)),
                "RandomNormalLike", (node, graph) -> normal(node, graph, shapeOfInput(node, graph)),
                "Bernoulli", RandomTranslators::bernoulli,
                "Multinomial", RandomTranslators::multinomial);
    }

    private static String shape(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(0, 0);
        return new Steps(node, graph).vector(node.requiredIntegers("shape"));
    }

    private static String shapeOfInput(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        return new Steps(node, graph).shape(node.input(0));
    }

    /** The type that the node states, or that of its input, or float32. */
    private static DType dtype(OnnxNode node, OnnxGraphWriter graph, int otherwise) {
        return node.has("dtype") || node.inputs().isEmpty() || otherwise != FLOAT
                ? OnnxElementTypes.require(
                        Math.toIntExact(node.integer("dtype", otherwise)), node.source(), "the output")
                : new Steps(node, graph).dtype(node.input(0));
    }

    private static void uniform(OnnxNode node, OnnxGraphWriter graph, String shape) {
        double low = node.real("low", 0);
        double high = node.real("high", 1);
        scaled(node, graph, drawn(node, graph, shape, "uniform"), high - low, low);
    }

    private static void normal(OnnxNode node, OnnxGraphWriter graph, String shape) {
        scaled(node, graph, drawn(node, graph, shape, "normal"), node.real("scale", 1), node.real("mean", 0));
    }

    private static void scaled(OnnxNode node, OnnxGraphWriter graph, String numbers, double factor, double addend) {
        Steps steps = new Steps(node, graph);
        DType dtype = dtype(node, graph, FLOAT);
        String product = steps.add("Mul", steps.cast(numbers, dtype), steps.scalar(dtype, factor));
        steps.last("Add", product, steps.scalar(dtype, addend));
    }

    /** With NumPy's method, which draws the rarer of the two values. */
    private static void bernoulli(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        String drawn = drawn(node, graph, steps.shape(node.input(0)), "uniform");
        String chance = steps.cast(node.input(0), DType.FLOAT64);
        String seldom = steps.add("LessOrEqual", chance, steps.scalar(DType.FLOAT64, 0.5));
        String least = steps.add("Sub", steps.scalar(DType.FLOAT64, 1), chance);
        String one =
                steps.add("Where", seldom, steps.add("Greater", drawn, least), steps.add("LessOrEqual", drawn, chance));
        steps.last("Cast", new Params().put("to", dtype(node, graph, FLOAT).label()), one);
    }

    /** The largest of the logarithms of probabilities, each with a number of Gumbel's distribution added. */
    private static void multinomial(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        String x = steps.unsqueezed(steps.cast(node.input(0), DType.FLOAT64), 1);
        String samples = steps.vector(node.integer("sample_size", 1));
        String shape = steps.concat(Arrays.asList(steps.sizes(x, 0), samples, steps.sizes(x, 2)));
        String once = steps.add("Neg", steps.add("Log", drawn(node, graph, shape, "uniform")));
        String sum = steps.add("Sub", x, steps.add("Log", once));
        String chosen = steps.add("ArgMax", new Params().put("axis", 2L).put("keepdims", false), sum);
        steps.last("Cast", new Params().put("to", dtype(node, graph, INT32).label()), chosen);
    }

    /** A Dropout that trains, or may: as its input training_mode says. */
    static void dropout(OnnxNode node, OnnxGraphWriter graph) {
        Steps steps = new Steps(node, graph);
        String x = node.input(0);
        String ratio = node.hasInput(1) ? steps.cast(node.input(1), DType.FLOAT64) : steps.scalar(DType.FLOAT64, 0.5);
        String every = steps.add("Not", node.input(2));
        String kept = steps.add("GreaterOrEqual", drawn(node, graph, steps.shape(x), "uniform"), ratio);
        String mask = steps.add("Or", kept, every);
        String factor = steps.add("Reciprocal", steps.add("Sub", steps.scalar(DType.FLOAT64, 1), ratio));
        DType dtype = steps.dtype(x);
        String scaled = steps.add("Where", every, x, steps.add("Mul", x, steps.cast(factor, dtype)));
        steps.last("Where", mask, scaled, steps.scalar(dtype, 0));
        steps.output(1, "Identity", mask);
    }

    private static String drawn(OnnxNode node, OnnxGraphWriter graph, String shape, String distribution) {
        Params params =
                new Params().put("distribution", distribution).put("seed", Integer.toUnsignedLong(seed(node, graph)));
        return new Steps(node, graph).add("Random", params, shape);
    }

    /** The integer of the seed; only Dropout's is one. */
    private static int seed(OnnxNode node, OnnxGraphWriter graph) {
        if (!node.has("seed")) {
            return ownSeed(node, graph);
        }
        return (int) (node.op().equals("Dropout") ? node.integer("seed", 0) : (long) node.real("seed", 0));
    }

    /** Noise may be the same in every run; choices that are, such as the next word of a text, are no choices. */
    private static int ownSeed(OnnxNode node, OnnxGraphWriter graph) {
        if (!node.op().startsWith("Random")) {
            throw node.unsupportedUse("no seed, whose numbers would be others in every run");
        }
        if (graph.isRepeated()) {
            throw node.unsupportedUse("no seed in a body, which would draw the same numbers each time");
        }
        return node.outputs().get(0).hashCode();
    }
}
