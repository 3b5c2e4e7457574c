package org.clinfer.importer.onnx;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** The scores of ai.onnx.ml's regressors and classifiers, from sums for each row and target, and the labels of the best. */
final class MlScores {

    /** The constants of the inverse error function as ONNX Runtime computes it. */
    private static final double WINITZKI = 0.147;

    private static final double PI = 3.14159;

    private final OnnxNode node;
    private final OnnxGraphWriter graph;
    private final Steps steps;
    private final DType dtype;

    MlScores(OnnxNode node, OnnxGraphWriter graph, DType dtype) {
        this.node = node;
        this.graph = graph;
        this.steps = new Steps(node, graph);
        this.dtype = dtype;
    }

    /** The labels of a classifier, which are whole numbers; texts stand for their positions as long as nobody reads them. */
    List<Long> labels(String attribute) {
        List<Long> labels = Arrays.stream(node.integers(attribute).orElse(new long[0]))
                .boxed()
                .toList();
        if (!labels.isEmpty()) {
            node.ignore("classlabels_strings");
            return labels;
        }
        List<String> texts = node.texts("classlabels_strings").orElse(List.of());
        if (texts.isEmpty()) {
            throw node.malformed("it has no class labels");
        }
        if (graph.isOutputUsed(node, 0)) {
            throw node.unsupportedUse("class labels that are texts");
        }
        return LongStream.range(0, texts.size()).boxed().toList();
    }

    private String labelTable() {
        long[] labels = node.integers("classlabels_int64s")
                .or(() -> node.integers("classlabels_ints"))
                .orElse(new long[0]);
        return steps.constant(Tensor.of(labels, labels.length));
    }

    /** Writes scores of one sum for each class, and the label of the largest. */
    void ofMany(String transform, String sums, long classes) {
        String best = steps.add("ArgMax", new Params().put("axis", 1L).put("keepdims", false), sums);
        labelled(best, transform, sums, classes);
    }

    /** Writes scores of sums, and the labels at these places. */
    void labelled(String places, String transform, String sums, long count) {
        if (graph.isOutputUsed(node, 0)) {
            steps.output(0, "Gather", labelTable(), places);
        }
        String scores = transformed(transform, sums, count);
        steps.output(1, "Identity", dtype == DType.FLOAT32 ? scores : steps.cast(scores, DType.FLOAT32));
    }

    /**
     * Writes scores of two classes from one sum, which is that of the second.
     *
     * @param threshold the second one's label is given above it
     * @param isShare whether the first one has what is missing to 1, not the negative
     */
    void ofTwo(String transform, String sum, double threshold, boolean isShare) {
        String isSecond = steps.add("Greater", sum, steps.scalar(dtype, threshold));
        boolean isLogistic = transform.equals("LOGISTIC");
        String first = isShare && !isLogistic ? steps.add("Sub", steps.scalar(dtype, 1), sum) : steps.add("Neg", sum);
        String both = steps.add("Concat", new Params().put("axis", 1L), first, sum);
        String places = steps.add("Reshape", steps.cast(isSecond, DType.INT64), steps.vector(-1));
        labelled(places, ofComplements(transform), both, 2);
    }

    /** Writes scores of which the first is 0, whatever the second is. */
    void ofSecond(String transform, String sums, double threshold) {
        String isSecond = steps.add("Greater", steps.slice(sums, 1, 1, 2), steps.scalar(dtype, threshold));
        labelled(steps.add("Reshape", steps.cast(isSecond, DType.INT64), steps.vector(-1)), transform, sums, 2);
    }

    /** The transform of two scores that say the same; as in ONNX Runtime LOGISTIC alone changes them. */
    String ofComplements(String transform) {
        if (transform.equals("PROBIT")) {
            throw node.unsupportedUse("post_transform PROBIT and one sum for two classes");
        }
        return transform.equals("LOGISTIC") ? transform : "NONE";
    }

    /** Scores of the sums; as in ONNX Runtime only PROBIT changes a sum that stands alone. */
    String transformed(String transform, String sums, long targets) {
        if (targets == 1 && !transform.equals("PROBIT")) {
            return sums;
        }
        return switch (transform) {
            case "SOFTMAX" -> steps.add("Softmax", new Params().put("axis", 1L), sums);
            case "LOGISTIC" -> steps.add("Sigmoid", sums);
            case "SOFTMAX_ZERO" -> softmaxWithoutZeros(sums);
            case "PROBIT" -> probit(sums);
            default -> sums;
        };
    }

    /** As Softmax, but zeros count for nothing and stay zero. */
    private String softmaxWithoutZeros(String sums) {
        Params row = new Params().put("axis", new long[] {1}).put("keep_dims", true);
        String isOne = steps.add("Greater", steps.add("Abs", sums), steps.scalar(dtype, 1e-7f));
        String powers = steps.add("Exp", steps.add("Sub", sums, steps.add("ReduceMax", row, sums)));
        String counted = steps.add("Where", isOne, powers, steps.scalar(dtype, 0));
        return steps.add("Div", counted, steps.add("ReduceSum", row, counted));
    }

    /** The root of 2 times the inverse of the error function at 2 x - 1, in ONNX Runtime's approximation. */
    private String probit(String x) {
        String two = steps.scalar(dtype, 2);
        String one = steps.scalar(dtype, 1);
        String at = steps.add("Sub", steps.add("Mul", x, two), one);
        String log = steps.add("Log", steps.add("Mul", steps.add("Sub", one, at), steps.add("Add", one, at)));
        String half = steps.add("Mul", log, steps.scalar(dtype, 0.5));
        String v = steps.add("Add", half, steps.scalar(dtype, 2 / (PI * WINITZKI)));
        String root = steps.add(
                "Sqrt",
                steps.add("Sub", steps.add("Mul", v, v), steps.add("Mul", log, steps.scalar(dtype, 1 / WINITZKI))));
        String size = steps.add("Sqrt", steps.add("Sub", root, v));
        return steps.add("Mul", steps.add("Mul", steps.add("Sign", at), size), steps.scalar(dtype, Math.sqrt(2)));
    }
}
