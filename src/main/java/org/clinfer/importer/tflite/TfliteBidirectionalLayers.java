package org.clinfer.importer.tflite;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.graph.Attribute;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/** Recurrent layers in both directions, and cells of one step whose states are 0 when a run begins. */
final class TfliteBidirectionalLayers {

    private static final int GATES = 4;

    /** The inputs of a direction: weights, those of the state, peepholes, biases, projection. */
    private record LstmInputs(int weights, int recurrence, int peepholes, int biases, int projection) {}

    private static final List<LstmInputs> LSTM =
            List.of(new LstmInputs(1, 5, 9, 12, 16), new LstmInputs(18, 22, 26, 29, 33));

    private static final int LSTM_STATES = 35;
    private static final int LSTM_AUXILIARY = 39;
    private static final int RNN_AUXILIARY = 9;

    private TfliteBidirectionalLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        all.several("BIDIRECTIONAL_SEQUENCE_RNN", TfliteBidirectionalLayers::plain);
        all.several("BIDIRECTIONAL_SEQUENCE_LSTM", TfliteBidirectionalLayers::longShort);
        all.one("RNN", TfliteBidirectionalLayers::cell);
        all.one("SVDF", TfliteBidirectionalLayers::filter);
    }

    private static void refuseAuxiliary(TfliteCall call, int first) {
        for (int input = first; input < call.inputs(); input++) {
            if (call.has(input)) {
                throw call.unsupportedUse("an auxiliary input");
            }
        }
    }

    private static List<Value> plain(TfliteCall call) {
        call.requireInputs(RNN_AUXILIARY, RNN_AUXILIARY + 3);
        refuseAuxiliary(call, RNN_AUXILIARY);
        Value x = TfliteRecurrentLayers.sequence(call);
        Attribute activations = Attribute.ofTexts(List.of(TfliteRecurrentLayers.activation(call)));
        List<Value> results = new ArrayList<>();
        for (int direction = 0; direction < 2; direction++) {
            int first = 1 + GATES * direction;
            TfliteRecurrentLayers.requireNewState(call, first + 3);
            List<Value> operands = new ArrayList<>(List.of(x));
            for (int i = 0; i < 3; i++) {
                operands.add(call.plain(call.real(first + i)));
            }
            Params params = new Params().put("activations", activations).put("reverse", direction == 1);
            results.add(call.addAll("Rnn", operands, params, 2).get(0));
        }
        return merged(call, results);
    }

    private static List<Value> longShort(TfliteCall call) {
        call.requireInputs(LSTM_AUXILIARY, LSTM_AUXILIARY + 9);
        refuseAuxiliary(call, LSTM_AUXILIARY);
        for (int state = LSTM_STATES; state < LSTM_AUXILIARY; state++) {
            TfliteRecurrentLayers.requireNewState(call, state);
        }
        Value x = TfliteRecurrentLayers.sequence(call);
        call.options().ignore("proj_clip");
        List<Value> results = new ArrayList<>();
        for (LstmInputs inputs : LSTM) {
            if (call.has(inputs.projection()) || call.has(inputs.projection() + 1)) {
                throw call.unsupportedUse("a projection");
            }
            if (!call.has(inputs.weights())) {
                throw call.unsupportedUse("an input gate that is coupled with the forget gate");
            }
            List<Value> operands = new ArrayList<>(List.of(
                    x,
                    TfliteRecurrentLayers.joined(call, inputs.weights()),
                    TfliteRecurrentLayers.joined(call, inputs.recurrence()),
                    TfliteRecurrentLayers.joined(call, inputs.biases())));
            if (call.has(inputs.peepholes())) {
                operands.addAll(
                        List.of(Value.NONE, Value.NONE, TfliteRecurrentLayers.peepholes(call, inputs.peepholes())));
            }
            Params params = new Params()
                    .put("cell_clip", (double) call.options().real("cell_clip"))
                    .put("activations", TfliteRecurrentLayers.activations(call))
                    .put("reverse", !results.isEmpty());
            results.add(call.addAll("Lstm", operands, params, GATES).get(0));
        }
        return merged(call, results);
    }

    /** Both directions, side by side where one output has them. */
    private static List<Value> merged(TfliteCall call, List<Value> results) {
        List<Value> given = call.options().flag("merge_outputs")
                ? List.of(call.add("Concat", results, new Params().put("axis", 2L)))
                : results;
        return given.stream()
                .map(each -> TfliteRecurrentLayers.swapped(call, each))
                .toList();
    }

    /** One step from a state of 0. */
    private static Value cell(TfliteCall call) {
        call.requireInputs(5, 5);
        TfliteRecurrentLayers.requireNewState(call, 4);
        call.options().ignore("asymmetric_quantize_inputs");
        requireReal(call);
        Params turned = new Params().put("perm", new long[] {1, 0});
        Value weights = call.add("Transpose", turned, call.plain(call.real(1)));
        call.tensor(2); // the weights of the state
        Value product = call.add("MatMul", call.plain(call.real(0)), weights);
        return TfliteActivations.after(call, call.add("Add", product, call.plain(call.real(3))));
    }

    private static void requireReal(TfliteCall call) {
        if (!call.stored(0).held().type().dtype().isFloating()) {
            throw call.unsupportedUse("an input of type " + call.tensor(0).dtype());
        }
    }

    /** Features of the newest step; all earlier ones are 0. Those of a unit, as many as the rank, are added. */
    private static Value filter(TfliteCall call) {
        call.requireInputs(5, 5);
        TfliteRecurrentLayers.requireNewState(call, 4);
        call.options().ignore("asymmetric_quantize_inputs");
        requireReal(call);
        long rank = call.options().size("rank", 1);
        Params turned = new Params().put("perm", new long[] {1, 0});
        Value weights = call.add("Transpose", turned, call.plain(call.real(1)));
        Value features = call.add("MatMul", call.plain(call.real(0)), weights);
        Params last = new Params()
                .put("starts", new long[] {-1})
                .put("ends", new long[] {Long.MAX_VALUE})
                .put("axes", new long[] {1});
        Value time = call.add("Slice", last, call.plain(call.real(2)));
        Value weighed =
                call.add("Mul", features, call.add("Reshape", new Params().put("shape", new long[] {-1}), time));
        Value apart = call.add("Reshape", new Params().put("shape", new long[] {0, -1, rank}), weighed);
        Params across = new Params().put("axis", new long[] {2}).put("keep_dims", false);
        Value sums = call.add("ReduceSum", across, apart);
        Value y = call.has(3) ? call.add("Add", sums, call.plain(call.real(3))) : sums;
        return TfliteActivations.after(call, y);
    }
}
