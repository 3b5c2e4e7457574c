package org.clinfer.plan.rule;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Weights and biases of convolutions times a factor for each output channel; computed in float64 and rounded once.
 *
 * <p>Nothing is made where a result is not finite, or where all weights of a channel become so small that the data type
 * holds them with fewer digits.
 */
final class ScaledWeights {

    /** Elements that one thread does at a time. */
    private static final int PIECE = 1 << 16;

    private ScaledWeights() {}

    /** The name of the weights; empty where they are not constant or cannot be scaled. */
    static Optional<String> weights(FusableConvolution convolution, String by, ChannelScale scale, Rewriting graph) {
        String name = convolution.input(FusableConvolution.WEIGHTS);
        Optional<Tensor> weights = graph.constant(name);
        if (weights.isEmpty() || scale.onlyAdds()) {
            return weights.map(known -> name);
        }
        Channels channels = Channels.of(convolution, weights.get().shape().sizes());
        return graph.folded()
                .of(List.of(name, "times", by), weights.get().type(), () -> scaled(weights.get(), channels, scale))
                .filter(graph::add)
                .map(FoldedConstants.Named::name);
    }

    /** The name of the bias with the addends; empty where the one before is not constant or cannot be scaled. */
    static Optional<String> bias(FusableConvolution convolution, String by, ChannelScale scale, Rewriting graph) {
        String name = convolution.input(FusableConvolution.BIAS);
        Optional<Tensor> before = graph.constant(name);
        if (before.isEmpty() && !name.isEmpty()) {
            return Optional.empty();
        }
        TensorType type = TensorType.of(convolution.type().dtype(), scale.channels());
        String stem =
                name.isEmpty() ? "bias of " + convolution.placed().written().name() : name;
        return graph.folded()
                .of(List.of(stem, "through", by), type, () -> {
                    double[] sums = before.map(Tensor::toDoubleArray).orElseGet(() -> new double[scale.channels()]);
                    for (int i = 0; i < sums.length; i++) {
                        sums[i] = scale.applied(i, sums[i]);
                    }
                    Tensor after = Tensor.allocate(type);
                    after.setDoubles(sums);
                    return Optional.of(after).filter(ScaledWeights::isFinite);
                })
                .filter(graph::add)
                .map(FoldedConstants.Named::name);
    }

    private static boolean isFinite(Tensor tensor) {
        for (double element : tensor.toDoubleArray()) {
            if (!Double.isFinite(element)) {
                return false;
            }
        }
        return true;
    }

    /** The scaled weights get memory when something reads them: most devices only pack them. */
    private static Optional<Tensor> scaled(Tensor weights, Channels channels, ChannelScale scale) {
        double[] largest = weights.dtype() == DType.FLOAT32
                ? largestFloats(weights, channels, scale)
                : largestElements(weights, channels, scale);
        double normal = smallestNormal(weights.dtype());
        Tensor rounded = Tensor.allocate(weights.dtype(), 1);
        for (double size : largest) {
            rounded.setDouble(0, size);
            if (!Double.isFinite(rounded.getDouble(0)) || (size != 0 && size < normal)) {
                return Optional.empty();
            }
        }
        return Optional.of(Tensor.deferred(weights.type(), target -> scale(weights, channels, scale, target)));
    }

    /** The largest exact size of a product of each channel; NaN where one is no number. */
    private static double[] largestFloats(Tensor weights, Channels channels, ChannelScale scale) {
        AtomicIntegerArray largest = new AtomicIntegerArray(scale.channels());
        IntBuffer from = weights.bytes().asIntBuffer();
        inPieces(from.limit(), channels.run(), (begin, end) -> {
            int[] run = new int[channels.run()];
            IntBuffer piece = from.duplicate().position(begin).limit(end);
            while (piece.hasRemaining()) {
                int channel = channels.of(piece.position());
                piece.get(run);
                int most = 0;
                for (int bits : run) {
                    // the bits of sizes are in the order of sizes, and those of NaN beyond
                    most = Math.max(most, bits & Integer.MAX_VALUE);
                }
                if (most > largest.get(channel)) {
                    largest.accumulateAndGet(channel, most, Math::max);
                }
            }
        });
        double[] exact = new double[largest.length()];
        for (int channel = 0; channel < exact.length; channel++) {
            exact[channel] = Math.abs(Float.intBitsToFloat(largest.get(channel)) * scale.factor(channel));
        }
        return exact;
    }

    private static double[] largestElements(Tensor weights, Channels channels, ChannelScale scale) {
        double[] largest = new double[scale.channels()];
        for (int i = 0; i < weights.elements(); i++) {
            int channel = channels.of(i);
            largest[channel] = Math.max(largest[channel], Math.abs(weights.getDouble(i) * scale.factor(channel)));
        }
        return largest;
    }

    private static void scale(Tensor weights, Channels channels, ChannelScale scale, ByteBuffer target) {
        if (weights.dtype() == DType.FLOAT32) {
            scaleFloats(weights.floats(), target.asFloatBuffer(), channels, scale);
        } else {
            Tensor result = Tensor.wrap(weights.type(), target);
            for (int i = 0; i < weights.elements(); i++) {
                result.setDouble(i, weights.getDouble(i) * scale.factor(channels.of(i)));
            }
        }
    }

    private static void scaleFloats(FloatBuffer from, FloatBuffer to, Channels channels, ChannelScale scale) {
        inPieces(from.limit(), channels.run(), (begin, end) -> {
            float[] run = new float[channels.run()];
            FloatBuffer piece = from.duplicate().position(begin).limit(end);
            FloatBuffer target = to.duplicate().position(begin);
            while (piece.hasRemaining()) {
                double factor = scale.factor(channels.of(piece.position()));
                piece.get(run);
                for (int i = 0; i < run.length; i++) {
                    run[i] = (float) (run[i] * factor);
                }
                target.put(run);
            }
        });
    }

    /** Some runs of elements, from a first one up to another, which is left out. */
    private interface Piece {
        void accept(int begin, int end);
    }

    /** Does whole runs of a tensor's elements; a large one by several threads. */
    private static void inPieces(int elements, int run, Piece piece) {
        if (elements == 0) {
            return;
        }
        int size = Math.multiplyExact(run, Math.max(1, PIECE / run));
        IntStream.range(0, (elements - 1) / size + 1)
                .parallel()
                .forEach(i -> piece.accept(i * size, (int) Math.min(elements, (i + 1L) * size)));
    }

    private static double smallestNormal(DType dtype) {
        return switch (dtype) {
            case FLOAT16 -> 0x1p-14;
            case FLOAT64 -> Double.MIN_NORMAL;
            default -> Float.MIN_NORMAL;
        };
    }

    /**
     * The output channel that an element of the weights belongs to: its number has two parts, which are at different
     * places of the index.
     *
     * @param outerStep elements between different outer parts
     * @param outers number of outer parts
     * @param outerWeight channels between them
     * @param innerStep elements between different inner parts
     * @param inners number of inner parts
     * @param innerWeight channels between them
     */
    private record Channels(
            long outerStep, long outers, long outerWeight, long innerStep, long inners, long innerWeight) {

        static Channels of(FusableConvolution convolution, long[] sizes) {
            int last = sizes.length - 1;
            long all = Arrays.stream(sizes).reduce(1, Math::multiplyExact);
            long groups = convolution.binding().integer("groups");
            return switch (convolution.binding().text("weights_format")) {
                // [O, I, spatial]
                case "OIX" -> new Channels(1, 1, 0, all / sizes[0], sizes[0], 1);
                // [spatial, I, O]
                case "XIO" -> new Channels(1, 1, 0, 1, sizes[last], 1);
                // [multiplier, C, spatial]: channel c * multiplier + m
                case "MIX" -> new Channels(all / sizes[0], sizes[0], 1, all / sizes[0] / sizes[1], sizes[1], sizes[0]);
                // [groups * I / groups, O / groups, spatial]
                case "IOX" -> new Channels(all / groups, groups, sizes[1], all / sizes[0] / sizes[1], sizes[1], 1);
                // [spatial, O / groups, groups * I / groups]
                case "XOI" ->
                    new Channels(sizes[last] / groups, groups, sizes[last - 1], sizes[last], sizes[last - 1], 1);
                default -> throw new IllegalStateException("an unknown format of weights");
            };
        }

        /** The number of elements that belong to the same channel, one after another, from any multiple of that. */
        int run() {
            return Math.toIntExact(outers == 1 ? innerStep : Math.min(outerStep, innerStep));
        }

        int of(long element) {
            long outer = element / outerStep % outers * outerWeight;
            return Math.toIntExact(outer + element / innerStep % inners * innerWeight);
        }
    }
}
