package org.clinfer.importer.onnx;

import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Support vector machines: the kernel of every row with every vector, and weighted sums of these. */
final class SupportVectors {

    private static final DType REAL = DType.FLOAT32;

    private final OnnxNode node;
    private final OnnxGraphWriter graph;
    private final Steps steps;
    private final double[] rho;
    private final double[] coefficients;

    SupportVectors(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        this.node = node;
        this.graph = graph;
        this.steps = new Steps(node, graph);
        this.rho = node.requiredReals("rho");
        this.coefficients = node.requiredReals("coefficients");
    }

    void regress() {
        node.ignore("post_transform"); // ONNX Runtime has none for this operator
        long count = node.integer("n_supports", 0);
        String kernels = count > 0 ? kernels(count, kernelType()) : rows();
        node.ignore("support_vectors", "kernel_type", "kernel_params");
        String weights = constant(coefficients, coefficients.length, 1);
        String sums = steps.add("Add", steps.add("MatMul", kernels, weights), steps.scalar(REAL, rho[0]));
        if (node.integer("one_class", 0) == 0) {
            steps.last("Identity", sums);
            return;
        }
        String isInside = steps.add("Greater", sums, steps.scalar(REAL, 0));
        steps.last("Where", isInside, steps.scalar(REAL, 1), steps.scalar(REAL, -1));
    }

    private String kernelType() {
        return node.text("kernel_type", "LINEAR");
    }

    private String rows() {
        return MlTranslators.rows(steps, node.input(0), REAL);
    }

    private String constant(double[] values, long... sizes) {
        return steps.constant(MlAttributes.tensor(REAL, values, sizes));
    }

    /** The kernels of rows and vectors, with the axes row and vector. */
    private String kernels(long count, String type) {
        double[] vectors = node.requiredReals("support_vectors");
        if (vectors.length % count != 0) {
            throw node.malformed(vectors.length + " numbers are not " + count + " vectors");
        }
        long features = vectors.length / count;
        double[] params = node.reals("kernel_params").orElse(new double[] {0, 0, 0});
        if (params.length != 3) {
            throw node.malformed("kernel_params has " + params.length + " numbers, not 3");
        }
        if (type.equals("RBF")) {
            return gaussian(vectors, count, features, params[0]);
        }
        String product = steps.add("MatMul", rows(), transposed(vectors, count, features));
        if (type.equals("LINEAR")) {
            return product;
        }
        String scaled = steps.add("Mul", product, steps.scalar(REAL, params[0]));
        String line = steps.add("Add", scaled, steps.scalar(REAL, params[1]));
        return switch (type) {
            case "POLY" -> steps.add("Pow", line, steps.scalar(REAL, params[2]));
            case "SIGMOID" -> steps.add("Tanh", line);
            default -> throw node.malformed("kernel_type is '" + type + "'");
        };
    }

    private String transposed(double[] vectors, long count, long features) {
        return steps.transposed(constant(vectors, count, features), 1, 0);
    }

    /** By squares and products, around the mean of the vectors, where they are small. */
    private String gaussian(double[] vectors, long count, long features, double gamma) {
        double[] mean = new double[(int) features];
        for (int i = 0; i < vectors.length; i++) {
            mean[(int) (i % features)] += vectors[i] / count;
        }
        double[] moved = new double[vectors.length];
        double[] squares = new double[(int) count];
        for (int i = 0; i < vectors.length; i++) {
            int feature = (int) (i % features);
            mean[feature] = (float) mean[feature];
            moved[i] = (float) (vectors[i] - mean[feature]);
            squares[(int) (i / features)] += moved[i] * moved[i];
        }
        String x = steps.add("Sub", rows(), constant(mean, features));
        Params row = new Params().put("axis", new long[] {1}).put("keep_dims", true);
        String sum = steps.add("Add", steps.add("ReduceSumSquare", row, x), constant(squares, count));
        String twice =
                steps.add("Mul", steps.add("MatMul", x, transposed(moved, count, features)), steps.scalar(REAL, 2));
        String distance = steps.add("Relu", steps.add("Sub", sum, twice));
        return steps.add("Exp", steps.add("Mul", distance, steps.scalar(REAL, -gamma)));
    }

    void classify() {
        MlScores scores = new MlScores(node, graph, REAL);
        int classes = scores.labels("classlabels_ints").size();
        long[] perClass = node.integers("vectors_per_class").orElse(new long[0]);
        long count = 0;
        for (long each : perClass) {
            count += each;
        }
        if (count == 0) {
            throw node.unsupportedUse("no support vectors");
        }
        if (perClass.length != classes || rho.length != classes * (classes - 1) / 2) {
            throw node.malformed("it has " + rho.length + " rho for " + classes + " classes");
        }
        String sums = pairs(kernels(count, kernelType()), perClass, count);
        String best = votes(sums, classes);
        String transform = MlTranslators.transform(node);
        if (node.reals("prob_a").filter(a -> a.length > 0).isPresent()) {
            scores.labelled(best, transform, probabilities(sums, classes), classes);
        } else if (classes > 2) {
            scores.labelled(best, transform, sums, rho.length);
        } else {
            String both = steps.add("Concat", new Params().put("axis", 1L), steps.add("Neg", sums), sums);
            scores.labelled(best, scores.ofComplements(transform), both, classes);
        }
    }

    /** One sum for every pair of classes. */
    private String pairs(String kernels, long[] perClass, long count) {
        int classes = perClass.length;
        long[] start = new long[classes + 1];
        for (int i = 0; i < classes; i++) {
            start[i + 1] = start[i] + perClass[i];
        }
        Tensor weights = Tensor.allocate(REAL, count, rho.length);
        if (coefficients.length != count * (classes - 1)) {
            throw node.malformed("it has " + coefficients.length + " coefficients, not " + count * (classes - 1));
        }
        int pair = 0;
        for (int i = 0; i < classes; i++) {
            for (int j = i + 1; j < classes; j++) {
                for (long at = start[i]; at < start[i + 1]; at++) {
                    weights.setDouble(at * rho.length + pair, coefficients[(int) (count * (j - 1) + at)]);
                }
                for (long at = start[j]; at < start[j + 1]; at++) {
                    weights.setDouble(at * rho.length + pair, coefficients[(int) (count * i + at)]);
                }
                pair++;
            }
        }
        String product = steps.add("MatMul", kernels, steps.constant(weights));
        return steps.add("Add", product, constant(rho, rho.length));
    }

    /** By the two numbers that training gives the pair of classes. */
    private String probabilities(String sums, int classes) {
        double[] a = node.requiredReals("prob_a");
        double[] b = node.requiredReals("prob_b");
        if (classes != 2) {
            throw node.unsupportedUse("probabilities of " + classes + " classes");
        }
        String line = steps.add("Add", steps.add("Mul", sums, steps.scalar(REAL, a[0])), steps.scalar(REAL, b[0]));
        String both = steps.add("Concat", new Params().put("axis", 1L), steps.add("Neg", line), line);
        return steps.add("Sigmoid", both);
    }

    /** The class that wins most pairs; of equal ones the first. */
    private String votes(String sums, int classes) {
        String first = steps.cast(steps.add("Greater", sums, steps.scalar(REAL, 0)), REAL);
        Tensor won = Tensor.allocate(REAL, rho.length, classes);
        Tensor lost = Tensor.allocate(REAL, classes);
        int pair = 0;
        for (int i = 0; i < classes; i++) {
            for (int j = i + 1; j < classes; j++) {
                won.setDouble((long) pair * classes + i, 1);
                won.setDouble((long) pair * classes + j, -1);
                lost.setDouble(j, lost.getDouble(j) + 1);
                pair++;
            }
        }
        String votes = steps.add("Add", steps.add("MatMul", first, steps.constant(won)), steps.constant(lost));
        return steps.add("ArgMax", new Params().put("axis", 1L).put("keepdims", false), votes);
    }
}
