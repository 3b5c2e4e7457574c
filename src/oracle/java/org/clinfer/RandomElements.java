package org.clinfer;

import static org.clinfer.robustness.OnnxModel.integer;
import static org.clinfer.robustness.OnnxModel.ints;
import static org.clinfer.robustness.OnnxModel.real;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.clinfer.RandomNetwork.Value;

/** What works element by element, in one operator or written out in several, and sums of values of the network. */
final class RandomElements {

    private static final List<String> ACTIVATIONS = List.of(
            "Relu",
            "Relu",
            "Relu",
            "Sigmoid",
            "Tanh",
            "HardSwish",
            "Selu",
            "Softplus",
            "Abs",
            "Neg",
            "Erf",
            "LeakyRelu",
            "Elu",
            "HardSigmoid",
            "Clip",
            "PRelu",
            "Swish",
            "Gelu",
            "HardSwish by parts",
            "Mish",
            "Root",
            "Reciprocal");

    private RandomElements() {}

    static void activation(RandomNetwork network) {
        Value x = network.pick(value -> true).orElseThrow();
        long[] sizes = x.sizes();
        String activation = network.one(ACTIVATIONS);
        switch (activation) {
            case "LeakyRelu", "Elu" -> network.node(activation, x.name(), sizes, real("alpha", 0.3f));
            case "HardSigmoid" -> network.node(activation, x.name(), sizes, real("alpha", 0.2f), real("beta", 0.5f));
            case "Clip" -> clip(network, x, network.one(-0.5, 0.0), network.one(0.7, 6.0));
            case "PRelu" -> network.node("PRelu", x.name() + "," + channels(network, x), sizes);
            case "Swish" -> binary(network, "Mul", x, network.node("Sigmoid", x.name(), sizes));
            case "Gelu" -> gelu(network, x);
            case "HardSwish by parts" -> {
                Value clipped = clip(network, with(network, "Add", x, 3), 0, 6);
                with(network, "Div", binary(network, "Mul", x, clipped), 6);
            }
            case "Mish" -> {
                Value inner = network.node("Softplus", x.name(), sizes);
                binary(network, "Mul", x, network.node("Tanh", inner.name(), sizes));
            }
            case "Root" -> {
                Value above = with(network, "Add", network.node("Abs", x.name(), sizes), 0.5);
                network.node(network.one("Sqrt", "Log"), above.name(), sizes);
            }
            case "Reciprocal" -> {
                // of what is not much larger than its least, whose error would be that of a larger number
                Value above = with(network, "Add", network.node("Sigmoid", x.name(), sizes), 0.5);
                network.node("Reciprocal", above.name(), sizes);
            }
            default -> network.node(activation, x.name(), sizes);
        }
    }

    private static void gelu(RandomNetwork network, Value x) {
        Value erf = network.node("Erf", with(network, "Div", x, Math.sqrt(2)).name(), x.sizes());
        with(network, "Mul", binary(network, "Mul", x, with(network, "Add", erf, 1)), 0.5);
    }

    private static Value clip(RandomNetwork network, Value x, double low, double high) {
        return network.node("Clip", x.name() + "," + network.scalar(low) + "," + network.scalar(high), x.sizes());
    }

    private static Value with(RandomNetwork network, String op, Value x, double constant) {
        return network.node(op, x.name() + "," + network.scalar(constant), x.sizes());
    }

    private static Value binary(RandomNetwork network, String op, Value a, Value b) {
        return network.node(op, network.chance(0.5) ? a.name() + "," + b.name() : b.name() + "," + a.name(), a.sizes());
    }

    /** A constant with a number for each channel. */
    private static String channels(RandomNetwork network, Value x) {
        long[] sizes = new long[Math.max(1, x.rank() - 1)];
        Arrays.fill(sizes, 1);
        if (x.rank() > 1) {
            sizes[0] = x.size(1);
        }
        return network.positive(sizes);
    }

    /** A factor or an addend for each channel, or BatchNormalization. */
    static void channelwise(RandomNetwork network) {
        Optional<Value> picked = network.pick(value -> value.rank() >= 3);
        if (picked.isEmpty()) {
            return;
        }
        Value x = picked.orElseThrow();
        if (network.chance(0.6)) {
            long count = x.size(1);
            String moments = network.weights(0.3, count) + "," + network.positive(count);
            network.node(
                    "BatchNormalization",
                    x.name() + "," + network.positive(count) + "," + network.weights(0.3, count) + "," + moments,
                    x.sizes());
        } else {
            String constant = channels(network, x);
            String op = network.one("Mul", "Add", "Sub", "Div");
            // a quotient by what is near 0 would say nothing
            boolean isFirst = !op.equals("Div") && network.chance(0.3);
            network.node(op, isFirst ? constant + "," + x.name() : x.name() + "," + constant, x.sizes());
        }
    }

    /** A sum of two values of the network, or another operator of two. */
    static void sum(RandomNetwork network) {
        Value x = network.pick(value -> true).orElseThrow();
        List<Value> others = network.all(value -> value.shape().equals(x.shape()));
        binary(network, network.one("Add", "Add", "Add", "Mul", "Sub", "Max", "Min"), x, network.one(others));
    }

    /** A constant that broadcasts along some axes. */
    static void broadcast(RandomNetwork network) {
        Value x = network.pick(value -> value.rank() >= 2).orElseThrow();
        int first = network.between(0, x.rank() - 1);
        long[] sizes = Arrays.copyOfRange(x.sizes(), first, x.rank());
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = network.chance(0.5) ? 1 : sizes[i];
        }
        network.node(network.one("Add", "Mul", "Sub", "Max"), x.name() + "," + network.weights(1, sizes), x.sizes());
    }

    /** Channels weighed by what their means give. */
    static void squeezeAndExcite(RandomNetwork network) {
        Optional<Value> picked = network.pick(value -> value.rank() == 4);
        if (picked.isEmpty()) {
            return;
        }
        Value x = picked.orElseThrow();
        long channels = x.size(1);
        long inner = Math.max(1, channels / 4);
        long[] means = {x.size(0), channels, 1, 1};
        Value mean = network.chance(0.5)
                ? network.node("GlobalAveragePool", x.name(), means)
                : network.node("ReduceMean", x.name(), means, ints("axes", 2, 3), integer("keepdims", 1));
        long[] few = {x.size(0), inner, 1, 1};
        Value y = network.node("Conv", mean.name() + "," + network.weights(0.3, inner, channels, 1, 1), few);
        y = network.node("Relu", y.name(), few);
        String constants = network.weights(0.3, channels, inner, 1, 1) + "," + network.weights(0.1, channels);
        y = network.node("Conv", y.name() + "," + constants, means);
        y = network.node(network.one("Sigmoid", "HardSigmoid"), y.name(), means);
        network.node("Mul", network.chance(0.5) ? x.name() + "," + y.name() : y.name() + "," + x.name(), x.sizes());
    }
}
