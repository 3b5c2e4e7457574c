package org.clinfer.importer.tensorflow;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.clinfer.importer.FourierMatrices;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Fourier transforms along the last axes, as products with constant matrices. */
final class TfFourierTranslators {

    private static final long LONGEST = 1 << 13;

    private TfFourierTranslators() {}

    /** Transforms of real numbers. */
    static Map<String, TfTranslator> ofReal() {
        return Map.of("RFFT", TfFourierTranslators::half, "RFFT2D", TfFourierTranslators::halfPlane);
    }

    /** Transforms of complex numbers. */
    static Map<String, TfTranslator> ofComplex() {
        return Map.of(
                "IRFFT", TfFourierTranslators::fromHalf,
                "IRFFT2D", TfFourierTranslators::fromHalfPlane,
                "FFT", call -> whole(call, 1, 1),
                "IFFT", call -> whole(call, 1, -1),
                "FFT2D", call -> whole(call, 2, 1),
                "IFFT2D", call -> whole(call, 2, -1),
                "FFT3D", call -> whole(call, 3, 1),
                "IFFT3D", call -> whole(call, 3, -1));
    }

    /** The lengths along the last axes. */
    private static int[] lengths(TfCall call, int axes) {
        long[] lengths = call.requiredIntegers(1, "fft_length");
        if (lengths.length != axes) {
            throw call.malformed("its fft_length has " + lengths.length + " numbers");
        }
        return Arrays.stream(lengths).mapToInt(length -> sound(call, length)).toArray();
    }

    private static int sound(TfCall call, long length) {
        if (length < 1 || length > LONGEST) {
            throw call.unsupportedUse("a length of " + length);
        }
        return (int) length;
    }

    /** With zeros behind an axis, or without its end. */
    private static String fitted(TfCall call, String x, long axis, long length) {
        String sizes = call.step("Shape", x);
        String size = call.step("Gather", List.of(sizes, call.constant(axis)), new Params().put("axis", 0L));
        String more = call.step("Sub", call.constant(length), size);
        String pads = call.step("Concat", List.of(call.constant(0L), more), new Params().put("axis", 0L));
        return call.step("Pad", x, pads, "", call.constant(axis));
    }

    /** The axes before the last ones as they are, and others in the place of these. */
    private static String reshaped(TfCall call, String x, int kept, long... behind) {
        long[] shape = Arrays.copyOf(new long[kept], kept + behind.length);
        System.arraycopy(behind, 0, shape, kept, behind.length);
        return call.step("Reshape", List.of(x), new Params().put("shape", shape));
    }

    private static String matrix(TfCall call, int rows, int columns, Supplier<Tensor> matrix) {
        if (!call.graph().mayMake((long) rows * columns)) {
            throw call.unsupportedUse("a matrix of " + rows + " x " + columns);
        }
        return call.constant("turns", matrix.get());
    }

    private static DType type(TfCall call) {
        return call.dtype(call.input(0));
    }

    private static void half(TfCall call) {
        int rank = call.rank(call.input(0));
        TfComplex.give(call, half(call, call.plain(0), rank, lengths(call, 1)[0]));
    }

    private static void halfPlane(TfCall call) {
        int rank = rank(call, call.rank(call.input(0)), 2);
        int[] lengths = lengths(call, 2);
        String rows = half(call, fitted(call, call.plain(0), -2, lengths[0]), rank, lengths[1]);
        TfComplex.give(call, whole(call, rows, rank + 1, rank - 2, lengths[0], 1));
    }

    private static void fromHalf(TfCall call) {
        int rank = TfComplex.rank(call);
        fromHalf(call, TfComplex.stored(call, 0), rank, lengths(call, 1)[0]);
    }

    private static void fromHalfPlane(TfCall call) {
        int rank = rank(call, TfComplex.rank(call), 2);
        int[] lengths = lengths(call, 2);
        String x = fitted(call, TfComplex.stored(call, 0), -3, lengths[0]);
        fromHalf(call, whole(call, x, rank + 1, rank - 2, lengths[0], -1), rank, lengths[1]);
    }

    /** @param sign 1 forth, -1 back */
    private static void whole(TfCall call, int axes, int sign) {
        String x = TfComplex.stored(call, 0);
        int rank = rank(call, TfComplex.rank(call), axes);
        for (int axis = rank - 1; axis >= rank - axes; axis--) {
            long length =
                    call.input(0).size(axis).orElseThrow(() -> call.unsupportedUse("an axis whose size is not known"));
            x = whole(call, x, rank + 1, axis, sound(call, length), sign);
        }
        TfComplex.give(call, x);
    }

    private static int rank(TfCall call, int rank, int least) {
        if (rank < least) {
            throw call.malformed("its input has " + rank + " axes");
        }
        return rank;
    }

    /** The frequencies from 0 to that of half the length, of real numbers. */
    private static String half(TfCall call, String x, int rank, int length) {
        int count = length / 2 + 1;
        String turns = matrix(call, length, 2 * count, () -> FourierMatrices.half(type(call), length, length));
        return reshaped(call, call.step("MatMul", fitted(call, x, -1, length), turns), rank - 1, count, 2);
    }

    /**
     * The transform of complex numbers along one axis.
     *
     * @param rank with the axis of the parts
     */
    private static String whole(TfCall call, String x, int rank, int axis, int length, int sign) {
        String turns =
                matrix(call, 2 * length, 2 * length, () -> FourierMatrices.whole(type(call), length, length, sign));
        String lines = swapped(call, x, rank, axis);
        String product = call.step("MatMul", reshaped(call, lines, rank - 2, 2L * length), turns);
        return swapped(call, reshaped(call, product, rank - 2, length, 2), rank, axis);
    }

    /** With an axis as the last one before that of the parts, which is where it was. */
    private static String swapped(TfCall call, String x, int rank, int axis) {
        if (axis == rank - 2) {
            return x;
        }
        long[] order = LongStream.range(0, rank).toArray();
        order[axis] = rank - 2L;
        order[rank - 2] = axis;
        return call.step("Transpose", List.of(x), new Params().put("perm", order));
    }

    private static void fromHalf(TfCall call, String x, int rank, int length) {
        int count = length / 2 + 1;
        String turns = matrix(call, 2 * count, length, () -> FourierMatrices.fromHalf(type(call), count, length));
        call.give("MatMul", reshaped(call, fitted(call, x, -2, count), rank - 1, 2L * count), turns);
    }
}
