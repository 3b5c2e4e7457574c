package org.clinfer.conformance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.clinfer.conformance.Inexpressible.Reason;

/** Recurrent layers. ONNX has directions as an axis, two biases in one tensor, and the cells of the last step alone. */
final class RecurrentTranslations {

    /** The places of ONNX's inputs among those here, -1 where there is none: lengths, initial h, initial c, peepholes. */
    private record Places(int lengths, int initialH, int initialC, int peepholes) {}

    private static final Set<String> WITH_BETA = Set.of("Affine", "HardSigmoid", "ScaledTanh");
    private static final Set<String> WITH_ALPHA =
            Set.of("Affine", "Elu", "HardSigmoid", "LeakyRelu", "ScaledTanh", "ThresholdedRelu");

    private RecurrentTranslations() {}

    static Map<String, Translation> all() {
        return Map.of(
                "Lstm", (call, graph) -> recurrent("LSTM", new Places(7, 4, 5, 6), call, graph),
                "Gru", (call, graph) -> recurrent("GRU", new Places(6, 5, -1, -1), call, graph),
                "Rnn", (call, graph) -> recurrent("RNN", new Places(5, 4, -1, -1), call, graph));
    }

    private static List<String> recurrent(String op, Places places, OracleCall call, OnnxGraph graph) {
        Call params = call.params();
        if (params.real("cell_clip", 0) != 0) {
            throw new Inexpressible(Reason.CLIPPED_CELLS);
        }
        if (call.dims(0)[0] == 0 || call.dims(0)[1] == 0) {
            throw new Inexpressible(Reason.EMPTY_SEQUENCE);
        }
        String[] operands = {
            call.input(0),
            direction(graph, call.input(1)),
            direction(graph, call.input(2)),
            biases(call, graph, op.equals("GRU") ? 4 : -1),
            lengths(call, graph, places.lengths()),
            state(call, graph, places.initialH()),
            state(call, graph, places.initialC()),
            state(call, graph, places.peepholes())
        };
        OnnxGraph.Step step = graph.step(op, operands)
                .with("hidden_size", call.dims(2)[1])
                .with("direction", params.flag("reverse", false) ? "reverse" : "forward")
                .withReals(params, "clip");
        if (params.has("linear_before_reset")) {
            step.with("linear_before_reset", params.flag("linear_before_reset", false));
        }
        if (params.has("input_forget")) {
            step.with("input_forget", params.flag("input_forget", false));
        }
        activations(params, step);
        boolean lstm = op.equals("LSTM");
        List<String> all = step.out(2);
        List<String> outputs = new ArrayList<>();
        outputs.add(graph.step("Squeeze", all.get(0), graph.ints(1)).out());
        if (!lstm && params.outputs() > 1) {
            outputs.add(graph.step("Squeeze", all.get(1), graph.ints(0)).out());
        }
        return outputs;
    }

    /** Coefficients are written for the activations alone that have them. */
    private static void activations(Call params, OnnxGraph.Step step) {
        List<String> names = params.texts("activations");
        if (names.isEmpty()) {
            return;
        }
        step.with("activations", names);
        put(params, step, "activation_alpha", names, WITH_ALPHA);
        put(params, step, "activation_beta", names, WITH_BETA);
    }

    private static void put(Call params, OnnxGraph.Step step, String name, List<String> names, Set<String> having) {
        double[] values = params.reals(name);
        int[] places = IntStream.range(0, values.length)
                .filter(i -> having.contains(names.get(i)))
                .toArray();
        if (places.length > 0) {
            step.with(name, Arrays.stream(places).mapToDouble(i -> values[i]).toArray());
        }
    }

    private static String direction(OnnxGraph graph, String value) {
        return graph.step("Unsqueeze", value, graph.ints(0)).out();
    }

    private static String state(OracleCall call, OnnxGraph graph, int input) {
        return input >= 0 && call.params().hasInput(input) ? direction(graph, call.input(input)) : "";
    }

    private static String lengths(OracleCall call, OnnxGraph graph, int input) {
        return call.params().hasInput(input)
                ? graph.step("Cast", call.input(input)).with("to", 6L).out()
                : "";
    }

    /** Those of the input, then those of the recurrence, or zeros. */
    private static String biases(OracleCall call, OnnxGraph graph, int recurrent) {
        boolean second = recurrent >= 0 && call.params().hasInput(recurrent);
        if (!call.params().hasInput(3) && !second) {
            return "";
        }
        String zeros = graph.constant(
                new Array(new long[] {call.dims(1)[0]}, new double[(int) call.dims(1)[0]]), call.type(0));
        String first = call.params().hasInput(3) ? call.input(3) : zeros;
        String both = graph.step("Concat", first, second ? call.input(recurrent) : zeros)
                .with("axis", 0L)
                .out();
        return direction(graph, both);
    }
}
