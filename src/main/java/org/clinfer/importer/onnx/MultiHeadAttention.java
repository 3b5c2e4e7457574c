package org.clinfer.importer.onnx;

import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** ONNX Runtime's attention of heads that stand side by side, with biases of its inputs and of its scores. */
final class MultiHeadAttention {

    private static final int INPUT_BIAS = 3;
    private static final int PADDING_MASK = 4;
    private static final int SCORES_BIAS = 5;
    private static final int PAST_KEY = 6;
    private static final int PAST_VALUE = 7;

    private final OnnxNode node;
    private final Steps steps;
    private final long heads;
    /** True if keys and values have an axis for heads already. */
    private final boolean headsApart;
    /** Queries, keys and values. */
    private final String[] given;

    MultiHeadAttention(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 8);
        this.node = node;
        this.steps = new Steps(node, graph);
        this.heads = node.integer("num_heads");
        if (steps.rank(node.input(0)) == 4 || (node.hasInput(2) && steps.rank(node.input(1)) > 4)) {
            throw node.unsupportedUse("queries or keys of so many axes");
        }
        this.given = given();
        this.headsApart = node.hasInput(2) && steps.rank(node.input(1)) == 4;
        if (headsApart && (node.hasInput(INPUT_BIAS) || node.hasInput(PAST_KEY))) {
            throw node.unsupportedUse("keys of four axes and a bias or a past");
        }
        if (heads < 1) {
            throw node.malformed("num_heads must be at least 1, but is " + heads);
        }
    }

    /** Queries, keys and values, which may stand in one input or two, with the parts of a head beside one another. */
    private String[] given() {
        boolean isAll = steps.rank(node.input(0)) == 5;
        if (isAll) {
            return new String[] {part(0, 0), part(0, 1), part(0, 2)};
        } else if (!node.hasInput(1)) {
            throw node.malformed("it has no keys");
        } else if (!node.hasInput(2) && steps.rank(node.input(1)) == 5) {
            return new String[] {node.input(0), part(1, 0), part(1, 1)};
        }
        return new String[] {node.input(0), node.input(1), node.input(2)};
    }

    private String part(int input, long number) {
        String part = steps.add("Gather", new Params().put("axis", 3L), node.input(input), steps.whole(number));
        return steps.add("Reshape", part, steps.vector(0, 0, -1));
    }

    void translate() {
        DType dtype = steps.dtype(node.input(0));
        String[] biased = biased();
        String queries = HeadAttention.split(steps, biased[0], heads);
        String keys = HeadAttention.behindPast(steps, node, PAST_KEY, split(biased[1]));
        String values = HeadAttention.behindPast(steps, node, PAST_VALUE, split(biased[2]));
        steps.output(1, "Identity", keys);
        steps.output(2, "Identity", values);

        HeadAttention attention = new HeadAttention(steps, dtype, queries, keys, values, false);
        if (node.hasInput(SCORES_BIAS)) {
            attention.addBias(node.input(SCORES_BIAS));
        }
        double filter = node.real("mask_filter_value", PaddingMask.FILTER);
        if (node.hasInput(PADDING_MASK)) {
            attention.addFiniteBias(new PaddingMask(node, steps, dtype, filter).numbers(PADDING_MASK, keys));
        }
        if (node.flag("unidirectional", false)) {
            String queried = attention.queryPositions();
            // the first query is at the first key behind the past, however many keys there are
            String positions =
                    node.hasInput(PAST_KEY) ? steps.add("Add", queried, steps.size(node.input(PAST_KEY), 2)) : queried;
            attention.allow(steps.add("LessOrEqual", attention.keyPositions(), positions), false);
        }
        String scores = attention.biased(attention.scaledScores(node.real("scale", 0)));
        HeadAttention.lastJoined(steps, attention.weighted(attention.probabilities(scores, dtype)));
    }

    private String split(String given) {
        return headsApart ? given : HeadAttention.split(steps, given, heads);
    }

    /** Queries, keys and values with their parts of one vector. */
    private String[] biased() {
        String[] biased = new String[3];
        String start = steps.vector(0);
        for (int input = 0; input < 3; input++) {
            biased[input] = given[input];
            if (node.hasInput(INPUT_BIAS)) {
                String end = steps.add("Add", start, steps.sizes(given[input], 2));
                biased[input] = steps.add("Add", biased[input], steps.add("Slice", node.input(INPUT_BIAS), start, end));
                start = end;
            }
        }
        return biased;
    }
}
