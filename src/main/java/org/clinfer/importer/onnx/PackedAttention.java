package org.clinfer.importer.onnx;

import java.util.List;
import java.util.Optional;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** ONNX Runtime's own Attention and QAttention: one product gives queries, keys and values, side by side. */
final class PackedAttention {

    /** The positions of the inputs that both have; those of caches have the keys first, then the values. */
    private record InputPositions(int mask, int past, int scoresBias) {}

    private static final int NONE = Integer.MAX_VALUE;

    private final OnnxNode node;
    private final OnnxGraphWriter graph;
    private final Steps steps;
    private final InputPositions inputPositions;
    private final long heads;

    private PackedAttention(OnnxNode node, OnnxGraphWriter graph, InputPositions inputPositions) {
        this.node = node;
        this.graph = graph;
        this.steps = new Steps(node, graph);
        this.inputPositions = inputPositions;
        this.heads = node.integer("num_heads");
        if (heads < 1) {
            throw node.malformed("num_heads must be at least 1, but is " + heads);
        }
        if (node.flag("past_present_share_buffer", false)) {
            throw node.unsupportedUse("past_present_share_buffer");
        }
        if (node.flag("do_rotary", false)) {
            throw node.unsupportedUse("do_rotary");
        }
    }

    static void ofReals(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 6);
        PackedAttention attention = new PackedAttention(node, graph, new InputPositions(3, 4, 5));
        Steps steps = attention.steps;
        String product = steps.add("MatMul", node.input(0), node.input(1));
        attention.translate(steps.dtype(node.input(0)), attention.biased(product));
    }

    static void ofCodes(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(5, 9);
        PackedAttention attention = new PackedAttention(node, graph, new InputPositions(5, 8, NONE));
        Quantization quantization = new Quantization(node, graph);
        List<String> inputs = List.of(
                node.input(0),
                node.input(1),
                "",
                node.optionalInput(6),
                node.optionalInput(7),
                quantization.scale(node.input(3)),
                quantization.scale(node.input(4)));
        String product = graph.addStep(node, "QuantizedMatMul", inputs, new Params());
        attention.translate(DType.FLOAT32, attention.biased(product));
    }

    private String biased(String product) {
        return node.hasInput(2) ? steps.add("Add", product, node.input(2)) : product;
    }

    private void translate(DType dtype, String joined) {
        String[] apart = headsApart(joined);
        String keys = behindPast(apart[1], 0);
        String values = behindPast(apart[2], 1);
        if (graph.isOutputUsed(node, 1)) {
            Params first = new Params().put("axis", 0L);
            String both = steps.add("Concat", first, steps.unsqueezed(keys, 0), steps.unsqueezed(values, 0));
            steps.output(1, "Identity", both);
        }
        HeadAttention attention = new HeadAttention(steps, dtype, apart[0], keys, values, false);
        double filter = node.real("mask_filter_value", PaddingMask.FILTER);
        if (node.hasInput(inputPositions.mask())) {
            attention.addFiniteBias(new PaddingMask(node, steps, dtype, filter).numbers(inputPositions.mask(), keys));
        }
        if (node.hasInput(inputPositions.scoresBias())) {
            attention.addFiniteBias(node.input(inputPositions.scoresBias()));
        }
        if (node.flag("unidirectional", false)) {
            String before = steps.add("Sub", steps.size(keys, 2), steps.size(apart[0], 2));
            String positions = steps.add("Add", attention.queryPositions(), before);
            attention.allow(steps.add("LessOrEqual", attention.keyPositions(), positions), false);
        }
        String scores = attention.biased(attention.scaledScores(node.real("scale", 0)));
        HeadAttention.lastJoined(steps, attention.weighted(attention.probabilities(scores, dtype)));
    }

    /** Queries, keys and values with an axis for heads; as wide as one another unless the node says how wide. */
    private String[] headsApart(String joined) {
        Optional<long[]> widths = node.integers("qkv_hidden_sizes");
        String[] apart = new String[3];
        if (widths.isEmpty()) {
            String all = HeadAttention.split(steps, joined, 3 * heads);
            for (int i = 0; i < 3; i++) {
                apart[i] = steps.slice(all, 1, i * heads, (i + 1) * heads);
            }
            return apart;
        }
        if (widths.get().length != 3) {
            throw node.malformed("qkv_hidden_sizes must be three, but are " + widths.get().length);
        }
        long start = 0;
        for (int i = 0; i < 3; i++) {
            long end = start + widths.get()[i];
            apart[i] = HeadAttention.split(steps, steps.slice(joined, 2, start, end), heads);
            start = end;
        }
        return apart;
    }

    private String behindPast(String now, int half) {
        if (!node.hasInput(inputPositions.past())) {
            return now;
        }
        Params first = new Params().put("axis", 0L);
        String past = steps.add("Gather", first, node.input(inputPositions.past()), steps.whole(half));
        return steps.add("Concat", new Params().put("axis", 2L), past, now);
    }
}
