package org.clinfer.importer.onnx.export;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Recurrent layers, in ONNX with an axis of one direction, two biases in one tensor, and one state at the end. */
final class RecurrentWriters {

    private static final List<String> BETA = List.of("Affine", "HardSigmoid", "ScaledTanh");
    private static final List<String> ALPHA =
            List.of("Affine", "Elu", "HardSigmoid", "LeakyRelu", "ScaledTanh", "ThresholdedRelu");

    private RecurrentWriters() {}

    static Map<String, NodeWriter> all() {
        return Map.of(
                "Lstm", RecurrentWriters::lstm,
                "Gru", RecurrentWriters::gru,
                "Rnn", RecurrentWriters::rnn);
    }

    private static void lstm(Use use, ModelWriter model) {
        if (use.real("cell_clip", 0) != 0) {
            throw use.refused("cell_clip");
        }
        if (use.outputs().size() > 1 && model.isRead(use.outputs().get(1))) {
            throw use.refused("cells of each step");
        }
        AttributeWriter attributes = attributes(use, "input_forget");
        List<String> inputs = new ArrayList<>(common(use, model, -1));
        inputs.addAll(
                List.of(lengths(use, model, 7), state(use, model, 4), state(use, model, 5), state(use, model, 6)));
        write(use, model, "LSTM", inputs, attributes, new int[] {0, 2, 3});
    }

    private static void gru(Use use, ModelWriter model) {
        AttributeWriter attributes = attributes(use, "linear_before_reset");
        List<String> inputs = new ArrayList<>(common(use, model, 4));
        inputs.addAll(List.of(lengths(use, model, 6), state(use, model, 5)));
        write(use, model, "GRU", inputs, attributes, new int[] {0, 1});
    }

    private static void rnn(Use use, ModelWriter model) {
        AttributeWriter attributes = attributes(use, "");
        List<String> inputs = new ArrayList<>(common(use, model, -1));
        inputs.addAll(List.of(lengths(use, model, 5), state(use, model, 4)));
        write(use, model, "RNN", inputs, attributes, new int[] {0, 1});
    }

    private static AttributeWriter attributes(Use use, String flag) {
        AttributeWriter attributes = new AttributeWriter()
                .put("hidden_size", use.size(2, 1))
                .put("direction", use.flag("reverse", false) ? "reverse" : "forward");
        if (!flag.isEmpty()) {
            attributes.put(flag, use.flag(flag, false));
        }
        double clip = use.real("clip", 0);
        if (clip > 0) {
            attributes.put("clip", clip);
        }
        Optional<List<String>> names = use.texts("activations");
        if (names.isPresent()) {
            attributes.put("activations", names.get());
            coefficients(use, "activation_alpha", names.get(), attributes, ALPHA);
            coefficients(use, "activation_beta", names.get(), attributes, BETA);
        } else if (use.has("activation_alpha") || use.has("activation_beta")) {
            throw use.refused("coefficients without activations");
        }
        return attributes;
    }

    /** ONNX counts them among the activations alone that have them. */
    private static void coefficients(
            Use use, String name, List<String> activations, AttributeWriter attributes, List<String> having) {
        Optional<double[]> all = use.reals(name);
        if (all.isEmpty()) {
            return;
        }
        List<Double> needed = new ArrayList<>();
        for (int i = 0; i < activations.size() && i < all.get().length; i++) {
            if (having.contains(activations.get(i))) {
                needed.add(all.get()[i]);
            }
        }
        if (!needed.isEmpty()) {
            attributes.put(
                    name, needed.stream().mapToDouble(Double::doubleValue).toArray());
        }
    }

    /** The sequence, the weights, and the biases of the input with those of the recurrence behind them. */
    private static List<String> common(Use use, ModelWriter model, int recurrentBias) {
        List<String> inputs = new ArrayList<>(List.of(use.input(0), state(use, model, 1), state(use, model, 2)));
        boolean recurrent = recurrentBias >= 0 && use.hasInput(recurrentBias);
        if (!use.hasInput(3) && !recurrent) {
            inputs.add("");
            return inputs;
        }
        String zeros = "";
        if (!use.hasInput(3) || !recurrent) {
            zeros = model.add(use, "zeros", Tensor.allocate(use.dtype(1), use.size(1, 0)));
        }
        String both = model.step(
                use,
                "Concat",
                List.of(use.hasInput(3) ? use.input(3) : zeros, recurrent ? use.input(recurrentBias) : zeros),
                new AttributeWriter().put("axis", 0L));
        inputs.add(unsqueezed(use, model, both));
        return inputs;
    }

    private static String lengths(Use use, ModelWriter model, int input) {
        return use.hasInput(input) ? model.asType(use, input, DType.INT32) : "";
    }

    private static String state(Use use, ModelWriter model, int input) {
        return use.hasInput(input) ? unsqueezed(use, model, use.input(input)) : "";
    }

    private static String unsqueezed(Use use, ModelWriter model, String value) {
        return model.step(use, "Unsqueeze", value, model.vector(use, "axes", 0));
    }

    /** @param positions where ONNX's outputs stand among those of the node */
    private static void write(
            Use use, ModelWriter model, String op, List<String> inputs, AttributeWriter attributes, int[] positions) {
        List<String> outputs = new ArrayList<>();
        for (int position : positions) {
            boolean asked = position < use.outputs().size()
                    && !use.outputs().get(position).isEmpty()
                    && model.isRead(use.outputs().get(position));
            outputs.add(asked ? model.freshName(use.outputs().get(position) + "/" + op) : "");
        }
        model.add(use, op, inputs, outputs, attributes);
        for (int i = 0; i < positions.length; i++) {
            if (!outputs.get(i).isEmpty()) {
                model.node(
                        use.name() + "/Squeeze_" + i,
                        "Squeeze",
                        List.of(outputs.get(i), model.vector(use, "axes", i == 0 ? 1 : 0)),
                        List.of(use.outputs().get(positions[i])),
                        new AttributeWriter());
            }
        }
    }
}
