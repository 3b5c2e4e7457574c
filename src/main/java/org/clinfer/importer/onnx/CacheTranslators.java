package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Operators of language models that keep a state from one call to the next. */
final class CacheTranslators {

    private static final Set<String> GATED = Set.of("gated", "gated_delta");
    private static final Set<String> CORRECTED = Set.of("delta", "gated_delta");

    /** So many elements of a sequence are written out. */
    private static final int MAX_LENGTH = 1024;

    private CacheTranslators() {}

    static Map<String, OnnxTranslator> all() {
        return Map.of(
                "CausalConvWithState", CacheTranslators::causalConvolution,
                "TensorScatter", CacheTranslators::tensorScatter,
                "LinearAttention", CacheTranslators::linearAttention);
    }

    /** A convolution of each channel with what was before, of which the last elements are the next state. */
    private static void causalConvolution(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 4);
        Steps steps = new Steps(node, graph);
        String x = node.input(0);
        DType dtype = steps.dtype(x);
        String before = steps.add("Sub", steps.sizes(node.input(1), 2), steps.vector(1));
        String past = node.optionalInput(3);
        if (past.isEmpty()) {
            past = zeros(steps, dtype, steps.sizes(x, 0, 1), before);
        }
        String all = steps.add("Concat", new Params().put("axis", 2L), past, x);
        long channels = steps.knownSize(node.input(1), 0)
                .orElseThrow(() -> node.unsupportedUse("weights whose shape is not known beforehand"));
        Params params = new Params()
                .put("data_format", "NCX")
                .put("weights_format", "OIX")
                .put("groups", channels)
                .put("strides", new long[] {1})
                .put("dilations", new long[] {1})
                .put("pads_begin", new long[] {0})
                .put("pads_end", new long[] {0});
        String y = steps.add("Convolution", params, all, node.input(1), node.optionalInput(2));
        String activation = node.text("activation", "none");
        switch (activation) {
            case "none", "" -> steps.last("Identity", y);
            case "silu", "swish" -> steps.last("Swish", y);
            default -> throw node.malformed("attribute 'activation' must be none, silu or swish, but is " + activation);
        }
        if (graph.isOutputUsed(node, 1)) {
            String start = steps.sizes(x, 2);
            Params axis = new Params().put("axes", new long[] {2});
            String held = graph.addStep(node, "Slice", List.of(all, start, steps.sizes(all, 2)), axis);
            steps.output(1, "Identity", held);
        }
    }

    /** Updates take their positions in the cache, from a position of its own for each batch. */
    private static void tensorScatter(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 3);
        Steps steps = new Steps(node, graph);
        String cache = node.input(0);
        String update = node.input(1);
        int rank = steps.rank(cache);
        long axis = node.integer("axis", -2);
        long along = axis < 0 ? axis + rank : axis;
        if (along < 1 || along >= rank) {
            throw node.malformed("axis " + axis + " is none behind the first of " + rank);
        }
        String mode = node.text("mode", "linear");
        if (!mode.equals("linear") && !mode.equals("circular")) {
            throw node.malformed("attribute 'mode' must be linear or circular, but is " + mode);
        }
        String positions = steps.range(steps.size(update, along), rank - 1 - along);
        if (node.hasInput(2)) {
            long[] starts = new long[rank];
            Arrays.fill(starts, 1);
            starts[0] = -1;
            positions = steps.add("Add", positions, steps.add("Reshape", node.input(2), steps.vector(starts)));
        }
        if (mode.equals("circular")) {
            positions = steps.add("Mod", positions, steps.size(cache, along));
        }
        String indices = steps.add("Expand", positions, steps.shape(update));
        steps.last("ScatterElements", new Params().put("axis", along), cache, indices, update);
    }

    /** One element of the sequence after the other, in float32: the state forgets, learns and is asked. */
    private static void linearAttention(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(3, 6);
        node.ignore("chunk_size");
        Steps steps = new Steps(node, graph);
        String rule = node.text("update_rule", "gated_delta");
        boolean forgets = GATED.contains(rule);
        boolean corrects = CORRECTED.contains(rule);
        if (!rule.equals("linear") && !forgets && !corrects) {
            throw node.malformed("attribute 'update_rule' must be linear, gated, delta or gated_delta, but is " + rule);
        } else if (forgets != node.hasInput(4) || corrects != node.hasInput(5)) {
            throw node.malformed("decay belongs to gated rules, and beta to delta rules");
        }
        long heads = node.integer("kv_num_heads");
        long queries = node.integer("q_num_heads");
        if (heads < 1 || queries < 1 || queries % heads != 0) {
            throw node.malformed(queries + " heads of queries cannot share " + heads + " of keys");
        }
        long length = steps.knownSize(node.input(0), 1)
                .orElseThrow(() -> node.unsupportedUse("a sequence whose length is not known beforehand"));
        if (length < 1 || length > MAX_LENGTH) {
            throw node.unsupportedUse("a sequence of " + length + " elements; 1 to " + MAX_LENGTH + " are written out");
        }
        DType dtype = steps.dtype(node.input(0));
        long shared = queries / heads;
        String key = heads(steps, node.input(1), heads, -1);
        String value = heads(steps, node.input(2), heads, -1);
        String query = scaled(node, steps, heads(steps, node.input(0), heads, shared));
        String decay = forgets ? steps.add("Exp", heads(steps, node.input(4), heads, -1)) : "";
        String beta = corrects ? perHead(steps, node.input(5)) : "";
        String state = node.hasInput(3)
                ? steps.cast(node.input(3), DType.FLOAT32)
                : zeros(steps, DType.FLOAT32, steps.sizes(key, 0, 2, 3), steps.sizes(value, 3));
        List<String> answers = new ArrayList<>();
        for (long i = 0; i < length; i++) {
            String k = at(steps, key, i);
            String v = at(steps, value, i);
            if (forgets) {
                state = steps.add("Mul", state, steps.unsqueezed(at(steps, decay, i), -1));
            }
            if (corrects) {
                String held = steps.add("MatMul", steps.unsqueezed(k, -2), state);
                Params last = new Params().put("axis", new long[] {-2});
                v = steps.add("Mul", steps.add("Sub", v, steps.add("Squeeze", last, held)), at(steps, beta, i));
            }
            state = steps.add("Add", state, outer(steps, k, v));
            answers.add(steps.add("MatMul", at(steps, query, i), state));
        }
        // batch, head of keys, head of queries, position, width
        List<String> parts =
                answers.stream().map(answer -> steps.unsqueezed(answer, 1)).toList();
        String joined =
                parts.size() == 1 ? parts.get(0) : graph.addStep(node, "Concat", parts, new Params().put("axis", 1L));
        String flat = steps.add("Reshape", joined, steps.vector(0, 0, -1));
        steps.last("Cast", new Params().put("to", dtype.label()), flat);
        DType kept = node.hasInput(3) ? steps.dtype(node.input(3)) : dtype;
        if (graph.isOutputUsed(node, 1)) {
            steps.output(1, "Identity", steps.cast(state, kept));
        }
    }

    /** Batch, position, head and width of what has heads side by side; for queries also which of those that share a head. */
    private static String heads(Steps steps, String x, long heads, long shared) {
        String wide = steps.cast(x, DType.FLOAT32);
        return steps.add(
                "Reshape", wide, shared < 0 ? steps.vector(0, 0, heads, -1) : steps.vector(0, 0, heads, shared, -1));
    }

    /** One number for each head, or for all of them. */
    private static String perHead(Steps steps, String x) {
        return steps.unsqueezed(steps.cast(x, DType.FLOAT32), -1);
    }

    private static String scaled(OnnxNode node, Steps steps, String query) {
        double scale = node.real("scale", 0);
        if (scale != 0) {
            return steps.add("Mul", query, steps.scalar(DType.FLOAT32, scale));
        }
        return steps.add("Div", query, steps.add("Sqrt", steps.cast(steps.size(query, -1), DType.FLOAT32)));
    }

    /** One position of a sequence. */
    private static String at(Steps steps, String sequence, long position) {
        return steps.add("Gather", new Params().put("axis", 1L), sequence, steps.whole(position));
    }

    private static String zeros(Steps steps, DType dtype, String... sizes) {
        Params params = new Params().put("value", 0.0).put("dtype", dtype.label());
        return steps.add("ConstantOfShape", params, steps.concat(Arrays.asList(sizes)));
    }

    private static String outer(Steps steps, String k, String v) {
        return steps.add("Mul", steps.unsqueezed(k, -1), steps.unsqueezed(v, -2));
    }
}
