package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/**
 * Recurrent layers over {@code [steps, sequences, …]}, with a second bottom that a step multiplies the state before it by: 0
 * where a sequence begins. Each step is an operator of its own, because such factors stand between them. The state before the
 * first step is 0 unless the caller supplies it, and the one after the last is an output of the network; with
 * {@code expose_hidden} both are blobs.
 */
final class CaffeRecurrentLayers {

    /** The types of these layers, with which a network has the declared number of steps alone. */
    static final Set<String> TYPES = Set.of("LSTM", "RNN");

    /** Operators of a step, at most. */
    private static final long OPERATORS_OF_STEP = 3;

    /** Operators of a network that has such layers, at most. */
    private static final long MOST_OPERATORS = 1 << 17;

    private CaffeRecurrentLayers() {}

    static void addTo(LayerTable<CaffeLayerCall> all) {
        all.several("LSTM", CaffeRecurrentLayers::lstm);
        all.several("RNN", CaffeRecurrentLayers::rnn);
    }

    /**
     * A layer.
     *
     * @param units the size of its state
     * @param steps the inputs of each step, {@code [1, sequences, inputs]}
     * @param factors what the state before each step is multiplied by, {@code [sequences, 1]}
     * @param states the states before the first step, {@code [sequences, units]}
     * @param blobs the number of the first blob behind the weights of the inputs
     * @param weights of the inputs, {@code [gates * units, inputs]}
     */
    private record Layer(
            CaffeLayerCall call,
            CaffeFields params,
            long units,
            List<Value> steps,
            List<Value> factors,
            List<Value> states,
            int blobs,
            Value weights,
            Value bias) {

        /** @param states the names of the states */
        static Layer read(CaffeLayerCall call, long gates, List<String> states) {
            CaffeFields params = call.params("recurrent_param");
            params.ignore("debug_info");
            long units = params.requiredSize("num_output", 1);
            boolean exposed = params.flag("expose_hidden", false);
            List<Value> bottoms = bottoms(call, exposed, states.size());
            Value x = bottoms.get(0);
            long length = x.sizeOr0(0);
            long sequences = x.sizeOr0(1);
            if (length == 0 || sequences == 0) {
                throw call.unsupportedUse("a number of steps or sequences that is not known");
            }
            if (call.networkSize() + OPERATORS_OF_STEP * length > MOST_OPERATORS) {
                throw call.unsupportedUse(length + " steps, which are too many");
            }
            Value rows = call.add("Reshape", new Params().put("shape", new long[] {0, 0, -1}), x);
            Value weights = weight(call, params, 0, "weights", gates * units, rows.sizeOr0(2));
            Value bias = call.weight(1, "bias", Shape.of(gates * units), Filler.of(params, "bias_filler"));
            boolean constant = bottoms.size() > 2 + (exposed ? states.size() : 0);
            if (constant) {
                Value beside = call.add("Flatten", new Params().put("axis", 1L), bottoms.get(2));
                long inputs = beside.sizeOr0(1);
                Value own = weight(call, params, 2, "static_weights", gates * units, inputs);
                Params repeated = new Params().put("shape", new long[] {length, sequences, inputs});
                rows = call.add("Concat", new Params().put("axis", 2L), rows, call.add("Expand", repeated, beside));
                weights = call.add("Concat", new Params().put("axis", 1L), weights, own);
            }
            Params column = new Params().put("shape", new long[] {length, sequences, 1});
            Value factors = call.add("Reshape", column, bottoms.get(1));
            Params withoutStep = new Params().put("shape", new long[] {sequences, 1});
            List<Value> initial = new ArrayList<>();
            for (int i = 0; i < states.size(); i++) {
                initial.add(
                        exposed
                                ? given(call, bottoms.get(bottoms.size() - states.size() + i), sequences, units)
                                : call.state(states.get(i), sequences, units));
            }
            return new Layer(
                    call,
                    params,
                    units,
                    split(call, rows, length),
                    split(call, factors, length).stream()
                            .map(factor -> call.add("Reshape", withoutStep, factor))
                            .toList(),
                    initial,
                    constant ? 3 : 2,
                    weights,
                    bias);
        }

        private static List<Value> bottoms(CaffeLayerCall call, boolean exposed, int states) {
            List<Value> bottoms = call.inputs();
            int least = exposed ? 2 + states : 2;
            if (bottoms.size() < least || bottoms.size() > least + 1) {
                throw call.malformed("it takes " + least + " or " + (least + 1) + " bottoms "
                        + (exposed ? "with" : "without") + " expose_hidden, but is given " + bottoms.size());
            }
            List<Dim> ofAll = bottoms.get(1).shape().dims();
            if (bottoms.get(0).rank() < 3
                    || !bottoms.get(0).shape().dims().subList(0, 2).equals(ofAll)) {
                throw call.malformed("its bottoms must be (steps, sequences, inputs) and (steps, sequences), but are "
                        + bottoms.get(0).shape() + " and " + bottoms.get(1).shape());
            }
            if (bottoms.size() > least
                    && (bottoms.get(2).rank() < 1
                            || !bottoms.get(2).shape().dim(0).equals(ofAll.get(1)))) {
                throw call.malformed("its third bottom must have a row for each of " + ofAll.get(1)
                        + " sequences, but is " + bottoms.get(2).shape());
            }
            return bottoms;
        }

        private static Value given(CaffeLayerCall call, Value state, long sequences, long units) {
            if (!state.shape().equals(Shape.of(1, sequences, units))) {
                throw call.malformed("a state must be " + Shape.of(1, sequences, units) + ", but is " + state.shape());
            }
            return call.add("Reshape", new Params().put("shape", new long[] {sequences, units}), state);
        }

        private static List<Value> split(CaffeLayerCall call, Value x, long count) {
            Params parts = new Params().put("axis", 0L).put("num_outputs", count);
            return count == 1 ? List.of(x) : call.addAll("Split", List.of(x), parts, (int) count);
        }

        private static Value weight(
                CaffeLayerCall call, CaffeFields params, int blob, String name, long outputs, long inputs) {
            if (inputs == 0) {
                throw call.unsupportedUse("a number of inputs that is not known");
            }
            Shape shape = call.shape(List.of(Dim.of(outputs), Dim.of(inputs)));
            return call.weight(blob, name, shape, Filler.of(params, "weight_filler"));
        }

        Value weight(int blob, String name, long outputs) {
            return weight(call, params, blob, name, outputs, units);
        }

        /** The state before a step, as far as the sequences go on. */
        Value kept(Value state, int step) {
            return call.add("Mul", state, factors.get(step));
        }

        /** A value of each step as one. */
        Value together(List<Value> values) {
            return values.size() == 1 ? values.get(0) : call.add("Concat", values, new Params().put("axis", 0L));
        }

        /** The tops: the result, and states that are exposed. */
        List<Value> tops(Value result, List<String> names, List<Value> last) {
            List<Value> tops = new ArrayList<>(List.of(result));
            for (int i = 0; i < last.size(); i++) {
                if (params.flag("expose_hidden", false)) {
                    tops.add(call.add("Unsqueeze", new Params().put("axis", new long[] {0}), last.get(i)));
                } else {
                    call.lastState(names.get(i), last.get(i));
                }
            }
            return tops;
        }
    }

    private static List<Value> lstm(CaffeLayerCall call) {
        List<String> names = List.of("h", "c");
        Layer layer = Layer.read(call, 4, names);
        Value weights = gates(call, layer.weights);
        Value recurrence = gates(call, layer.weight(layer.blobs, "recurrence", 4 * layer.units));
        Value bias = gates(call, layer.bias);
        Value h = layer.states.get(0);
        Value c = layer.states.get(1);
        List<Value> results = new ArrayList<>();
        for (int i = 0; i < layer.steps.size(); i++) {
            List<Value> operands =
                    List.of(layer.steps.get(i), weights, recurrence, bias, layer.kept(h, i), layer.kept(c, i));
            List<Value> step = call.addAll("Lstm", operands, new Params(), 4);
            results.add(step.get(0));
            h = step.get(2);
            c = step.get(3);
        }
        return layer.tops(layer.together(results), names, List.of(h, c));
    }

    /** Gates of input, forgetting, output and cell as those of input, output, forgetting and cell. */
    private static Value gates(CaffeLayerCall call, Value rows) {
        Params parts = new Params().put("axis", 0L).put("num_outputs", 4L);
        List<Value> gates = call.addAll("Split", List.of(rows), parts, 4);
        return call.add("Concat", new Params().put("axis", 0L), gates.get(0), gates.get(2), gates.get(1), gates.get(3));
    }

    private static List<Value> rnn(CaffeLayerCall call) {
        List<String> names = List.of("h");
        Layer layer = Layer.read(call, 1, names);
        Value recurrence = layer.weight(layer.blobs, "recurrence", layer.units);
        Value weights = layer.weight(layer.blobs + 1, "output_weights", layer.units);
        Value bias = call.weight(
                layer.blobs + 2, "output_bias", Shape.of(layer.units), Filler.of(layer.params, "bias_filler"));
        Value h = layer.states.get(0);
        List<Value> states = new ArrayList<>();
        for (int i = 0; i < layer.steps.size(); i++) {
            List<Value> operands = List.of(layer.steps.get(i), layer.weights, recurrence, layer.bias, layer.kept(h, i));
            h = call.addAll("Rnn", operands, new Params(), 2).get(1);
            states.add(h);
        }
        Value rows = layer.together(states);
        Value sums = call.add("Gemm", new Params().put("transpose_b", true), rows, weights, bias);
        long[] shape = {states.size(), -1, layer.units};
        Value result = call.add("Reshape", new Params().put("shape", shape), call.add("Tanh", sums));
        return layer.tops(result, names, List.of(h));
    }
}
