package org.clinfer.importer.onnx;

import java.util.List;
import java.util.Optional;
import org.clinfer.tensor.DType;

/** ONNX's Attention: heads joined or apart, groups of queries' heads, caches of keys and values, masks and windows. */
final class Attention {

    private static final int Q = 0;
    private static final int K = 1;
    private static final int V = 2;
    private static final int MASK = 3;
    private static final int PAST_KEY = 4;
    private static final int PAST_VALUE = 5;
    private static final int VALID_KEYS = 6;

    private static final int SCORES_RAW = 0;
    private static final int SCORES_CAPPED = 1;
    private static final int SCORES_BIASED = 2;
    private static final int PROBABILITIES = 3;
    private static final int SCORES_OUTPUT = 3;

    private final OnnxNode node;
    private final Steps steps;
    private final DType dtype;
    private final boolean joined;

    Attention(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(3, 7);
        this.node = node;
        this.steps = new Steps(node, graph);
        this.dtype = steps.dtype(node.input(Q));
        this.joined = graph.types().rank(node.input(Q)).orElse(node.has("q_num_heads") ? 3 : 4) == 3;
        if (node.hasInput(PAST_KEY) != node.hasInput(PAST_VALUE)) {
            throw node.malformed("past_key and past_value must be given together");
        }
        if (node.hasInput(VALID_KEYS) && node.hasInput(PAST_KEY)) {
            throw node.malformed("nonpad_kv_seqlen cannot be given with past_key");
        }
    }

    void translate() {
        String queries = heads(Q, "q_num_heads");
        String keys = HeadAttention.behindPast(steps, node, PAST_KEY, heads(K, "kv_num_heads"));
        String values = HeadAttention.behindPast(steps, node, PAST_VALUE, heads(V, "kv_num_heads"));
        steps.output(1, "Identity", keys);
        steps.output(2, "Identity", values);
        HeadAttention attention = new HeadAttention(steps, dtype, queries, keys, values, mayShareKeys(queries, keys));
        mask(attention, steps.size(keys, 2));
        windows(attention, steps.size(queries, 2));

        String raw = attention.scaledScores(node.real("scale", 0));
        String capped = HeadAttention.capped(node, steps, dtype, raw);
        String biased = attention.biased(capped);
        String probabilities = attention.probabilities(biased, precision());
        long mode = node.integer("qk_matmul_output_mode", SCORES_RAW);
        if (mode < SCORES_RAW || mode > PROBABILITIES) {
            throw node.malformed("qk_matmul_output_mode must be 0 to 3, but is " + mode);
        }
        String shown = mode == SCORES_RAW
                ? raw
                : mode == SCORES_CAPPED ? capped : mode == SCORES_BIASED ? biased : probabilities;
        steps.output(SCORES_OUTPUT, "Identity", shown);
        String weighted = attention.weighted(probabilities);
        if (joined) {
            HeadAttention.lastJoined(steps, weighted);
        } else {
            steps.last("Identity", weighted);
        }
    }

    private String heads(int input, String attribute) {
        String given = node.input(input);
        long heads = node.integer(attribute, 0);
        if (!joined) {
            return given;
        }
        if (heads < 1) {
            throw node.malformed("inputs of three axes need " + attribute + " of at least 1, but it is " + heads);
        }
        return HeadAttention.split(steps, given, heads);
    }

    /** {@return whether several heads of queries share one of keys, or it is not known} */
    private boolean mayShareKeys(String queries, String keys) {
        Optional<Long> known = joined ? Optional.of(node.integer("q_num_heads")) : steps.knownSize(queries, 1);
        Optional<Long> shared = joined ? Optional.of(node.integer("kv_num_heads")) : steps.knownSize(keys, 1);
        if (known.isEmpty() || shared.isEmpty()) {
            return true;
        }
        if (shared.get() < 1 || known.get() % shared.get() != 0) {
            throw node.malformed(known.get() + " heads of queries cannot share " + shared.get() + " of keys");
        }
        return !known.get().equals(shared.get());
    }

    /** A mask may end before the last key; those beyond it are hidden. */
    private void mask(HeadAttention attention, String keyCount) {
        if (!node.hasInput(MASK)) {
            return;
        }
        String mask = node.input(MASK);
        String hidden = steps.scalar(dtype, Double.NEGATIVE_INFINITY);
        if (steps.dtype(mask) == DType.BOOL) {
            mask = steps.add("Where", mask, steps.scalar(dtype, 0), hidden);
        }
        int rank = steps.rank(node.input(MASK));
        if (rank == 0) {
            throw node.malformed("attn_mask has no axes");
        }
        String missing = steps.add("Sub", keyCount, steps.size(mask, -1));
        String pads = steps.concat(
                List.of(steps.vector(new long[2 * rank - 1]), steps.add("Reshape", missing, steps.vector(1))));
        attention.addBias(steps.add("Pad", mask, pads, hidden));
    }

    private void windows(HeadAttention attention, String queryCount) {
        boolean causal = node.flag("is_causal", false);
        long left = window("left_window_size");
        long right = window("right_window_size");
        if (causal || left >= 0 || right >= 0) {
            String positions = attention.queryPositions();
            if (node.hasInput(PAST_KEY)) {
                positions = steps.add("Add", positions, steps.size(node.input(PAST_KEY), 2));
            } else if (node.hasInput(VALID_KEYS)) {
                positions = steps.add("Add", positions, steps.add("Sub", validKeys(), queryCount));
            }
            boolean mayHideAll = node.hasInput(VALID_KEYS) || left >= 0;
            String keys = attention.keyPositions();
            if (causal) {
                attention.allow(steps.add("LessOrEqual", keys, positions), mayHideAll);
            }
            if (left >= 0) {
                String first = steps.add("Sub", positions, steps.whole(left));
                attention.allow(steps.add("GreaterOrEqual", keys, first), mayHideAll);
            }
            if (right >= 0) {
                String last = steps.add("Add", positions, steps.whole(right));
                attention.allow(steps.add("LessOrEqual", keys, last), mayHideAll);
            }
        }
        if (node.hasInput(VALID_KEYS)) {
            attention.allow(steps.add("Less", attention.keyPositions(), validKeys()), true);
        }
    }

    private long window(String attribute) {
        long size = node.integer(attribute, -1);
        if (size < -1) {
            throw node.malformed(attribute + " must be -1 or more, but is " + size);
        }
        return size;
    }

    private String validKeys() {
        return steps.add("Reshape", node.input(VALID_KEYS), steps.vector(-1, 1, 1, 1));
    }

    private DType precision() {
        return node.has("softmax_precision")
                ? OnnxElementTypes.require(
                        Math.toIntExact(node.integer("softmax_precision")), node.source(), "the softmax")
                : dtype;
    }
}
