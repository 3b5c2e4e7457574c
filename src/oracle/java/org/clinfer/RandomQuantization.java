package org.clinfer;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.clinfer.RandomNetwork.Value;
import org.clinfer.RandomPieces.Bound;
import org.clinfer.RandomPieces.Rounding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** The quantization that one exporter uses throughout a network: with or without sign, symmetrical or not, by channel or not. */
final class RandomQuantization {

    private static final int BITS = 8;

    /** The codes of weights that no engine lets saturate in 16 bits: two products of them are below 2^15. */
    private static final int REDUCED_BITS = 7;

    /**
     * What stands for real numbers: {@code (code - origin) * step}, as constants.
     *
     * @param optional the zero point, or nothing where it is what an operator takes it to be
     */
    record Grid(String scale, String zero, String optional, double step, int origin, DType type) {}

    /**
     * A constant in codes.
     *
     * @param steps one for the tensor or one for each channel
     */
    record Weights(String codes, String scale, String zero, List<Double> steps, int origin, Tensor elements) {

        double largestStep() {
            return Collections.max(steps);
        }

        /** The zero point, or nothing where it is 0 and the network has none in such a place. */
        String optional(RandomNetwork network) {
            return origin == 0 && network.chance(0.3) ? "" : zero;
        }

        boolean isByChannel() {
            return steps.size() > 1;
        }
    }

    private final RandomNetwork network;
    private final DType type;
    private final boolean isSymmetrical;
    private final DType weightType;
    private final boolean isByChannel;
    private final int weightBits;

    RandomQuantization(RandomNetwork network, boolean reduced) {
        this.network = network;
        type = network.one(DType.UINT8, DType.UINT8, DType.INT8);
        isSymmetrical = network.chance(0.3);
        weightType = type == DType.INT8 || network.chance(0.6) ? DType.INT8 : DType.UINT8;
        isByChannel = weightType == DType.INT8 && network.chance(0.6);
        boolean fewer = network.chance(0.3);
        weightBits = weightType == DType.INT8 && (reduced || fewer) ? REDUCED_BITS : BITS;
    }

    DType type() {
        return type;
    }

    /** Codes of numbers that lie about between these, which other numbers may exceed. */
    Grid grid(double least, double most) {
        double wide = network.between(0.7, 2);
        double low = Math.min(0, least * wide);
        double high = Math.max(0, most * wide);
        int lowest = type == DType.INT8 ? -128 : 0;
        float step;
        int origin;
        if (isSymmetrical) {
            step = (float) (Math.max(-low, high) / 127);
            origin = lowest + 128;
        } else {
            step = (float) ((high - low) / 255);
            origin = (int) Math.rint(lowest - low / step);
        }
        String zero = code(type, origin);
        boolean isLeftOut = type == DType.UINT8 && origin == 0 && network.chance(0.3);
        return new Grid(network.constant(Tensor.scalar(step)), zero, isLeftOut ? "" : zero, step, origin, type);
    }

    /** A scalar of codes. */
    String code(DType type, long value) {
        Tensor tensor = Tensor.allocate(type);
        tensor.setLong(0, value);
        return network.constant(tensor);
    }

    /** The codes of a constant; with an axis of channels they may have a step for each channel. */
    Weights weights(Tensor reals, int axis) {
        boolean isSplit = isByChannel && axis >= 0;
        long channels = isSplit ? reals.shape().size(axis) : 1;
        long inner = 1;
        for (int i = axis + 1; isSplit && i < reals.shape().rank(); i++) {
            inner *= reals.shape().size(i);
        }
        double[] low = new double[(int) channels];
        double[] high = new double[(int) channels];
        for (long i = 0; i < reals.elements(); i++) {
            int channel = isSplit ? (int) (i / inner % channels) : 0;
            low[channel] = Math.min(low[channel], reals.getDouble(i));
            high[channel] = Math.max(high[channel], reals.getDouble(i));
        }
        double[] steps = new double[(int) channels];
        int most = (1 << (weightBits - 1)) - 1;
        int origin = 0;
        if (weightType == DType.INT8) {
            Arrays.setAll(steps, i -> (float) (Math.max(1e-3, Math.max(-low[i], high[i])) / most));
        } else {
            steps[0] = (float) (Math.max(1e-3, high[0] - low[0]) / 255);
            origin = (int) Math.rint(-low[0] / steps[0]);
        }
        Tensor codes = Tensor.allocate(weightType, reals.shape().sizes());
        for (long i = 0; i < reals.elements(); i++) {
            int channel = isSplit ? (int) (i / inner % channels) : 0;
            long code = (long) Math.rint(reals.getDouble(i) / steps[channel]) + origin;
            codes.setLong(i, weightType == DType.INT8 ? Math.max(-most, Math.min(most, code)) : clamp(code, 0, 255));
        }
        String scale = isSplit ? network.reals(floats(steps)) : network.constant(Tensor.scalar((float) steps[0]));
        String zero = isSplit ? network.constant(Tensor.allocate(weightType, channels)) : code(weightType, origin);
        return new Weights(
                network.constant(codes),
                scale,
                zero,
                Arrays.stream(steps).boxed().toList(),
                origin,
                codes);
    }

    /** A bias in units of the sums, which are products of steps. */
    Weights bias(Tensor reals, double step, Weights weights) {
        double[] steps = new double[weights.steps().size()];
        Arrays.setAll(steps, i -> (float) step * weights.steps().get(i).floatValue());
        Tensor codes = Tensor.allocate(DType.INT32, reals.elements());
        for (long i = 0; i < reals.elements(); i++) {
            codes.setLong(i, Math.round(reals.getDouble(i) / (float) steps[steps.length == 1 ? 0 : (int) i]));
        }
        String scale =
                steps.length > 1 ? network.reals(floats(steps)) : network.constant(Tensor.scalar((float) steps[0]));
        String zero = network.constant(
                steps.length > 1 ? Tensor.allocate(DType.INT32, steps.length) : Tensor.allocate(DType.INT32));
        return new Weights(
                network.constant(codes),
                scale,
                zero,
                Arrays.stream(steps).boxed().toList(),
                0,
                codes);
    }

    /** QuantizeLinear, where the network is cut. */
    String quantized(String real, Grid grid, Bound error) {
        String codes = network.aside("QuantizeLinear", real + "," + grid.scale() + "," + grid.optional());
        network.pieces().cut(new Rounding(codes, real, grid.scale(), grid.zero(), error));
        return codes;
    }

    /** DequantizeLinear, of which other steps may read. */
    Value real(String codes, Grid grid, long[] sizes) {
        return network.plain("DequantizeLinear", codes + "," + grid.scale() + "," + grid.optional(), List.of(sizes))
                .get(0);
    }

    static float[] floats(double[] values) {
        float[] floats = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            floats[i] = (float) values[i];
        }
        return floats;
    }

    private static long clamp(long code, long least, long most) {
        return Math.max(least, Math.min(most, code));
    }
}
