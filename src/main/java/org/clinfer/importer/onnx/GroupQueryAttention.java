package org.clinfer.importer.onnx;

import java.util.List;
import java.util.Optional;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/**
 * ONNX Runtime's attention of language models: a head of keys serves several of queries, queries and keys are turned by
 * their positions, and keys and values take their positions behind those of earlier runs. Every batch has a length of its
 * own, which seqlens_k says; what lies behind it in the cache counts for nothing. A single batch is as long as
 * total_sequence_length says, so that all positions are known when a plan is made.
 */
final class GroupQueryAttention {

    private static final int QUERY = 0;
    private static final int KEY = 1;
    private static final int VALUE = 2;
    private static final int PAST_KEY = 3;
    private static final int PAST_VALUE = 4;
    private static final int LAST_KEYS = 5;
    private static final int TOTAL = 6;
    private static final int COSINES = 7;
    private static final int SINES = 8;
    private static final int POSITIONS = 9;
    private static final int SCORES_BIAS = 10;
    private static final int SINK = 11;

    /** The attributes that are refused unless they are 0. */
    private static final List<String> FIXED = List.of("qk_output", "kv_cache_bit_width");

    private final OnnxNode node;
    private final Steps steps;
    private final DType dtype;
    private final long heads;
    private final long keyHeads;
    private final String rows;
    private final String total;
    /** True if there is one batch, so that the positions of keys do not depend on data. */
    private final boolean alone;
    /** The number of keys that there were before: without axes if alone, else with the axes batch and 1. */
    private final String before;

    GroupQueryAttention(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 12);
        this.node = node;
        this.steps = new Steps(node, graph);
        this.dtype = steps.dtype(node.input(QUERY));
        this.heads = node.integer("num_heads");
        this.keyHeads = node.integer("kv_num_heads");
        if (keyHeads < 1 || heads < 1 || heads % keyHeads != 0) {
            throw node.malformed(heads + " heads of queries cannot share " + keyHeads + " of keys");
        }
        if (node.hasInput(KEY) != node.hasInput(VALUE) || node.hasInput(PAST_KEY) != node.hasInput(PAST_VALUE)) {
            throw node.malformed("keys and values must be given together");
        }
        refuseOptions();
        node.ignore("rotary_interleaved"); // where nothing is turned
        this.rows = steps.size(node.input(QUERY), 1);
        this.total =
                steps.add("Squeeze", steps.add("Reshape", steps.cast(node.input(TOTAL), DType.INT64), steps.vector(1)));
        Optional<Long> batches = steps.knownSize(node.input(QUERY), 0)
                .or(() -> steps.knownSize(node.input(LAST_KEYS), 0))
                .or(() -> steps.knownSize(node.optionalInput(PAST_KEY), 0));
        this.alone = batches.equals(Optional.of(1L));
        this.before = alone ? steps.add("Sub", total, rows) : beforeOfBatches();
    }

    private void refuseOptions() {
        for (String attribute : FIXED) {
            if (node.integer(attribute, 0) != 0) {
                throw node.unsupportedUse(attribute + " " + node.integer(attribute, 0));
            }
        }
        for (String attribute : List.of("k_quant_type", "v_quant_type")) {
            if (!node.text(attribute, "NONE").equals("NONE")) {
                throw node.unsupportedUse(attribute + " " + node.text(attribute, "NONE"));
            }
        }
    }

    /** A run of as many rows as there are keys in all is the first one. */
    private String beforeOfBatches() {
        String last = steps.add("Reshape", steps.cast(node.input(LAST_KEYS), DType.INT64), steps.vector(-1, 1));
        String others = steps.add("Sub", steps.add("Add", last, steps.whole(1)), rows);
        return steps.add("Where", steps.add("Equal", rows, total), steps.whole(0), others);
    }

    void translate() {
        String[] apart = headsApart();
        if (node.flag("do_rotary", false)) {
            Rotation rotation = rotation();
            apart[QUERY] = turned(rotation, apart[QUERY]);
            apart[KEY] = turned(rotation, apart[KEY]);
        }
        String keys = behindPast(PAST_KEY, apart[KEY]);
        String values = behindPast(PAST_VALUE, apart[VALUE]);
        steps.output(1, "Identity", keys);
        steps.output(2, "Identity", values);

        HeadAttention attention = new HeadAttention(steps, dtype, apart[QUERY], keys, values, heads != keyHeads);
        hide(attention);
        bias(attention, keys);
        String raw = attention.scaledScores(node.real("scale", 0));
        String scores = attention.biased(HeadAttention.capped(node, steps, dtype, raw));
        HeadAttention.lastJoined(steps, attention.weighted(attention.probabilities(scores, dtype)));
    }

    /** Queries, keys and values with an axis for heads; they may stand side by side in one input. */
    private String[] headsApart() {
        if (node.hasInput(KEY)) {
            return new String[] {
                HeadAttention.split(steps, node.input(QUERY), heads),
                HeadAttention.split(steps, node.input(KEY), keyHeads),
                HeadAttention.split(steps, node.input(VALUE), keyHeads)
            };
        }
        String all = HeadAttention.split(steps, node.input(QUERY), heads + 2 * keyHeads);
        return new String[] {
            steps.slice(all, 1, 0, heads),
            steps.slice(all, 1, heads, heads + keyHeads),
            steps.slice(all, 1, heads + keyHeads, heads + 2 * keyHeads)
        };
    }

    private Rotation rotation() {
        String positions = node.hasInput(POSITIONS)
                ? node.input(POSITIONS)
                : steps.add("Add", steps.unsqueezed(steps.range(rows, 0), 0), before);
        Params first = new Params().put("axis", 0L);
        return new Rotation(
                steps,
                node.flag("rotary_interleaved", false),
                steps.unsqueezed(steps.add("Gather", first, node.input(COSINES), positions), 1),
                steps.unsqueezed(steps.add("Gather", first, node.input(SINES), positions), 1));
    }

    /** There may be angles for the first features alone. */
    private String turned(Rotation rotation, String x) {
        Optional<Long> angles = steps.knownSize(node.input(COSINES), 1);
        Optional<Long> features = steps.knownSize(node.optionalInput(PAST_KEY), 3)
                .or(() -> steps.knownSize(node.input(QUERY), 2)
                        .map(all -> all / (node.hasInput(KEY) ? heads : heads + 2 * keyHeads)));
        boolean all = angles.isPresent() && features.equals(angles.map(pairs -> 2 * pairs));
        return all
                ? rotation.turned(x)
                : rotation.turnedFirst(x, steps.add("Mul", steps.sizes(node.input(COSINES), 1), steps.vector(2)));
    }

    /** The cache with the new rows behind what each batch has; zeros behind them, if the cache is longer. */
    private String behindPast(int input, String now) {
        if (!node.hasInput(input)) {
            return now;
        }
        String past = node.input(input);
        String most = steps.add("Sub", total, rows);
        String room = steps.add("Max", steps.size(node.input(PAST_KEY), 2), total);
        String end = steps.add("Reshape", most, steps.vector(1));
        Params along = new Params().put("axis", 2L);
        String all = steps.add("Concat", along, steps.slice(past, 2, steps.vector(0), end), now);
        String missing = steps.add("Reshape", steps.add("Sub", room, total), steps.vector(1));
        String pads = steps.concat(List.of(steps.vector(0, 0, 0, 0, 0, 0), missing, steps.vector(0)));
        String zero = steps.scalar(dtype, 0);
        String padded = steps.add("Pad", all, pads, zero);
        return alone ? padded : moved(padded, now, most, steps.range(room, 1));
    }

    /**
     * Rows that stand behind the longest batch, moved behind their own. Either no batch has any before, or there is one new
     * row: ONNX Runtime takes nothing else.
     */
    private String moved(String padded, String now, String most, String positions) {
        String ofBatch = steps.add("Reshape", before, steps.vector(-1, 1, 1, 1));
        String kept = steps.add("Or", steps.add("Less", positions, ofBatch), steps.add("Equal", ofBatch, most));
        String row = steps.slice(now, 2, -1, Long.MAX_VALUE);
        String here = steps.add("Equal", positions, ofBatch);
        return steps.add("Where", kept, padded, steps.add("Where", here, row, steps.scalar(dtype, 0)));
    }

    /** Every row sees itself and what is before it, within the window. */
    private void hide(HeadAttention attention) {
        String start = alone ? before : steps.add("Reshape", before, steps.vector(-1, 1, 1, 1));
        String positions = steps.add("Add", attention.queryPositions(), start);
        String keys = attention.keyPositions();
        attention.allow(steps.add("LessOrEqual", keys, positions), false);
        long window = node.integer("local_window_size", -1);
        if (window == 0 || window < -1) {
            throw node.malformed("local_window_size must be -1 or above 0, but is " + window);
        }
        if (window > 0) {
            attention.allow(steps.add("Greater", keys, steps.add("Sub", positions, steps.whole(window))), false);
        }
    }

    private void bias(HeadAttention attention, String keys) {
        if (node.hasInput(SCORES_BIAS)) {
            String given = node.input(SCORES_BIAS);
            String missing = steps.add("Sub", steps.sizes(keys, 2), steps.sizes(given, 3));
            String pads = steps.concat(List.of(steps.vector(0, 0, 0, 0, 0, 0, 0), missing));
            attention.addFiniteBias(steps.add("Pad", given, pads, steps.scalar(dtype, 0)));
        }
        boolean smooth = node.integer("smooth_softmax", 0) == 1;
        if (node.hasInput(SINK)) {
            if (smooth) {
                throw node.malformed("smooth_softmax cannot be given with head_sink");
            }
            attention.addSink(steps.add("Reshape", node.input(SINK), steps.vector(1, heads, 1, 1)));
        } else if (smooth) {
            attention.addSink(steps.add("Reshape", steps.scalar(dtype, 0), steps.vector(1, 1, 1, 1)));
        }
    }
}
