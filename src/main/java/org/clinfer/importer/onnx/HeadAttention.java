package org.clinfer.importer.onnx;

import java.util.List;
import java.util.Optional;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/**
 * Softmax(Q Kᵀ · scale + bias) V for every head, as steps. Queries, keys and values have the axes batch, head, position,
 * feature. Which keys a query may see is said by conditions on the axes batch, head, query, key, or fewer from the right.
 * Where several heads of queries share one of keys, their rows are those of one product with it.
 */
final class HeadAttention {

    private final Steps steps;
    private final DType dtype;
    private final String queries;
    private final String keys;
    private final String values;
    private final boolean shared;
    private Optional<String> allowed = Optional.empty();
    private Optional<String> bias = Optional.empty();
    private Optional<String> sink = Optional.empty();
    /** True if a query may be left without any key. */
    private boolean mayHideAll;

    /** @param shared whether there may be fewer heads of keys than of queries */
    HeadAttention(Steps steps, DType dtype, String queries, String keys, String values, boolean shared) {
        this.steps = steps;
        this.dtype = dtype;
        this.queries = queries;
        this.keys = keys;
        this.values = values;
        this.shared = shared;
    }

    /** Features of several heads side by side, on an axis for heads of their own. */
    static String split(Steps steps, String joined, long heads) {
        return steps.transposed(steps.add("Reshape", joined, steps.vector(0, 0, heads, -1)), 0, 2, 1, 3);
    }

    /** The inverse of {@link #split}, as the last step. */
    static void lastJoined(Steps steps, String heads) {
        steps.last("Reshape", steps.transposed(heads, 0, 2, 1, 3), steps.vector(0, 0, -1));
    }

    /** Keys or values behind those of earlier runs, where the node is given any. */
    static String behindPast(Steps steps, OnnxNode node, int past, String now) {
        return node.hasInput(past) ? steps.add("Concat", new Params().put("axis", 2L), node.input(past), now) : now;
    }

    /** Scores kept within a limit, where the node has one. */
    static String capped(OnnxNode node, Steps steps, DType dtype, String scores) {
        double cap = node.real("softcap", 0);
        if (cap == 0) {
            return scores;
        }
        if (!(cap > 0)) {
            throw node.malformed("softcap must be 0 or more, but is " + cap);
        }
        String limit = steps.scalar(dtype, cap);
        return steps.add("Mul", steps.add("Tanh", steps.add("Div", scores, limit)), limit);
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
        addFiniteBias(numbers);
        mayHideAll = true;
    }

    /** A number for each key, none of them infinite. */
    void addFiniteBias(String numbers) {
        bias = Optional.of(bias.map(others -> steps.add("Add", others, numbers)).orElse(numbers));
    }

    /** The score of a key that takes its share and has no value, with the axes of scores. */
    void addSink(String score) {
        sink = Optional.of(score);
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
        String left = grouped(steps.add("Mul", queries, factor));
        return ungrouped(steps.add("MatMul", left, narrow ? steps.add("Mul", turned, factor) : turned));
    }

    /** Rows of all heads of queries that share a head of keys, as those of one head. */
    private String grouped(String rows) {
        return shared
                ? steps.add(
                        "Reshape",
                        rows,
                        steps.concat(
                                List.of(steps.vector(0), steps.sizes(keys, 1), steps.vector(-1), steps.sizes(rows, 3))))
                : rows;
    }

    /** The inverse of {@link #grouped}. */
    private String ungrouped(String rows) {
        return shared
                ? steps.add(
                        "Reshape",
                        rows,
                        steps.concat(List.of(steps.vector(0), steps.sizes(queries, 1, 2), steps.vector(-1))))
                : rows;
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
        String shares = shares(wide, precision);
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

    private String shares(String scores, DType precision) {
        Params last = new Params().put("axis", -1L);
        if (sink.isEmpty()) {
            return steps.add("Softmax", last, scores);
        }
        String sizes = steps.concat(List.of(steps.sizes(scores, 0, 1, 2), steps.vector(1)));
        String score = precision == dtype ? sink.get() : steps.cast(sink.get(), precision);
        String all = steps.add("Concat", last, scores, steps.add("Expand", score, sizes));
        return steps.slice(steps.add("Softmax", last, all), 3, 0, -1);
    }

    String weighted(String probabilities) {
        return ungrouped(steps.add("MatMul", grouped(probabilities), values));
    }
}
