package org.clinfer.importer.darknet;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.clinfer.graph.Attribute;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/**
 * Recurrent layers: each row of their input is a step, as many as the network's {@code time_steps}. The state before the first
 * one is 0, unless the caller supplies it; the one after the last is an output of the network.
 */
final class RecurrentLayers {

    /** Layers of which each step is operators of its own, so that the network has the declared number of steps alone. */
    static final Set<String> UNROLLED = Set.of("rnn", "crnn", ConvolutionalLstm.TYPE);

    /** Steps of all such layers of a network together, at most. */
    static final long MOST_UNROLLED_STEPS = 1 << 15;

    private static final String STATE = "state";

    private RecurrentLayers() {}

    static void addTo(LayerTable<DarknetLayerCall> all) {
        all.one("rnn", RecurrentLayers::rnn);
        all.one("crnn", RecurrentLayers::convolutional);
        all.one(ConvolutionalLstm.TYPE, ConvolutionalLstm::translate);
        all.one("gru", RecurrentLayers::gru);
        all.one("lstm", RecurrentLayers::lstm);
    }

    /** The numbers of a layer within this one: {@code [outputs, inputs]}, and one for each output. */
    private record Dense(Value weights, Value bias) {

        static Dense read(DarknetLayerCall layer, String name, long outputs, long inputs) {
            Value bias = layer.weight(name + "/bias", outputs);
            Value weights = layer.weight(name + "/weights", outputs, inputs);
            if (!layer.options().flag("batch_normalize", false)) {
                return new Dense(weights, bias);
            }
            BatchStatistics statistics = BatchStatistics.read(layer, name + "/", outputs);
            Value factor = layer.add("Div", statistics.scale(), layer.add("Sqrt", statistics.variance()));
            Value shift = layer.add("Mul", statistics.mean(), factor);
            return new Dense(
                    layer.add("Mul", weights, layer.reshaped(factor, outputs, 1)), layer.add("Sub", bias, shift));
        }

        Value of(DarknetLayerCall layer, Value rows) {
            return layer.add("Gemm", new Params().put("transpose_b", true), rows, weights, bias);
        }
    }

    private static Value rows(DarknetLayerCall layer) {
        return layer.add("Flatten", new Params().put("axis", 1L), layer.input());
    }

    private static Value picture(DarknetLayerCall layer, Value rows, long units) {
        return layer.reshaped(rows, -1, units, 1, 1);
    }

    /** {@code state' = f(input) + g(state)}, and with {@code shortcut} the state before; the output is a layer of the state. */
    private static Value rnn(DarknetLayerCall layer) {
        Section options = layer.options();
        long outputs = options.size("output", 1, 1);
        long hidden = options.size("hidden", outputs, 1);
        String function = options.text("activation").orElse("logistic");
        String own = switch ((int) options.size("logistic", 0, 0)) {
            case 1 -> "logistic";
            case 2 -> "loggy";
            default -> function;
        };
        Value rows = rows(layer);
        Dense input = Dense.read(layer, "input", hidden, rows.sizeOr0(1));
        Dense self = Dense.read(layer, "self", hidden, hidden);
        Dense output = Dense.read(layer, "output", outputs, hidden);
        Value given = DarknetActivations.named(layer, function, input.of(layer, rows));
        UnaryOperator<Value> next = state -> DarknetActivations.named(layer, own, self.of(layer, state));
        Unrolled states = Unrolled.of(layer, given, layer.state(STATE, hidden), next);
        layer.lastState(STATE, states.last);
        Value y = output.of(layer, states.all);
        layer.main(y);
        return picture(layer, DarknetActivations.named(layer, function, y), outputs);
    }

    /**
     * The states of an unrolled layer.
     *
     * @param all those of all steps
     * @param last that after the last one
     */
    private record Unrolled(Value all, Value last) {

        /** {@code state' = given + next(state)}, and with the option {@code shortcut} the state before. */
        static Unrolled of(DarknetLayerCall layer, Value given, Value initial, UnaryOperator<Value> next) {
            boolean keeps = layer.options().flag("shortcut", false);
            long steps = given.sizeOr0(0);
            Value state = initial;
            List<Value> states = new ArrayList<>();
            for (long step = 0; step < steps; step++) {
                Value from = steps == 1
                        ? given
                        : layer.slice(given, new long[] {0}, new long[] {step}, new long[] {step + 1});
                Value sum = layer.add("Add", from, next.apply(state));
                state = keeps ? layer.add("Add", sum, state) : sum;
                states.add(state);
            }
            Value all = states.size() == 1 ? state : layer.add("Concat", states, new Params().put("axis", 0L));
            return new Unrolled(all, state);
        }
    }

    /** An {@code rnn} whose layers are convolutions, which keep the size of the picture. */
    private static Value convolutional(DarknetLayerCall layer) {
        Section options = layer.options();
        options.requireOff("xnor");
        long outputs = options.size("output", 1, 1);
        long hidden = options.size("hidden", 1, 1);
        Value x = layer.input();
        Convolutions.Window window = Convolutions.Window.of(layer, x, 3);
        Convolutions.Filters input =
                Convolutions.Filters.read(layer, "input/", window, hidden, DarknetLayerCall.channels(x));
        Convolutions.Filters self = Convolutions.Filters.read(layer, "self/", window, hidden, hidden);
        Convolutions.Filters output = Convolutions.Filters.read(layer, "output/", window, outputs, hidden);
        Value given = activated(layer, input.of(layer, x));
        Value initial = pictures(layer, STATE, given, x);
        Unrolled states = Unrolled.of(layer, given, initial, state -> activated(layer, self.of(layer, state)));
        lastPictures(layer, STATE, states.last);
        Value y = output.of(layer, states.all);
        layer.main(y);
        return activated(layer, y);
    }

    /**
     * A state that is as large as a step of what is given to it.
     *
     * @param x what the layer takes, whose size must be the same
     */
    static Value pictures(DarknetLayerCall layer, String what, Value given, Value x) {
        if (!DarknetLayerCall.isSamePlane(given, x)) {
            throw layer.malformed(
                    "its window (size, stride, dilation, pad, padding) does not keep the size of pictures " + x.shape()
                            + ", but makes " + given.shape());
        }
        long hidden = DarknetLayerCall.channels(given);
        long height = DarknetLayerCall.height(x);
        long width = DarknetLayerCall.width(x);
        if (height > DarknetLayerCall.MOST_UNITS / width || height * width > DarknetLayerCall.MOST_UNITS / hidden) {
            throw layer.unsupportedUse("a state of " + hidden + " pictures of " + height + " x " + width);
        }
        return layer.reshaped(layer.state(what, hidden * height * width), 1, hidden, height, width);
    }

    /** Makes pictures a state that is an output of the network. */
    static void lastPictures(DarknetLayerCall layer, String what, Value state) {
        layer.lastState(what, layer.add("Flatten", new Params().put("axis", 1L), state));
    }

    private static Value activated(DarknetLayerCall layer, Value x) {
        return DarknetActivations.apply(layer, x, "logistic");
    }

    /** The gates of one kind of layer, in the order of the operator, out of their places in the file. */
    private record Gates(Value weights, Value bias) {

        static Gates read(DarknetLayerCall layer, String name, List<Integer> places, long units, long inputs) {
            List<Dense> read = IntStream.range(0, places.size())
                    .mapToObj(i -> Dense.read(layer, name + "_" + i, units, inputs))
                    .toList();
            Params along = new Params().put("axis", 0L);
            List<Dense> gates = places.stream().map(read::get).toList();
            return new Gates(
                    layer.add("Concat", gates.stream().map(Dense::weights).toList(), along),
                    layer.add("Concat", gates.stream().map(Dense::bias).toList(), along));
        }
    }

    /** Gates of the input and of the state, which stand first in files by darknet's first branch. */
    private record Cell(Gates input, Gates state) {

        static Cell read(DarknetLayerCall layer, List<Integer> places, long units, boolean stateFirst) {
            long inputs = DarknetLayerCall.elements(layer.input());
            if (stateFirst) {
                Gates state = Gates.read(layer, STATE, places, units, units);
                return new Cell(Gates.read(layer, "input", places, units, inputs), state);
            }
            Gates input = Gates.read(layer, "input", places, units, inputs);
            return new Cell(input, Gates.read(layer, STATE, places, units, units));
        }
    }

    /** {@code [steps, 1, inputs]} */
    private static Value sequence(DarknetLayerCall layer) {
        return layer.reshaped(layer.input(), -1, 1, DarknetLayerCall.elements(layer.input()));
    }

    private static Value gru(DarknetLayerCall layer) {
        Section options = layer.options();
        long units = options.size("output", 1, 1);
        Cell cell = Cell.read(layer, List.of(0, 1, 2), units, layer.isOfFirstBranch());
        String function = options.flag("tanh", false) ? "Tanh" : "Sigmoid";
        Params params = new Params().put("activations", Attribute.ofTexts(List.of("Sigmoid", function)));
        List<Value> operands = List.of(
                sequence(layer),
                cell.input.weights,
                cell.state.weights,
                cell.input.bias,
                cell.state.bias,
                layer.state(STATE, units));
        List<Value> results = layer.addAll("Gru", operands, params, 2);
        layer.main(results.get(0));
        layer.lastState(STATE, results.get(1));
        return picture(layer, results.get(0), units);
    }

    /** Its gates are those of input, output, forgetting and cell; files have another order, and not all the same. */
    private static Value lstm(DarknetLayerCall layer) {
        long units = layer.options().size("output", 1, 1);
        List<Integer> places = layer.isOfFirstBranch() ? List.of(0, 2, 1, 3) : List.of(1, 3, 0, 2);
        Cell cell = Cell.read(layer, places, units, true);
        List<Value> operands = List.of(
                sequence(layer),
                cell.input.weights,
                cell.state.weights,
                layer.add("Add", cell.input.bias, cell.state.bias),
                layer.state(STATE, units),
                layer.state("cell", units));
        List<Value> results = layer.addAll("Lstm", operands, new Params(), 4);
        layer.main(results.get(0));
        layer.lastState(STATE, results.get(2));
        layer.lastState("cell", results.get(3));
        return picture(layer, results.get(0), units);
    }
}
