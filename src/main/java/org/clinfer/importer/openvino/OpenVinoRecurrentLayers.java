package org.clinfer.importer.openvino;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.clinfer.graph.Attribute;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/** Recurrent cells, which are sequences of one step, and sequences of them in one direction or both. */
final class OpenVinoRecurrentLayers {

    private OpenVinoRecurrentLayers() {}

    /**
     * A kind of cell.
     *
     * @param gates how many gates the weights have
     * @param states what goes from step to step: the hidden state, and perhaps the cell
     * @param order which gates of the file the operator's are, in its order
     */
    private record Kind(String op, int gates, int states, List<Integer> order, List<String> activations) {}

    private static final Kind LSTM = new Kind("Lstm", 4, 2, List.of(1, 3, 0, 2), List.of("Sigmoid", "Tanh", "Tanh"));
    private static final Kind GRU = new Kind("Gru", 3, 1, List.of(0, 1, 2), List.of("Sigmoid", "Tanh"));
    private static final Kind RNN = new Kind("Rnn", 1, 1, List.of(0), List.of("Tanh"));

    static void addTo(LayerTable<OpenVinoLayerCall> all) {
        all.several("LSTMCell", call -> cell(call, LSTM));
        all.several("LSTMSequence", call -> sequence(call, LSTM));
        all.several("GRUCell", call -> cell(call, GRU));
        all.several("GRUSequence", call -> sequence(call, GRU));
        all.several("RNNCell", call -> cell(call, RNN));
        all.several("RNNSequence", call -> sequence(call, RNN));
    }

    private static Params params(OpenVinoLayerCall call, Kind kind, boolean reverse) {
        OpenVinoAttributes attributes = call.attributes();
        attributes.ignore("activations_alpha", "activations_beta");
        long hidden = attributes.integer("hidden_size");
        Value state = call.input(1);
        long found = state.rank() == 0 ? 0 : state.sizeOr0(state.rank() - 1);
        if (found != hidden && found != 0) {
            throw call.malformed("attribute 'hidden_size': " + hidden + ", but its state has " + found);
        }
        List<String> activations = attributes.texts("activations");
        List<String> usual = kind.activations().stream()
                .map(each -> each.toLowerCase(Locale.ROOT))
                .toList();
        if (!activations.isEmpty() && !activations.equals(usual)) {
            throw attributes.unsupported("activations");
        }
        double clip = attributes.real("clip", 0);
        if (Double.isInfinite(clip)) {
            clip = 0;
        }
        attributes.choice("weights_format", "fico", "fico");
        if (attributes.flag("input_forget", false)) {
            throw attributes.unsupported("input_forget");
        }
        Params params = new Params()
                .put("reverse", reverse)
                .put("clip", clip)
                .put("activations", Attribute.ofTexts(kind.activations()));
        if (kind.equals(GRU)) {
            params.put("linear_before_reset", isBeforeReset(call));
        }
        return params;
    }

    private static boolean isBeforeReset(OpenVinoLayerCall call) {
        return call.attributes().flag("linear_before_reset", false);
    }

    private static List<Value> cell(OpenVinoLayerCall call, Kind kind) {
        int states = kind.states();
        call.requireInputs(states + 4, states + 4);
        List<Value> operands = new ArrayList<>(List.of(call.unsqueezed(call.input(0), 0)));
        operands.addAll(weights(call, kind, call.input(states + 1), call.input(states + 2), call.input(states + 3)));
        for (int i = 0; i < states; i++) {
            operands.add(call.input(1 + i));
        }
        List<Value> results = run(call, kind, operands, params(call, kind, false));
        return results.subList(1, 1 + states);
    }

    /** The inputs after x: weights of the input and of the state, and biases. */
    private static List<Value> weights(OpenVinoLayerCall call, Kind kind, Value input, Value state, Value bias) {
        List<Value> all = new ArrayList<>(List.of(ordered(call, kind, input), ordered(call, kind, state)));
        if (kind.equals(GRU)) {
            requireBiases(call, input, bias);
        }
        if (!kind.equals(GRU)) {
            all.add(ordered(call, kind, bias));
        } else if (!isBeforeReset(call)) {
            all.addAll(List.of(bias, Value.NONE));
        } else {
            List<Value> parts = call.addAll(
                    "Split", List.of(bias), new Params().put("axis", 0L).put("num_outputs", 4L), 4);
            Value none = call.add("Sub", parts.get(0), parts.get(0));
            all.add(call.join(parts.subList(0, 3)));
            all.add(call.join(List.of(none, none, parts.get(3))));
        }
        return all;
    }

    /** The third gate has two biases where the state is multiplied before it is reset. */
    private static void requireBiases(OpenVinoLayerCall call, Value input, Value bias) {
        long gates = isBeforeReset(call) ? 4 : 3;
        if (input.rank() == 2 && bias.rank() == 1 && input.sizeOr0(0) / 3 * gates != bias.sizeOr0(0)) {
            throw call.malformed("attribute 'linear_before_reset': it has " + bias.sizeOr0(0) + " biases for gates of "
                    + input.sizeOr0(0) / 3 + ", of which there are " + gates);
        }
    }

    /** The gates in the operator's order. */
    private static Value ordered(OpenVinoLayerCall call, Kind kind, Value weights) {
        int count = kind.gates();
        if (!kind.equals(LSTM)) {
            return weights;
        }
        List<Value> gates = call.addAll(
                "Split", List.of(weights), new Params().put("axis", 0L).put("num_outputs", (long) count), count);
        return call.join(kind.order().stream().map(gates::get).toList());
    }

    /** All outputs: those of every step, then the states after the last. */
    private static List<Value> run(OpenVinoLayerCall call, Kind kind, List<Value> operands, Params params) {
        List<Value> results = call.addAll(kind.op(), operands, params, kind.equals(LSTM) ? 4 : 2);
        call.main(results.get(0));
        return kind.equals(LSTM) ? List.of(results.get(0), results.get(2), results.get(3)) : results;
    }

    private static List<Value> sequence(OpenVinoLayerCall call, Kind kind) {
        int states = kind.states();
        call.requireInputs(states + 5, states + 5);
        String direction = call.attributes().requiredChoice("direction", "forward", "reverse", "bidirectional");
        List<Boolean> reverse =
                direction.equals("bidirectional") ? List.of(false, true) : List.of(direction.equals("reverse"));
        Value x = call.transposed(call.input(0), 1, 0, 2);
        List<List<Value>> results = new ArrayList<>();
        for (int i = 0; i < reverse.size(); i++) {
            List<Value> operands = new ArrayList<>(List.of(x));
            operands.addAll(weights(
                    call,
                    kind,
                    part(call, call.input(states + 2), 0, i),
                    part(call, call.input(states + 3), 0, i),
                    part(call, call.input(states + 4), 0, i)));
            for (int state = 0; state < states; state++) {
                operands.add(part(call, call.input(1 + state), 1, i));
            }
            if (kind.equals(LSTM)) {
                operands.add(Value.NONE);
            }
            operands.add(call.input(states + 1));
            results.add(run(call, kind, operands, params(call, kind, reverse.get(i))));
        }
        List<Value> outputs = new ArrayList<>();
        for (int i = 0; i <= states; i++) {
            outputs.add(joined(call, results, i));
        }
        return outputs;
    }

    /** The part that belongs to one direction. */
    private static Value part(OpenVinoLayerCall call, Value value, int axis, int direction) {
        Params slice = new Params()
                .put("starts", new long[] {direction})
                .put("ends", new long[] {direction + 1L})
                .put("axes", new long[] {axis});
        return call.add(
                "Squeeze", List.of(call.add("Slice", List.of(value), slice)), new Params().put("axis", new long[] {axis
                        }));
    }

    /** An output of all directions, which are its second axis. */
    private static Value joined(OpenVinoLayerCall call, List<List<Value>> results, int number) {
        List<Value> parts = results.stream()
                .map(each -> each.get(number))
                .map(value -> number == 0 ? call.transposed(value, 1, 0, 2) : value)
                .map(value -> call.unsqueezed(value, 1))
                .toList();
        return parts.size() == 1 ? parts.get(0) : call.add("Concat", parts, new Params().put("axis", 1L));
    }
}
