package org.clinfer;

import static org.clinfer.robustness.OnnxModel.integer;
import static org.clinfer.robustness.OnnxModel.ints;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.LongStream;
import org.clinfer.RandomNetwork.Value;

/** Convolutions, transposed ones and pools of one to three dimensions. */
final class RandomWindows {

    private RandomWindows() {}

    /** A window over all axes but the first two. */
    private static final class Window {
        private final long[] kernel;
        private final long[] strides;
        private final long[] dilations;
        private final long[] pads;

        Window(long[] kernel, long[] strides, long[] dilations, long[] pads) {
            this.kernel = kernel;
            this.strides = strides;
            this.dilations = dilations;
            this.pads = pads;
        }

        /** Any window over x; padding is less than the window. */
        static Window drawn(RandomNetwork network, Value x, boolean dilated) {
            int axes = x.rank() - 2;
            long[] kernel = new long[axes];
            long[] strides = new long[axes];
            long[] dilations = new long[axes];
            long[] pads = new long[2 * axes];
            long common = network.one(1, 2, 3, 3, 3, 4, 5, 7);
            long stride = network.one(1, 1, 1, 2, 2, 3);
            boolean isCentred = network.chance(0.7);
            for (int i = 0; i < axes; i++) {
                kernel[i] = network.chance(0.8) ? common : network.between(1, 5);
                strides[i] = network.chance(0.8) ? stride : network.between(1, 3);
                dilations[i] = dilated && network.chance(0.15) ? network.between(2, 3) : 1;
                int reach = (int) (dilations[i] * (kernel[i] - 1));
                pads[i] = isCentred ? reach / 2 : network.between(0, reach);
                pads[axes + i] = isCentred ? reach / 2 : network.between(0, reach);
            }
            return new Window(kernel, strides, dilations, pads);
        }

        long taps() {
            return LongStream.of(kernel).reduce(1, (a, b) -> a * b);
        }

        /** The sizes of what the window gives of x, or empty where it does not fit. */
        Optional<long[]> over(Value x, long channels) {
            long[] sizes = x.sizesWith(1, channels);
            for (int i = 0; i < kernel.length; i++) {
                long span = dilations[i] * (kernel[i] - 1) + 1;
                long padded = x.size(2 + i) + pads[i] + pads[kernel.length + i];
                if (padded < span) {
                    return Optional.empty();
                }
                sizes[2 + i] = (padded - span) / strides[i] + 1;
            }
            return Optional.of(sizes);
        }
    }

    static void convolution(RandomNetwork network) {
        network.pick(RandomWindows::isPicture).ifPresent(x -> convolution(network, x));
    }

    private static boolean isPicture(Value x) {
        return x.rank() >= 3 && x.rank() <= 5;
    }

    private static boolean convolution(RandomNetwork network, Value x) {
        long channels = x.size(1);
        long group = network.one(1L, 1L, 1L, channels, channels % 4 == 0 ? 4L : 1L);
        long outputs =
                group == 1 ? network.one(1, 2, 3, 8, 16, 16, 24, 32, 33, 48, 64) : group * network.one(1, 1, 2, 3);
        Window window = Window.drawn(network, x, true);
        long terms = channels / group * window.taps();
        Optional<long[]> sizes = window.over(x, outputs);
        if (sizes.filter(found -> RandomNetwork.isSmall(terms, found)).isEmpty()) {
            return false;
        }
        network.node(
                "Conv",
                x.name() + "," + weights(network, terms, outputs, channels / group, window) + bias(network, outputs),
                sizes.orElseThrow(),
                ints("kernel_shape", window.kernel),
                ints("strides", window.strides),
                ints("dilations", window.dilations),
                ints("pads", window.pads),
                integer("group", group));
        return true;
    }

    private static String weights(RandomNetwork network, long terms, long rows, long columns, Window window) {
        long[] sizes = LongStream.concat(LongStream.of(rows, columns), LongStream.of(window.kernel))
                .toArray();
        return network.weights(RandomNetwork.scale(terms), sizes);
    }

    private static String bias(RandomNetwork network, long outputs) {
        return network.chance(0.6) ? "," + network.weights(0.5, outputs) : "";
    }

    /** A convolution of channels that lie last, between two transpositions, as converters write it. */
    static void channelsLast(RandomNetwork network) {
        Optional<Value> picked = network.pick(value -> value.rank() == 4);
        if (picked.isEmpty()) {
            return;
        }
        Value x = picked.orElseThrow();
        Value inner = network.node(
                "Transpose",
                x.name(),
                new long[] {x.size(0), x.size(3), x.size(1), x.size(2)},
                ints("perm", 0, 3, 1, 2));
        if (network.chance(0.8) ? convolution(network, inner) : pool(network, inner)) {
            Value y = network.newest();
            network.node(
                    "Transpose",
                    y.name(),
                    new long[] {y.size(0), y.size(2), y.size(3), y.size(1)},
                    ints("perm", 0, 2, 3, 1));
        }
    }

    static void transposed(RandomNetwork network) {
        network.pick(RandomWindows::isPicture).ifPresent(x -> transposed(network, x));
    }

    private static void transposed(RandomNetwork network, Value x) {
        int axes = x.rank() - 2;
        long channels = x.size(1);
        long group = network.chance(0.2) ? channels : 1;
        long outputs = group == 1 ? network.one(1, 3, 8, 16, 24, 32) : group;
        long kernel = network.one(1, 2, 2, 3, 4, 4, 5, 6);
        long stride = network.one(1, 2, 2, 2, 3, 4);
        long pad = network.between(0, (int) Math.min(2, kernel - 1));
        long more = network.chance(0.2) ? stride - 1 : 0;
        long[] sizes = x.sizesWith(1, outputs);
        for (int axis = 2; axis < x.rank(); axis++) {
            sizes[axis] = (x.size(axis) - 1) * stride - 2 * pad + kernel + more;
        }
        Window window = new Window(every(axes, kernel), every(axes, stride), every(axes, 1), every(2 * axes, pad));
        long terms = channels / group * window.taps();
        if (LongStream.of(sizes).anyMatch(size -> size < 1) || !RandomNetwork.isSmall(terms, sizes)) {
            return;
        }
        network.node(
                "ConvTranspose",
                x.name() + "," + weights(network, terms, channels, outputs / group, window) + bias(network, outputs),
                sizes,
                ints("kernel_shape", window.kernel),
                ints("strides", window.strides),
                ints("pads", window.pads),
                ints("output_padding", every(axes, more)),
                integer("group", group));
    }

    private static long[] every(int count, long value) {
        long[] values = new long[count];
        Arrays.fill(values, value);
        return values;
    }

    static void pool(RandomNetwork network) {
        network.pick(RandomWindows::isPicture).ifPresent(x -> pool(network, x));
    }

    private static boolean pool(RandomNetwork network, Value x) {
        if (network.chance(0.2)) {
            long[] sizes = every(x.rank(), 1);
            sizes[0] = x.size(0);
            sizes[1] = x.size(1);
            network.node(network.one("GlobalAveragePool", "GlobalMaxPool"), x.name(), sizes);
            return true;
        }
        Window drawn = Window.drawn(network, x, false);
        int axes = x.rank() - 2;
        long[] pads = drawn.pads.clone();
        for (int i = 0; i < pads.length; i++) {
            pads[i] = Math.min(pads[i], drawn.kernel[i % axes] / 2);
        }
        Window window = new Window(drawn.kernel, drawn.strides, drawn.dilations, pads);
        Optional<long[]> sizes = window.over(x, x.size(1));
        if (sizes.filter(found -> RandomNetwork.isSmall(window.taps(), found)).isEmpty()) {
            return false;
        }
        boolean isMean = network.chance(0.5);
        network.node(
                isMean ? "AveragePool" : "MaxPool",
                x.name(),
                sizes.orElseThrow(),
                ints("kernel_shape", window.kernel),
                ints("strides", window.strides),
                ints("pads", window.pads),
                isMean ? integer("count_include_pad", network.between(0, 1)) : integer("ceil_mode", 0));
        return true;
    }
}
