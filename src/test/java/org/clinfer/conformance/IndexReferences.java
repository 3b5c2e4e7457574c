package org.clinfer.conformance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.clinfer.tensor.DType;

/** Operators that give indices of elements, or put elements at indices; and determinants. */
final class IndexReferences {

    private IndexReferences() {}

    static Map<String, Reference> all() {
        return Map.of(
                "NonZero", IndexReferences::nonZero,
                "MaxPoolIndices", Reference.single(IndexReferences::maxPoolIndices),
                "MaxUnpool", Reference.single(IndexReferences::maxUnpool),
                "Col2Im", Reference.single(IndexReferences::col2Im),
                "Det", Reference.single(IndexReferences::determinant));
    }

    private static List<Array> nonZero(Call call) {
        Array x = call.input(0);
        List<long[]> found = new ArrayList<>();
        Array.of(x.dims(), index -> {
            if (x.at(index) != 0) {
                found.add(index.clone());
            }
            return 0;
        });
        Array places = Array.of(
                new long[] {x.rank(), x.elements()},
                at -> at[1] < found.size() ? found.get((int) at[1])[(int) at[0]] : -1);
        return List.of(
                places.as(DType.INT64),
                Array.of(new long[] {1}, at -> found.size()).as(DType.INT64));
    }

    private static Array maxPoolIndices(Call call) {
        Array x = call.input(0);
        Window window = WindowReferences.poolWindow(call, x);
        long[] size = Indices.from(x.dims(), 2);
        Array places = Array.of(window.outputDims(x.dim(0), x.dim(1)), out -> {
            long[] best = null;
            for (long[] cell : window.cells(out)) {
                if (window.isInside(cell) && (best == null || beats(at(x, out, cell), at(x, out, best)))) {
                    best = cell;
                }
            }
            if (best == null) {
                return -1;
            }
            double place = 0;
            for (int k = 0; k < size.length; k++) {
                int axis = call.integer("storage_order", 0) == 1 ? size.length - 1 - k : k;
                place = place * size[axis] + best[axis];
            }
            return place + (out[0] * x.dim(1) + out[1]) * Array.elements(size);
        });
        return places.as(DType.INT64);
    }

    private static double at(Array x, long[] out, long[] cell) {
        return x.at(Indices.join(out[0], out[1], cell));
    }

    private static boolean beats(double a, double b) {
        return a > b || (Double.isNaN(a) && !Double.isNaN(b));
    }

    private static Array maxUnpool(Call call) {
        Array x = call.input(0);
        int axes = x.rank() - 2;
        long[] kernel = call.ints("kernel_shape");
        long[] strides = call.ints("strides", Indices.filled(axes, 1));
        long[] pads = call.ints("pads", Indices.filled(2 * axes, 0));
        long[] inferred = x.dims();
        for (int i = 0; i < axes; i++) {
            inferred[i + 2] = (x.dim(i + 2) - 1) * strides[i] + kernel[i] - pads[i] - pads[i + axes];
        }
        double[] values = new double[(int) Array.elements(inferred)];
        for (int i = 0; i < x.elements(); i++) {
            values[(int) call.input(1).flat(i)] = x.flat(i);
        }
        Array small = new Array(inferred, values);
        long[] dims = Values.ints(call, 2, "output_shape", inferred);
        return Elements.like(x, Array.of(dims, index -> {
            for (int axis = 0; axis < index.length; axis++) {
                if (index[axis] >= inferred[axis]) {
                    return 0;
                }
            }
            return small.at(index);
        }));
    }

    private static Array col2Im(Call call) {
        Array x = call.input(0);
        long[] image = Values.ints(call, 1, "image_shape");
        long[] block = Values.ints(call, 2, "block_shape");
        int axes = image.length;
        long[] strides = call.ints("strides", Indices.filled(axes, 1));
        long[] dilations = call.ints("dilations", Indices.filled(axes, 1));
        long[] pads = call.ints("pads", Indices.filled(2 * axes, 0));
        long[] blocks = new long[axes];
        for (int i = 0; i < axes; i++) {
            blocks[i] = (image[i] + pads[i] + pads[i + axes] - dilations[i] * (block[i] - 1) - 1) / strides[i] + 1;
        }
        long[][] taps = Indices.all(block);
        long[][] places = Indices.all(blocks);
        return Elements.like(x, Array.of(Indices.join(x.dim(0), x.dim(1) / taps.length, image), out -> {
            double sum = 0;
            for (int tap = 0; tap < taps.length; tap++) {
                for (int k = 0; k < places.length; k++) {
                    boolean here = true;
                    for (int i = 0; i < axes; i++) {
                        here &= places[k][i] * strides[i] + taps[tap][i] * dilations[i] - pads[i] == out[i + 2];
                    }
                    sum += here ? x.at(out[0], out[1] * taps.length + tap, k) : 0;
                }
            }
            return sum;
        }));
    }

    private static Array determinant(Call call) {
        Array x = call.input(0);
        int axes = x.rank() - 2;
        int size = (int) x.dim(-1);
        return Array.of(Arrays.copyOf(x.dims(), axes), index -> {
            double[][] matrix = new double[size][size];
            for (int row = 0; row < size; row++) {
                for (int column = 0; column < size; column++) {
                    long[] at = Arrays.copyOf(index, axes + 2);
                    at[axes] = row;
                    at[axes + 1] = column;
                    matrix[row][column] = x.at(at);
                }
            }
            return expanded(matrix, 0, 0);
        });
    }

    /** By the first row that is left, over the columns that are not used yet (Laplace). */
    private static double expanded(double[][] matrix, int row, int used) {
        if (row == matrix.length) {
            return 1;
        }
        double sum = 0;
        int sign = 1;
        for (int column = 0; column < matrix.length; column++) {
            if ((used & 1 << column) == 0) {
                sum += matrix[row][column] == 0
                        ? 0
                        : sign * matrix[row][column] * expanded(matrix, row + 1, used | 1 << column);
                sign = -sign;
            }
        }
        return sum;
    }
}
