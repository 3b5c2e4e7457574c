package org.clinfer.cpu.movement;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.DataException;
import org.clinfer.cpu.memory.CellCopy;
import org.clinfer.cpu.memory.LongValues;
import org.clinfer.cpu.memory.OrderedKeys;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Operators that give indices of elements, or put elements at indices: NonZero, MaxPoolIndices, MaxUnpool, Col2Im; and Det. */
final class IndexOperators {

    private IndexOperators() {}

    static Map<String, CpuOperator> all() {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.put("NonZero", IndexOperators::nonZero);
        all.put("MaxPoolIndices", IndexOperators::maxPoolIndices);
        all.put("MaxUnpool", IndexOperators::maxUnpool);
        all.put("Col2Im", IndexOperators::col2Im);
        all.put("Det", IndexOperators::determinants);
        return all;
    }

    private static void nonZero(CpuCall call) {
        Tensor x = call.input(0);
        Tensor positions = call.outputs().get(0);
        int rank = x.shape().rank();
        int elements = Math.toIntExact(x.elements());
        long[] sizes = x.shape().sizes();
        long[] all = new long[Math.multiplyExact(rank, elements)];
        Arrays.fill(all, -1);
        double[] values = x.dtype().isFloating() ? TensorValues.allDoubles(x) : new double[0];
        long[] wholes = x.dtype().isFloating() ? new long[0] : x.toLongArray();
        int count = 0;
        for (int i = 0; i < elements; i++) {
            if (x.dtype().isFloating() ? values[i] == 0 : wholes[i] == 0) {
                continue;
            }
            long rest = i;
            for (int axis = rank - 1; axis >= 0; axis--) {
                all[axis * elements + count] = rest % sizes[axis];
                rest /= sizes[axis];
            }
            count++;
        }
        LongValues.writeAll(all, positions, call.parallel());
        call.outputs().get(1).setLong(0, count);
    }

    private static void maxPoolIndices(CpuCall call) {
        Parameters params = call.parameters();
        OrderedKeys keys = new OrderedKeys(call.input(0));
        int[] in = params.ints("in3");
        int[] out = params.ints("out3");
        int[] kernel = params.ints("kernel3");
        int[] stride = params.ints("stride3");
        int[] dilation = params.ints("dilation3");
        int[] pad = params.ints("pad_begin3");
        boolean byColumns = params.integer("storage_order") == 1;
        int plane = in[0] * in[1] * in[2];
        int positions = out[0] * out[1] * out[2];
        Tensor output = call.output();
        int count = Math.toIntExact(output.elements());
        call.parallel().forRange(count, Chunks.grain((long) kernel[0] * kernel[1] * kernel[2]), (from, to) -> {
            for (int i = from; i < to; i++) {
                int first = i / positions * plane;
                int best = -1;
                for (int d = 0; d < kernel[0]; d++) {
                    int deep = i / (out[1] * out[2]) % out[0] * stride[0] - pad[0] + d * dilation[0];
                    for (int h = 0; h < kernel[1] && deep >= 0 && deep < in[0]; h++) {
                        int down = i / out[2] % out[1] * stride[1] - pad[1] + h * dilation[1];
                        for (int w = 0; w < kernel[2] && down >= 0 && down < in[1]; w++) {
                            int across = i % out[2] * stride[2] - pad[2] + w * dilation[2];
                            int at = first + (deep * in[1] + down) * in[2] + across;
                            if (across >= 0 && across < in[2] && (best < 0 || keys.at(at) > keys.at(best))) {
                                best = at;
                            }
                        }
                    }
                }
                output.setLong(i, best < 0 || !byColumns ? best : first + byColumns(best - first, in));
            }
        });
    }

    /** The number of an element of a plane where the first of its axes is the fastest. */
    private static int byColumns(int position, int[] in) {
        int deep = position / (in[1] * in[2]);
        int down = position / in[2] % in[1];
        int across = position % in[2];
        return (across * in[1] + down) * in[0] + deep;
    }

    private static void maxUnpool(CpuCall call) {
        long[] inferred = call.parameters().integers("inferred");
        long[] sizes = call.output().shape().sizes();
        long[] indices = call.input(1).toLongArray();
        long elements = Arrays.stream(inferred).reduce(1, (a, b) -> a * b);
        boolean same = Arrays.equals(inferred, sizes);
        CellCopy cells = CellCopy.of(call.input(0), call.output());
        byte[] zeros = new byte[1 << 12];
        for (int at = 0; at < cells.to().limit(); at += zeros.length) {
            cells.to().put(at, zeros, 0, Math.min(zeros.length, cells.to().limit() - at));
        }
        for (int i = 0; i < indices.length; i++) {
            if (indices[i] < 0 || indices[i] >= elements) {
                throw new DataException(
                        "index " + indices[i] + " at position " + i + " is outside of 0 ... " + (elements - 1));
            }
            cells.copy(i, 1, same ? (int) indices[i] : moved(indices[i], inferred, sizes), 1);
        }
    }

    /** The position of an element in a larger tensor that begins like its own. */
    private static int moved(long index, long[] inferred, long[] sizes) {
        long rest = index;
        long position = 0;
        long stride = 1;
        for (int axis = sizes.length - 1; axis >= 0; axis--) {
            position += rest % inferred[axis] * stride;
            rest /= inferred[axis];
            stride *= sizes[axis];
        }
        return Math.toIntExact(position);
    }

    private static void col2Im(CpuCall call) {
        Tensor x = call.input(0);
        Columns columns = new Columns(call.parameters());
        int planes = Math.toIntExact(
                call.output().shape().size(0) * call.output().shape().size(1));
        int image = product(columns.image);
        if (x.dtype().isFloating()) {
            double[] values = TensorValues.allDoubles(x);
            double[] sums = new double[Math.multiplyExact(planes, image)];
            columns.forEach(planes, image, (from, to) -> sums[to] += values[from]);
            TensorValues.of(call.output()).writeAll(sums, call.parallel());
        } else {
            long[] values = x.toLongArray();
            long[] sums = new long[Math.multiplyExact(planes, image)];
            columns.forEach(planes, image, (from, to) -> sums[to] += values[from]);
            LongValues.writeAll(sums, call.output(), call.parallel());
        }
    }

    private static int product(int[] sizes) {
        return Arrays.stream(sizes).reduce(1, Math::multiplyExact);
    }

    /** A function that takes each pair of elements of columns and image that belong together. */
    @FunctionalInterface
    private interface Pair {
        void accept(int from, int to);
    }

    /** The geometry of columns; one list each for the axes of the image. */
    private static final class Columns {

        private final int[] image;
        private final int[] block;
        private final int[] blocks;
        private final int[] strides;
        private final int[] dilations;
        private final int[] pads;

        Columns(Parameters params) {
            image = params.ints("image");
            block = params.ints("block");
            blocks = params.ints("blocks");
            strides = params.ints("strides");
            dilations = params.ints("dilations");
            pads = params.ints("pads");
        }

        void forEach(int planes, int size, Pair body) {
            int count = product(blocks);
            int taps = product(block);
            for (int tap = 0; tap < taps; tap++) {
                for (int k = 0; k < count; k++) {
                    int position = position(tap, k);
                    for (int plane = 0; position >= 0 && plane < planes; plane++) {
                        body.accept((plane * taps + tap) * count + k, plane * size + position);
                    }
                }
            }
        }

        /** The position of an element of a block in the image, -1 for one in the padding. */
        private int position(int tap, int number) {
            int inBlock = tap;
            int rest = number;
            long position = 0;
            long stride = 1;
            for (int axis = image.length - 1; axis >= 0; axis--) {
                long at = (long) rest % blocks[axis] * strides[axis]
                        + (long) (inBlock % block[axis]) * dilations[axis]
                        - pads[axis];
                if (at < 0 || at >= image[axis]) {
                    return -1;
                }
                position += at * stride;
                stride *= image[axis];
                rest /= blocks[axis];
                inBlock /= block[axis];
            }
            return (int) position;
        }
    }

    private static void determinants(CpuCall call) {
        Shape shape = call.input(0).shape();
        int size = Math.toIntExact(shape.size(shape.rank() - 1));
        double[] values = TensorValues.allDoubles(call.input(0));
        double[] results = new double[Math.toIntExact(call.output().elements())];
        call.parallel().forRange(results.length, Chunks.grain((long) size * size * size), (from, to) -> {
            for (int i = from; i < to; i++) {
                results[i] = determinant(values, i * size * size, size);
            }
        });
        TensorValues.of(call.output()).writeAll(results, call.parallel());
    }

    /** By elimination, each time by the row whose element is largest; the matrix is lost. */
    private static double determinant(double[] a, int first, int size) {
        double result = 1;
        for (int k = 0; k < size; k++) {
            int pivot = k;
            for (int row = k + 1; row < size; row++) {
                if (Math.abs(a[first + row * size + k]) > Math.abs(a[first + pivot * size + k])) {
                    pivot = row;
                }
            }
            double largest = a[first + pivot * size + k];
            if (largest == 0) {
                return 0;
            }
            result *= pivot == k ? largest : -largest;
            for (int column = k; column < size && pivot != k; column++) {
                double swapped = a[first + k * size + column];
                a[first + k * size + column] = a[first + pivot * size + column];
                a[first + pivot * size + column] = swapped;
            }
            for (int row = k + 1; row < size; row++) {
                double factor = a[first + row * size + k] / largest;
                for (int column = k; column < size; column++) {
                    a[first + row * size + column] -= factor * a[first + k * size + column];
                }
            }
        }
        return result;
    }
}
