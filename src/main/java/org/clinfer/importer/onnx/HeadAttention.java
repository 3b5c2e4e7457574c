package org.clinfer.importer.onnx;

import java.util.List;
import java.util.Optional;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/**
 * Softmax(Q Kᵀ · scale + bias) V for every head, as steps. Queries, keys and values have the axes batch, head, position,
 * feature. Which keys a query may see is said by conditions on the axes batch, head, query, key, or fewer from the right.
 */
final class HeadAttention {

    private final Steps steps;
    private final DType dtype;
    private final String queries;
    private final String keys;
    private final String values;
    private Optional<String> allowed = Optional.empty();
    private Optional<String> bias = Optional.empty();
    /** Whether a query may be left without any key. */
    private boolean mayHideAll;

    HeadAttention(Steps steps, DType dtype, String queries, String keys, String values) {
        this.steps = steps;
        this.dtype = dtype;
        this.queries = queries;
        this.keys = keys;
        this.values = values;
    }

    /** Features of several heads side by side, on an axis for heads of their own. */
    static String split(Steps steps, String joined, long heads) {
        return steps.transposed(steps.add("Reshape", joined, steps.vector(0, 0, heads, -1)), 0, 2, 1, 3);
    }

    /** The inverse of {@link #split}, as the last step. */
    static void lastJoined(Steps steps, String heads) {
        steps.last("Reshape", steps.transposed(heads, 0, 2, 1, 3), steps.vector(0, 0, -1));
    }

    /** Each head as many times as it has queries' heads to serve, one copy behind the other. */
    static String repeated(Steps steps, String heads, String times) {
        String one = steps.vector(1);
        String sizes = steps.concat(List.of(one, one, times, one, one));
        String copies = steps.add("Expand", steps.unsqueezed(heads, 2), sizes);
        return steps.add("Reshape", copies, steps.concat(List.of(steps.vector(0, -1), steps.sizes(heads, 2, 3))));
    }

    /** Keys or values behind those of earlier runs, where the node is given any. */
    static String behindPast(Steps steps, OnnxNode node, int past, String now) {
        return node.hasInput(past) ? steps.add("Concat", new Params().put("axis", 2L), node.input(past), now) : now;
    }

    /** 0, 1, … for the keys. */
    String keyPositions() {
        return steps.range(steps.size(keys, 2), 0);
    }

    /** 0, 1, … for the queries, each with an axis of keys behind it. */
    String queryPositions() {
        return steps.range(steps.size(queries, 2), 1);
    }

    /** Hides the keys for which the condition is false. */
    void allow(String condition, boolean mayHideAllKeys) {
        allowed = Optional.of(
                allowed.map(others -> steps.add("And", others, condition)).orElse(condition));
        mayHideAll |= mayHideAllKeys;
    }

    /** A number for each key, -infinity to hide it. */
    void addBias(String numbers) {
        bias = Optional.of(bias.map(others -> steps.add("Add", others, numbers)).orElse(numbers));
        mayHideAll = true;
    }

    /**
     * Products of queries and keys. Narrow floats are scaled on both sides, because their products might overflow.
     *
     * @param scale 0 for one by the root of the number of features
     */
    String scaledScores(double scale) {
        boolean narrow = dtype.bits() < DType.FLOAT32.bits();
        String factor;
        if (scale != 0) {
            factor = steps.scalar(dtype, narrow ? Math.sqrt(scale) : scale);
        } else {
            String root = steps.add("Sqrt", steps.cast(steps.size(queries, 3), DType.FLOAT32));
            String inverse = steps.add("Reciprocal", narrow ? steps.add("Sqrt", root) : root);
            factor = dtype == DType.FLOAT32 ? inverse : steps.cast(inverse, dtype);
        }
        String turned = steps.transposed(keys, 0, 1, 3, 2);
        String left = steps.add("Mul", queries, factor);
        return steps.add("MatMul", left, narrow ? steps.add("Mul", turned, factor) : turned);
    }

    /** Scores with what was added and hidden. */
    String biased(String scores) {
        return summed().map(numbers -> steps.add("Add", scores, numbers)).orElse(scores);
    }

    private Optional<String> summed() {
        if (allowed.isPresent()) {
            String hidden = steps.scalar(dtype, Double.NEGATIVE_INFINITY);
            String shown = bias.orElseGet(() -> steps.scalar(dtype, 0));
            bias = Optional.of(steps.add("Where", allowed.get(), shown, hidden));
            allowed = Optional.empty();
        }
        return bias;
    }

    /** Softmax over the keys; 0 throughout where a query may see none. */
    String probabilities(String biased, DType precision) {
        String wide = precision == dtype ? biased : steps.cast(biased, precision);
        String shares = steps.add("Softmax", new Params().put("axis", -1L), wide);
        String narrow = precision == dtype ? shares : steps.cast(shares, dtype);
        Optional<String> numbers = summed();
        if (!mayHideAll || numbers.isEmpty()) {
            return narrow;
        }
        Params rows = new Params().put("axis", new long[] {-1}).put("keep_dims", true);
        String most = steps.add("ReduceMax", rows, numbers.get());
        String none = steps.add("Equal", most, steps.scalar(dtype, Double.NEGATIVE_INFINITY));
        return steps.add("Where", none, steps.scalar(dtype, 0), narrow);
    }

    String weighted(String probabilities) {
        return steps.add("MatMul", probabilities, values);
    }
}
