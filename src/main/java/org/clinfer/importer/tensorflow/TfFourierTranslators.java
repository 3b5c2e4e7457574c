package org.clinfer.importer.tensorflow;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.importer.Angle;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Fourier transforms along the last axis, as products with constant matrices, and the parts of complex numbers. These are held
 * as real ones with a last axis of two more, which no other operator may take.
 */
final class TfFourierTranslators {

    /** Operators that take complex numbers. */
    static final Set<String> OF_COMPLEX = Set.of("Real", "Imag", "ComplexAbs", "Angle", "FFT", "IFFT", "IRFFT");

    /** Operators that give complex numbers. */
    static final Set<String> GIVES_COMPLEX = Set.of("Complex", "RFFT", "FFT", "IFFT");

    private static final long LONGEST = 1 << 13;

    private TfFourierTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "Complex", TfFourierTranslators::joined,
                "Real", call -> part(call, 0),
                "Imag", call -> part(call, 1),
                "ComplexAbs", TfFourierTranslators::distance,
                "Angle", TfFourierTranslators::angle,
                "RFFT", TfFourierTranslators::half,
                "FFT", call -> whole(call, false),
                "IFFT", call -> whole(call, true),
                "IRFFT", TfFourierTranslators::fromHalf);
    }

    private static String complex(TfCall call) {
        TfValue x = call.input(0);
        if (!call.graph().isComplex(x)) {
            throw call.unsupportedUse("an input that is no complex number");
        }
        return call.plain(x);
    }

    private static void give(TfCall call, String op, List<String> operands, Params params) {
        call.graph().markComplex(call.give(op, operands, params));
    }

    private static void joined(TfCall call) {
        Params last = new Params().put("axis", new long[] {-1});
        String real = call.step("Unsqueeze", List.of(call.plain(0)), last);
        String imaginary = call.step("Unsqueeze", List.of(call.plain(1)), last);
        // the one that broadcasts is repeated
        String everywhere = call.scalar(DType.BOOL, 1);
        String first = call.step("Where", everywhere, real, imaginary);
        String second = call.step("Where", everywhere, imaginary, real);
        give(call, "Concat", List.of(first, second), new Params().put("axis", -1L));
    }

    private static String element(TfCall call, String complex, int which) {
        return call.step("Gather", List.of(complex, call.scalar(DType.INT64, which)), new Params().put("axis", -1L));
    }

    private static void part(TfCall call, int which) {
        call.give("Identity", element(call, complex(call), which));
    }

    private static void distance(TfCall call) {
        Params last = new Params().put("axis", new long[] {-1}).put("keep_dims", false);
        call.give("ReduceL2", List.of(complex(call)), last);
    }

    private static void angle(TfCall call) {
        String x = complex(call);
        DType type = call.dtype(call.input(0));
        Angle<String> angle =
                new Angle<>((op, names) -> call.step(op, names, new Params()), number -> call.scalar(type, number));
        call.give("Where", angle.where(element(call, x, 1), element(call, x, 0)), new Params());
    }

    private static int length(TfCall call) {
        return sound(call, call.requiredInteger(1, "fft_length"));
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

    /** The elements of a matrix by row and column, for turns of so many parts. */
    private interface Element {
        double at(int row, int column);
    }

    private static String matrix(TfCall call, int rows, int columns, Element element) {
        if (!call.graph().mayMake((long) rows * columns)) {
            throw call.unsupportedUse("a matrix of " + rows + " x " + columns);
        }
        Tensor matrix = Tensor.allocate(call.dtype(call.input(0)), rows, columns);
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                matrix.setDouble((long) row * columns + column, element.at(row, column));
            }
        }
        return call.constant("turns", matrix);
    }

    private static double turn(long times, int length) {
        return 2 * Math.PI * (times % length) / length;
    }

    /** The part of a product of a complex number with one of a turn: of part {@code from} for part {@code to}. */
    private static double product(int from, int to, double turn) {
        return from == to ? Math.cos(turn) : to == 0 ? -Math.sin(turn) : Math.sin(turn);
    }

    private static void half(TfCall call) {
        int length = length(call);
        int rank = call.rank(call.input(0));
        int count = length / 2 + 1;
        String turns = matrix(
                call,
                length,
                2 * count,
                (row, column) -> product(0, column % 2, -turn((long) row * (column / 2), length)));
        String product = call.step("MatMul", fitted(call, call.plain(0), -1, length), turns);
        give(call, "Identity", List.of(reshaped(call, product, rank - 1, count, 2)), new Params());
    }

    private static void whole(TfCall call, boolean inverse) {
        String x = complex(call);
        int rank = call.rank(call.input(0));
        int length = sound(
                call,
                call.input(0).size(rank - 2).orElseThrow(() -> call.unsupportedUse("an axis whose size is not known")));
        int sign = inverse ? 1 : -1;
        double scale = inverse ? 1.0 / length : 1;
        String turns = matrix(
                call,
                2 * length,
                2 * length,
                (row, column) ->
                        scale * product(row % 2, column % 2, sign * turn((long) (row / 2) * (column / 2), length)));
        String product = call.step("MatMul", reshaped(call, x, rank - 2, 2L * length), turns);
        give(call, "Identity", List.of(reshaped(call, product, rank - 2, length, 2)), new Params());
    }

    /** Each but the first one, and that of half the length, stands for its mirror image too. */
    private static void fromHalf(TfCall call) {
        int length = length(call);
        int rank = call.rank(call.input(0));
        int count = length / 2 + 1;
        String turns = matrix(call, 2 * count, length, (row, column) -> {
            int times = row / 2 == 0 || row / 2 * 2 == length ? 1 : 2;
            return (double) times / length * product(row % 2, 0, turn((long) (row / 2) * column, length));
        });
        String flat = reshaped(call, fitted(call, complex(call), -2, count), rank - 2, 2L * count);
        call.give("MatMul", flat, turns);
    }
}
