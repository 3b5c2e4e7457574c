package org.clinfer.importer.tflite;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.clinfer.graph.Attribute;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Shape;

/**
 * Recurrent layers over whole sequences, or of one step. Their states are variables, which are 0 when a run begins, but for those
 * of the basic kernel, which it takes and gives.
 */
final class TfliteRecurrentLayers {

    private static final int GATES = 4;
    private static final int LSTM_WEIGHTS = 1;
    private static final int LSTM_RECURRENCE = 5;
    private static final int LSTM_PEEPHOLES = 9;
    private static final int LSTM_BIASES = 12;
    private static final int LSTM_PROJECTION = 16;

    /** Of the input gate, output gate, forget gate and cell, in the order of the operator: the file has the cell before the output. */
    private static final int[] ORDER = {0, 3, 1, 2};

    private TfliteRecurrentLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        all.one("UNIDIRECTIONAL_SEQUENCE_LSTM", TfliteRecurrentLayers::longShort);
        all.one("UNIDIRECTIONAL_SEQUENCE_RNN", TfliteRecurrentLayers::plain);
        all.several("LSTM", TfliteRecurrentLayers::cell);
    }

    static String activation(TfliteCall call) {
        String function = call.options()
                .word(
                        "fused_activation_function",
                        List.of("NONE", "RELU", "RELU_N1_TO_1", "RELU6", "TANH", "SIGN_BIT"));
        return switch (function) {
            case "TANH" -> "Tanh";
            case "RELU" -> "Relu";
            default -> throw call.unsupportedUse("fused_activation_function " + function);
        };
    }

    /** The steps in front of the batch, and back again. */
    static Value swapped(TfliteCall call, Value x) {
        return call.options().flag("time_major")
                ? x
                : call.add("Transpose", new Params().put("perm", new long[] {1, 0, 2}), x);
    }

    static Value sequence(TfliteCall call) {
        call.options().ignore("asymmetric_quantize_inputs");
        if (!call.stored(0, 3).held().type().dtype().isFloating()) {
            throw call.unsupportedUse("an input of type " + call.tensor(0).dtype());
        }
        return swapped(call, call.plain(0));
    }

    private static Value longShort(TfliteCall call) {
        requireFull(call);
        return swapped(call, longShort(call, sequence(call)));
    }

    /** The results of all steps, in this order. */
    private static Value longShort(TfliteCall call, Value x) {
        List<Value> operands = new ArrayList<>(
                List.of(x, joined(call, LSTM_WEIGHTS), joined(call, LSTM_RECURRENCE), joined(call, LSTM_BIASES)));
        if (call.has(LSTM_PEEPHOLES)) {
            operands.addAll(List.of(Value.NONE, Value.NONE, peepholes(call, LSTM_PEEPHOLES)));
        }
        Params params = new Params()
                .put("cell_clip", (double) call.options().real("cell_clip"))
                .put("activations", activations(call));
        call.options().ignore("proj_clip");
        return call.addAll("Lstm", operands, params, GATES).get(0);
    }

    private static void requireFull(TfliteCall call) {
        call.requireInputs(20, 24);
        for (int input = LSTM_PROJECTION; input < call.inputs(); input++) {
            boolean isState = input == 18 || input == 19;
            if (!isState && call.has(input)) {
                throw call.unsupportedUse("a projection, or normalised gates");
            }
        }
        if (!call.has(LSTM_WEIGHTS)) {
            throw call.unsupportedUse("an input gate that is coupled with the forget gate");
        }
        requireNewState(call, 18);
        requireNewState(call, 19);
    }

    /** One step: a batch of inputs without an axis of steps. */
    private static List<Value> cell(TfliteCall call) {
        call.options().ignore("asymmetric_quantize_inputs");
        boolean isBasic =
                call.options().word("kernel_type", List.of("FULL", "BASIC")).equals("BASIC");
        if (!call.stored(0, 2).held().type().dtype().isFloating()) {
            throw call.unsupportedUse("an input of type " + call.tensor(0).dtype());
        }
        if (isBasic) {
            return basic(call);
        }
        requireFull(call);
        Value h = longShort(call, step(call, call.plain(0)));
        return List.of(call.add("Squeeze", new Params().put("axis", new long[] {0}), h));
    }

    private static Value step(TfliteCall call, Value x) {
        return call.add("Unsqueeze", new Params().put("axis", new long[] {0}), x);
    }

    /**
     * The cell of the basic kernel: input, h, weights of [4 * units, inputs + units], bias, c to h and c. The rows are those of the
     * input gate, cell, forget gate and output gate.
     */
    private static List<Value> basic(TfliteCall call) {
        call.requireInputs(5, 5);
        if (!activation(call).equals("Tanh")) {
            throw call.unsupportedUse("another activation than TANH");
        }
        Value weights = call.plain(call.real(2));
        Shape shape = weights.shape();
        boolean isKnown = shape.rank() == 2 && shape.isKnown();
        if (!isKnown || shape.size(0) % GATES != 0 || shape.size(0) / GATES > shape.size(1)) {
            throw call.malformed("its weights are " + weights.type());
        }
        long units = shape.size(0) / GATES;
        Params parts = new Params().put("axis", 1L).put("split", new long[] {shape.size(1) - units, units});
        List<Value> sides = call.addAll("Split", List.of(weights), parts, 2);
        List<Value> results = call.addAll(
                "Lstm",
                List.of(
                        step(call, call.plain(0)),
                        ordered(call, sides.get(0), units),
                        ordered(call, sides.get(1), units),
                        ordered(call, call.plain(call.real(3)), units),
                        call.plain(1),
                        call.plain(4)),
                new Params(),
                GATES);
        call.scratchFrom(2);
        return List.of(results.get(2), results.get(3));
    }

    /** Rows of the basic kernel in the order of the operator. */
    private static Value ordered(TfliteCall call, Value rows, long units) {
        Params parts = new Params().put("axis", 0L).put("split", new long[] {units, units, units, units});
        List<Value> gates = call.addAll("Split", List.of(rows), parts, GATES);
        return call.add(
                "Concat",
                List.of(gates.get(0), gates.get(3), gates.get(2), gates.get(1)),
                new Params().put("axis", 0L));
    }

    static Attribute activations(TfliteCall call) {
        String function = activation(call);
        return Attribute.ofTexts(List.of("Sigmoid", function, function));
    }

    /** Rows of all gates, one gate after another. */
    static Value joined(TfliteCall call, int first) {
        List<Value> gates = IntStream.of(ORDER)
                .mapToObj(gate -> call.plain(call.real(first + gate)))
                .toList();
        return call.add("Concat", gates, new Params().put("axis", 0L));
    }

    /** Of the input gate, output gate and forget gate; the file has that of the output at the end. */
    static Value peepholes(TfliteCall call, int first) {
        List<Value> gates = IntStream.of(0, 2, 1)
                .mapToObj(gate -> call.plain(call.real(first + gate)))
                .toList();
        return call.add("Concat", gates, new Params().put("axis", 0L));
    }

    /** A state that an operator or the caller gives is not the one that a run begins with. */
    static void requireNewState(TfliteCall call, int input) {
        if (!call.tensor(input).isVariable()) {
            throw call.unsupportedUse("a state that is no variable");
        }
    }

    private static Value plain(TfliteCall call) {
        call.requireInputs(5, 5);
        requireNewState(call, 4);
        Value x = sequence(call);
        Params params = new Params().put("activations", Attribute.ofTexts(List.of(activation(call))));
        List<Value> operands = List.of(x, call.plain(call.real(1)), call.plain(call.real(2)), call.plain(call.real(3)));
        return swapped(call, call.addAll("Rnn", operands, params, 2).get(0));
    }
}
