package org.clinfer.importer.darknet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/**
 * A long short-term memory of pictures, whose layers are convolutions with a function of their own at the end: {@code u} of the
 * input, {@code w} of the state and, where they look at the cell, {@code v}. The gates are those of forgetting, input, cell and
 * output.
 */
final class ConvolutionalLstm {

    /** The name of its section. */
    static final String TYPE = "conv_lstm";

    /** By how much the limit of the cell grows with each step, if the file does not tell it. */
    private static final long LIMIT_OF_STEP = 32;

    private static final List<String> GATES = List.of("f", "i", "g", "o");

    private final DarknetLayerCall layer;
    private final Map<String, Convolutions.Filters> filters = new HashMap<>();

    private ConvolutionalLstm(DarknetLayerCall layer) {
        this.layer = layer;
    }

    static Value translate(DarknetLayerCall layer) {
        return new ConvolutionalLstm(layer).translate();
    }

    private Value translate() {
        Section options = layer.options();
        options.requireOff("xnor", "bottleneck", "shortcut");
        if (!options.text("lstm_activation").orElse("tanh").equals("tanh")) {
            throw layer.unsupportedUse("'lstm_activation' other than tanh");
        }
        Value x = layer.input();
        long steps = x.sizeOr0(0);
        long outputs = options.size("output", 1, 1);
        boolean looks = options.flag("peephole", false);
        long limit = options.size("state_constrain", LIMIT_OF_STEP * steps, 0);
        Convolutions.Window window = Convolutions.Window.of(layer, x, 3);
        if (looks) {
            read("v", List.of("f", "i", "o"), window, outputs, outputs);
        }
        read("w", GATES, window, outputs, outputs);
        read("u", GATES, window, outputs, DarknetLayerCall.channels(x));
        List<Value> given = GATES.stream().map(gate -> of("u" + gate, x)).toList();
        Value h = RecurrentLayers.pictures(layer, "state", given.get(0), x);
        Value c = RecurrentLayers.pictures(layer, "cell", given.get(0), x);
        List<Value> results = new ArrayList<>();
        for (long step = 0; step < steps; step++) {
            Value forget = layer.add("Sigmoid", seen(sum(given, 0, step, h), "vf", looks, c));
            Value input = layer.add("Sigmoid", seen(sum(given, 1, step, h), "vi", looks, c));
            Value made = layer.add("Tanh", sum(given, 2, step, h));
            Value cell = layer.add("Add", layer.add("Mul", forget, c), layer.add("Mul", input, made));
            Value output = layer.add("Sigmoid", seen(sum(given, 3, step, h), "vo", looks, cell));
            h = layer.add("Mul", output, layer.add("Tanh", cell));
            c = limit == 0 ? cell : layer.add("Clip", within(limit), cell);
            results.add(h);
        }
        RecurrentLayers.lastPictures(layer, "state", h);
        RecurrentLayers.lastPictures(layer, "cell", c);
        return results.size() == 1 ? h : layer.add("Concat", results, new Params().put("axis", 0L));
    }

    private static Params within(long limit) {
        return new Params().put("min", (double) -limit).put("max", (double) limit);
    }

    private void read(String kind, List<String> gates, Convolutions.Window window, long outputs, long channels) {
        for (String gate : gates) {
            String name = kind + gate;
            filters.put(name, Convolutions.Filters.read(layer, name + "/", window, outputs, channels));
        }
    }

    private Value of(String name, Value x) {
        Convolutions.Filters own = Objects.requireNonNull(filters.get(name));
        return DarknetActivations.apply(layer, own.of(layer, x), "linear");
    }

    /** A gate at a step, of input and state. */
    private Value sum(List<Value> given, int gate, long step, Value state) {
        Value all = given.get(gate);
        Value from =
                all.sizeOr0(0) == 1 ? all : layer.slice(all, new long[] {0}, new long[] {step}, new long[] {step + 1});
        return layer.add("Add", of("w" + GATES.get(gate), state), from);
    }

    private Value seen(Value sum, String name, boolean looks, Value cell) {
        return looks ? layer.add("Add", sum, of(name, cell)) : sum;
    }
}
