package org.clinfer.importer.tflite;

import java.util.Set;
import java.util.stream.IntStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * The Fourier transform along the last two axes, as products with constant matrices, and the parts of complex numbers. These are
 * held as real ones with a last axis of two more, which no other operator may take but RESHAPE.
 */
final class TfliteFourierLayers {

    /** Operators that take complex numbers. */
    static final Set<String> OF_COMPLEX = Set.of("REAL", "IMAG", "COMPLEX_ABS");

    /** Operators that give complex numbers. */
    static final Set<String> GIVES_COMPLEX = Set.of("RFFT2D");

    /** Operators that give complex numbers if their first input has such. */
    static final Set<String> MOVES_COMPLEX = Set.of("RESHAPE");

    private static final long MOST_ELEMENTS = 1 << 26;

    private TfliteFourierLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        all.one("RFFT2D", TfliteFourierLayers::transform);
        all.one("REAL", call -> part(call, 0));
        all.one("IMAG", call -> part(call, 1));
        all.one("COMPLEX_ABS", TfliteFourierLayers::distance);
    }

    private static Value part(TfliteCall call, long which) {
        call.requireInputs(1, 1);
        Value number = call.constant("which", Tensor.scalar(which));
        return call.add("Gather", new Params().put("axis", -1L), call.plain(0), number);
    }

    private static Value distance(TfliteCall call) {
        call.requireInputs(1, 1);
        Params last = new Params().put("axis", new long[] {-1}).put("keep_dims", false);
        return call.add("ReduceL2", last, call.plain(0));
    }

    private static Value transform(TfliteCall call) {
        call.requireInputs(2, 2);
        Value x = call.plain(0);
        long[] lengths = call.requiredIntegers(1, "fft_length");
        int rank = x.rank();
        if (lengths.length != 2 || rank < 2 || lengths[0] < 1 || lengths[1] < 1) {
            throw call.malformed("its fft_length is " + TfliteCall.shown(lengths) + " for " + x.shape());
        }
        Value fitted = fitted(call, fitted(call, x, rank - 2, lengths[0]), rank - 1, lengths[1]);
        long count = lengths[1] / 2 + 1;
        Value rows = call.add("MatMul", fitted, halfTurns(call, lengths[1], count));
        if (lengths[0] == 1) {
            return reshaped(call, rows, rank - 2, 1, count, 2);
        }
        // rows x (column, part) to column x (row, part)
        Value apart = reshaped(call, rows, rank - 2, lengths[0], count, 2);
        Value columns = reshaped(call, moved(call, apart), rank - 2, count, 2 * lengths[0]);
        Value product = call.add("MatMul", columns, turns(call, lengths[0]));
        return moved(call, reshaped(call, product, rank - 2, count, lengths[0], 2));
    }

    /** With zeros behind an axis, or without its end. */
    private static Value fitted(TfliteCall call, Value x, int axis, long length) {
        if (!x.shape().dim(axis).isKnown()) {
            throw call.unsupportedUse("an axis whose size is not known");
        }
        long size = x.shape().size(axis);
        if (size >= length) {
            Params ends = new Params()
                    .put("starts", new long[] {0})
                    .put("ends", new long[] {length})
                    .put("axes", new long[] {axis});
            return size == length ? x : call.add("Slice", ends, x);
        }
        long[] pads = new long[2 * x.rank()];
        pads[x.rank() + axis] = length - size;
        return call.add("Pad", new Params().put("pads", pads), x);
    }

    /** The axes before as they are, and others in the place of those behind. */
    private static Value reshaped(TfliteCall call, Value x, int kept, long... behind) {
        long[] shape = IntStream.range(0, kept + behind.length)
                .mapToLong(axis -> axis < kept ? 0 : behind[axis - kept])
                .toArray();
        return call.add("Reshape", new Params().put("shape", shape), x);
    }

    /** With the two axes before the last one exchanged. */
    private static Value moved(TfliteCall call, Value x) {
        int rank = x.rank();
        long[] perm = IntStream.range(0, rank).asLongStream().toArray();
        perm[rank - 3] = rank - 2L;
        perm[rank - 2] = rank - 3L;
        return call.add("Transpose", new Params().put("perm", perm), x);
    }

    private static Value matrix(TfliteCall call, String what, long rows, long columns, Element element) {
        if (rows > MOST_ELEMENTS / columns) {
            throw call.unsupportedUse("a matrix of " + rows + " x " + columns);
        }
        return call.shared("turns/" + what, () -> {
            Tensor matrix = Tensor.allocate(DType.FLOAT32, rows, columns);
            for (long row = 0; row < rows; row++) {
                for (long column = 0; column < columns; column++) {
                    matrix.setDouble(row * columns + column, element.at(row, column));
                }
            }
            return matrix;
        });
    }

    /** The elements of a matrix by row and column. */
    private interface Element {
        double at(long row, long column);
    }

    private static double turn(long times, long length) {
        return -2 * Math.PI * (times % length) / length;
    }

    private static Value halfTurns(TfliteCall call, long length, long count) {
        return matrix(call, "half/" + length, length, 2 * count, (row, column) -> {
            double turn = turn(row * (column / 2), length);
            return column % 2 == 0 ? Math.cos(turn) : Math.sin(turn);
        });
    }

    /** Complex numbers by complex numbers, each of two rows and columns. */
    private static Value turns(TfliteCall call, long length) {
        return matrix(call, "whole/" + length, 2 * length, 2 * length, (row, column) -> {
            double turn = turn(row / 2 * (column / 2), length);
            if (row % 2 == column % 2) {
                return Math.cos(turn);
            }
            return column % 2 == 0 ? -Math.sin(turn) : Math.sin(turn);
        });
    }
}
