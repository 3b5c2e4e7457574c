package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.clinfer.graph.Attribute;
import org.clinfer.importer.Params;
import org.clinfer.tensor.Tensor;

/** LSTM, GRU and RNN: an operator for each direction, and what ONNX has as an axis of directions around them. */
final class OnnxRecurrentTranslators {

    /** An activation as the description names it, with the coefficients that it has where none are given. */
    private record Activation(String name, boolean hasAlpha, boolean hasBeta, double alpha, double beta) {}

    private static final Map<String, Activation> ACTIVATIONS = activations(
            new Activation("Relu", false, false, 1, 1),
            new Activation("Tanh", false, false, 1, 1),
            new Activation("Sigmoid", false, false, 1, 1),
            new Activation("Softsign", false, false, 1, 1),
            new Activation("Softplus", false, false, 1, 1),
            new Activation("Affine", true, true, 1, 0),
            new Activation("ScaledTanh", true, true, 1, 1),
            new Activation("HardSigmoid", true, true, 0.2f, 0.5),
            new Activation("LeakyRelu", true, false, 0.01f, 1),
            new Activation("ThresholdedRelu", true, false, 1, 1),
            new Activation("Elu", true, false, 1, 1));

    private static final String QUANTIZED = "DynamicQuantizeLSTM";
    private static final int PEEPHOLES = 7;
    private static final int W_SCALE = 8;

    private final OnnxNode node;
    private final OnnxGraphWriter graph;
    private final String op;
    private final List<String> defaults;
    private final boolean batchFirst;

    /** Weights are quantized, with their columns for rows, as ONNX Runtime's quantization leaves them. */
    private final boolean isQuantized;

    private OnnxRecurrentTranslators(OnnxNode node, OnnxGraphWriter graph, String op, String... defaults) {
        this.node = node;
        this.graph = graph;
        this.op = op;
        this.defaults = List.of(defaults);
        this.isQuantized = node.op().equals(QUANTIZED);
        long layout = node.integer("layout", 0);
        if (layout != 0 && layout != 1) {
            throw node.malformed("layout must be 0 or 1, but is " + layout);
        }
        this.batchFirst = layout == 1;
    }

    static Map<String, OnnxTranslator> all() {
        return Map.of(
                "LSTM",
                (node, graph) ->
                        new OnnxRecurrentTranslators(node, graph, "Lstm", "Sigmoid", "Tanh", "Tanh").translate(),
                "GRU",
                (node, graph) -> new OnnxRecurrentTranslators(node, graph, "Gru", "Sigmoid", "Tanh").translate(),
                "RNN",
                (node, graph) -> new OnnxRecurrentTranslators(node, graph, "Rnn", "Tanh").translate());
    }

    /** Those of ONNX Runtime's domain. */
    static Map<String, OnnxTranslator> ofRuntime() {
        return Map.of(
                QUANTIZED,
                (node, graph) ->
                        new OnnxRecurrentTranslators(node, graph, "Lstm", "Sigmoid", "Tanh", "Tanh").translate());
    }

    private static Map<String, Activation> activations(Activation... all) {
        Map<String, Activation> named = new HashMap<>();
        for (Activation activation : all) {
            named.put(activation.name.toUpperCase(Locale.ROOT), activation);
        }
        return Map.copyOf(named);
    }

    private boolean isLstm() {
        return op.equals("Lstm");
    }

    /** The weights say how large the state is; the attribute may not say otherwise. */
    private void requireHiddenSize() {
        Optional<Long> size = graph.types().of(node.input(2)).size(isQuantized ? 1 : 2);
        if (node.has("hidden_size") && size.isPresent() && node.integer("hidden_size") != size.get()) {
            throw node.malformed("attribute 'hidden_size' is " + node.integer("hidden_size")
                    + ", but the weights are of " + size.get());
        }
        node.ignore("hidden_size");
    }

    private void translate() {
        if (isQuantized) {
            node.requireInputs(3, W_SCALE + 4);
        } else {
            node.requireInputs(3, isLstm() ? W_SCALE : 6);
        }
        node.ignore("output_sequence"); // which outputs there are
        requireHiddenSize();
        List<Boolean> directions = directions();
        List<Params> activations = activationsOf(directions.size());
        String x = batchFirst ? transposed(node.input(0), 1, 0, 2) : node.input(0);
        List<List<String>> results = new ArrayList<>();
        for (int i = 0; i < directions.size(); i++) {
            Params params = activations.get(i).put("reverse", directions.get(i)).put("clip", clip());
            if (isLstm()) {
                params.put("input_forget", node.flag("input_forget", false));
            } else if (op.equals("Gru")) {
                params.put("linear_before_reset", node.flag("linear_before_reset", false));
            }
            results.add(direction(x, i, directions.size(), params));
        }
        outputs(results);
    }

    private double clip() {
        double clip = node.real("clip", 0);
        if (clip < 0 || (node.has("clip") && clip == 0)) {
            throw node.unsupportedUse("clip " + clip);
        }
        return clip;
    }

    /** The directions, each true if it is the reverse one. */
    private List<Boolean> directions() {
        String direction = node.text("direction", "forward");
        return switch (direction) {
            case "forward" -> List.of(false);
            case "reverse" -> List.of(true);
            case "bidirectional" -> List.of(false, true);
            default ->
                throw node.malformed("direction must be forward, reverse or bidirectional, but is '" + direction + "'");
        };
    }

    /** The activations of each direction; coefficients are counted among the activations alone that have them. */
    private List<Params> activationsOf(int directions) {
        List<String> names = node.texts("activations").orElse(List.of());
        double[] alphas = node.reals("activation_alpha").orElse(new double[0]);
        double[] betas = node.reals("activation_beta").orElse(new double[0]);
        if (!names.isEmpty() && names.size() != directions * defaults.size()) {
            throw node.malformed(
                    "there must be " + directions * defaults.size() + " activations, but there are " + names.size());
        }
        int alpha = 0;
        int beta = 0;
        List<Params> all = new ArrayList<>();
        for (int direction = 0; direction < directions; direction++) {
            int count = defaults.size();
            String[] chosen = new String[count];
            double[] alphasHere = new double[count];
            double[] betasHere = new double[count];
            for (int i = 0; i < count; i++) {
                String name = names.isEmpty() ? defaults.get(i) : names.get(direction * count + i);
                Activation activation = ACTIVATIONS.get(name.toUpperCase(Locale.ROOT));
                if (activation == null) {
                    throw node.unsupportedUse("activation " + name);
                }
                chosen[i] = activation.name;
                alphasHere[i] = activation.hasAlpha && alpha < alphas.length ? alphas[alpha++] : activation.alpha;
                betasHere[i] = activation.hasBeta && beta < betas.length ? betas[beta++] : activation.beta;
            }
            all.add(new Params()
                    .put("activations", Attribute.ofTexts(Arrays.asList(chosen)))
                    .put("activation_alpha", alphasHere)
                    .put("activation_beta", betasHere));
        }
        return all;
    }

    /** One direction: h of all steps, and h and c after the last. */
    private List<String> direction(String x, int direction, int directions, Params params) {
        String weights = weights(1, W_SCALE, direction, directions);
        String recurrence = weights(2, W_SCALE + 2, direction, directions);
        List<String> biases = biases(direction, directions);
        String lengths = node.optionalInput(4);
        String h = state(5, direction, directions);
        String name = node.name() + (direction == 0 ? "" : "/" + op + "_" + (direction + 1));
        List<String> inputs = new ArrayList<>(List.of(x, weights, recurrence));
        int outputs;
        if (isLstm()) {
            String peepholes = node.hasInput(PEEPHOLES) ? part(node.input(PEEPHOLES), direction, directions) : "";
            inputs.addAll(List.of(sum(biases), h, state(6, direction, directions), peepholes, lengths));
            outputs = 4;
        } else if (op.equals("Gru")) {
            inputs.addAll(biases);
            inputs.addAll(List.of(h, lengths));
            outputs = 2;
        } else {
            inputs.addAll(List.of(sum(biases), h, lengths));
            outputs = 2;
        }
        List<String> names = new ArrayList<>();
        for (int i = 0; i < outputs; i++) {
            names.add(graph.freshName(node.name() + "/" + op));
        }
        graph.addStep(node, name, op, inputs, names, params);
        return isLstm() ? List.of(names.get(0), names.get(2), names.get(3)) : names;
    }

    /** The weights of a direction as real numbers, [gates, inputs]. */
    private String weights(int input, int scale, int direction, int directions) {
        String given = part(node.input(input), direction, directions);
        if (!isQuantized) {
            return given;
        }
        String zero = node.hasInput(scale + 1) ? part(node.input(scale + 1), direction, directions) : "";
        List<String> inputs = List.of(given, part(node.input(scale), direction, directions), zero);
        String real = graph.addStep(node, "DequantizeLinear", inputs, new Params().put("axis", 1L));
        return transposed(real, 1, 0);
    }

    /** The row of a direction of a tensor that has one for each. */
    private String part(String value, int direction, int directions) {
        if (directions == 1) {
            return graph.addStep(node, "Squeeze", List.of(value), new Params().put("axis", new long[] {0}));
        }
        return graph.addStep(node, "Gather", List.of(value, index(direction)), new Params().put("axis", 0L));
    }

    private String index(int direction) {
        String name = graph.freshName(node.name() + "/direction");
        graph.addConstant(name, Tensor.scalar((long) direction));
        return name;
    }

    /** An initial state, whose first axis is the direction, or the second where the batch is first. */
    private String state(int input, int direction, int directions) {
        if (!node.hasInput(input)) {
            return "";
        }
        String value = node.input(input);
        return part(batchFirst ? transposed(value, 1, 0, 2) : value, direction, directions);
    }

    /** Those of the input and those of the recurrence, which lie one behind the other; both empty if there are none. */
    private List<String> biases(int direction, int directions) {
        if (!node.hasInput(3)) {
            return List.of("", "");
        }
        String both = part(node.input(3), direction, directions);
        List<String> halves = List.of(graph.freshName(node.name() + "/bias"), graph.freshName(node.name() + "/bias"));
        Params params = new Params().put("axis", 0L).put("num_outputs", 2L);
        graph.addStep(node, node.name() + "/Split", "Split", List.of(both), halves, params);
        return halves;
    }

    private String sum(List<String> biases) {
        return biases.get(0).isEmpty() ? "" : graph.addStep(node, "Add", biases, new Params());
    }

    private String transposed(String value, long... perm) {
        return graph.addStep(node, "Transpose", List.of(value), new Params().put("perm", perm));
    }

    /** Y is steps x directions x batch x units, or batch x steps x directions x units; states are without steps. */
    private void outputs(List<List<String>> results) {
        for (int output = 0; output < results.get(0).size(); output++) {
            if (!graph.isOutputUsed(node, output)) {
                continue;
            }
            int axis = output == 0 ? 1 : 0;
            List<String> parts = new ArrayList<>();
            for (List<String> result : results) {
                parts.add(graph.addStep(
                        node, "Unsqueeze", List.of(result.get(output)), new Params().put("axis", new long[] {axis})));
            }
            String joined = parts.size() == 1
                    ? parts.get(0)
                    : graph.addStep(node, "Concat", parts, new Params().put("axis", (long) axis));
            Params params = new Params();
            String last = "Identity";
            if (batchFirst) {
                last = "Transpose";
                params.put("perm", output == 0 ? new long[] {2, 0, 1, 3} : new long[] {1, 0, 2});
            }
            String name = node.outputs().get(output);
            graph.addStep(node, name, last, List.of(joined), List.of(name), params);
        }
    }
}
