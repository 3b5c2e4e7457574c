package org.clinfer.importer.ncnn;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Recurrent layers over the rows of a blob (h, w), forwards, backwards, or both, whose results stand side by side. */
final class NcnnRecurrentLayers {

    /**
     * A cell.
     *
     * @param gates where ncnn keeps each of the operator's gates
     * @param biases the same for biases
     */
    private record Cell(String op, int outputs, List<Long> gates, List<Long> biases) {}

    private static final Cell RNN = new Cell("Rnn", 2, List.of(0L), List.of(0L));

    /** Input, forgetting, output, cell; the operator has output before forgetting. */
    private static final Cell LSTM = new Cell("Lstm", 4, List.of(0L, 2L, 1L, 3L), List.of(0L, 2L, 1L, 3L));

    /** Reset, update, new, and another bias for what is new; the operator has update before reset. */
    private static final Cell GRU = new Cell("Gru", 2, List.of(1L, 0L, 2L), List.of(1L, 0L, 2L, 3L));

    private NcnnRecurrentLayers() {}

    static void addTo(LayerTable<NcnnLayerCall> all) {
        all.one("RNN", call -> recurrent(call, RNN));
        all.one("LSTM", call -> recurrent(call, LSTM));
        all.one("GRU", call -> recurrent(call, GRU));
    }

    private static Value recurrent(NcnnLayerCall call, Cell cell) {
        LayerParams params = call.params();
        Value x = call.input();
        long units = params.size(0, 0, 1);
        long count = params.size(1, 0, 1);
        int direction = params.integer(2, 0);
        if (NcnnLayerCall.dims(x) != 2 || call.outputs() != 1) {
            throw call.unsupportedUse("states as blobs, or other blobs than (h, w)");
        }
        if (direction < 0 || direction > 2) {
            throw call.unsupportedUse("direction " + direction);
        }
        if (params.integer(8, 0) != 0 || (cell.equals(LSTM) && params.integer(3, (int) units) != units)) {
            throw call.unsupportedUse("int8 codes, or a projection of its state");
        }
        long directions = direction == 2 ? 2 : 1;
        long gates = cell.gates.size();
        if (count % (directions * gates * units) != 0) {
            throw params.wrong(1, count + " weights do not fit " + directions * gates + " gates of " + units);
        }
        long inputs = count / (directions * gates * units);
        Value weights = call.weight("weights", NcnnWeights.Kind.TAGGED, call.shape(directions, gates, units, inputs));
        Value biases = call.weight("bias", NcnnWeights.Kind.TAGGED, call.shape(directions, cell.biases.size(), units));
        Value recurrence =
                call.weight("recurrence", NcnnWeights.Kind.TAGGED, call.shape(directions, gates, units, units));
        Value steps = call.add("Transpose", List.of(x), new Params().put("perm", new long[] {1, 0, 2}));
        List<Value> results = new ArrayList<>();
        for (int i = 0; i < directions; i++) {
            Value w = rows(call, part(call, weights, i, cell.gates), gates * units, inputs);
            Value r = rows(call, part(call, recurrence, i, cell.gates), gates * units, units);
            List<Value> operands = new ArrayList<>(List.of(steps, w, r));
            operands.addAll(biases(call, cell, biases, i, units));
            Params own = new Params().put("reverse", direction == 1 || i == 1);
            if (cell.equals(GRU)) {
                own.put("linear_before_reset", true);
            }
            results.add(call.addAll(cell.op, operands, own, cell.outputs).get(0));
        }
        Value all = results.size() == 1 ? results.get(0) : call.add("Concat", results, new Params().put("axis", 2L));
        return call.add("Transpose", List.of(all), new Params().put("perm", new long[] {1, 0, 2}));
    }

    /** Some rows of one direction. */
    private static Value part(NcnnLayerCall call, Value all, int direction, List<Long> rows) {
        Value own = call.add(
                "Gather",
                List.of(all, call.constant("direction", Tensor.scalar((long) direction))),
                new Params().put("axis", 0L));
        return call.add(
                "Gather",
                List.of(
                        own,
                        call.vector(
                                "gates",
                                rows.stream().mapToLong(Long::longValue).toArray())),
                new Params().put("axis", 0L));
    }

    private static Value rows(NcnnLayerCall call, Value x, long count, long length) {
        return call.add("Reshape", List.of(x), new Params().put("shape", new long[] {count, length}));
    }

    /** One bias for each gate; a GRU's second one is 0 but for what is new, where it stands before the reset. */
    private static List<Value> biases(NcnnLayerCall call, Cell cell, Value all, int direction, long units) {
        Params flat = new Params().put("shape", new long[] {-1});
        if (!cell.equals(GRU)) {
            return List.of(call.add("Reshape", List.of(part(call, all, direction, cell.biases)), flat));
        }
        Value own = call.add("Reshape", List.of(part(call, all, direction, GRU.gates)), flat);
        Value last = call.add("Reshape", List.of(part(call, all, direction, List.of(3L))), flat);
        Shape rest = Shape.of(3 * units);
        Value second = call.add(
                "Concat", List.of(call.filled("zero", 2 * units, 0), last), new Params().put("axis", 0L), rest);
        return List.of(own, second);
    }
}
