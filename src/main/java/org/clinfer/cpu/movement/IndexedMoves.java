package org.clinfer.cpu.movement;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.clinfer.costs.CpuWork;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.DataException;
import org.clinfer.cpu.memory.CellCopy;
import org.clinfer.cpu.memory.LongValues;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.tensor.Tensor;

/** Operators that choose or replace elements or slices one by one, by tensors of indices. */
final class IndexedMoves {

    private IndexedMoves() {}

    static Map<String, CpuOperator> all() {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.put("GatherElements", call -> gather(call, elements(call), 1));
        all.put(
                "GatherND",
                CpuOperator.of(
                        CpuWork.MOVEMENT,
                        call -> gather(call, slices(call, call.parameters().integer("batch_dims")), inner(call))));
        all.put("ScatterElements", call -> scatter(call, elements(call), 1));
        all.put("ScatterND", CpuOperator.of(CpuWork.MOVEMENT, call -> scatter(call, slices(call, 0), inner(call))));
        all.put("ReverseSequence", CpuOperator.of(CpuWork.MOVEMENT, IndexedMoves::reverse));
        return all;
    }

    private static int inner(CpuCall call) {
        return Math.toIntExact(call.parameters().integer("inner"));
    }

    /** The place in the data of each index that stands for one axis, its own place standing for the others. */
    private static int[] elements(CpuCall call) {
        long[] sizes = call.input(0).shape().sizes();
        long[] within = call.input(1).shape().sizes();
        long[] indices = call.input(1).toLongArray();
        int along = Math.toIntExact(call.parameters().integer("along"));
        int[] strides = strides(sizes);
        int[] at = new int[within.length];
        int[] places = new int[indices.length];
        for (int i = 0; i < places.length; i++) {
            int place = 0;
            for (int axis = 0; axis < at.length; axis++) {
                place += (axis == along ? inside(indices[i], sizes[axis], i) : at[axis]) * strides[axis];
            }
            places[i] = place;
            for (int axis = at.length - 1; axis >= 0; axis--) {
                at[axis]++;
                if (at[axis] < within[axis]) {
                    break;
                }
                at[axis] = 0;
            }
        }
        return places;
    }

    /** The begin in the data of the slice that each row of indices names. */
    private static int[] slices(CpuCall call, long batchAxes) {
        long[] sizes = call.input(0).shape().sizes();
        long[] indices = call.input(1).toLongArray();
        int depth = Math.toIntExact(call.parameters().integer("depth"));
        int first = Math.toIntExact(batchAxes);
        int[] strides = strides(sizes);
        long batches = Arrays.stream(sizes, 0, first).reduce(1, (a, b) -> a * b);
        int batchLength = first == 0 ? 0 : strides[first - 1];
        int[] places = new int[indices.length / depth];
        int rowsEach = (int) Math.max(1, places.length / Math.max(batches, 1));
        for (int row = 0; row < places.length; row++) {
            int place = row / rowsEach * batchLength;
            for (int k = 0; k < depth; k++) {
                place += inside(indices[row * depth + k], sizes[first + k], row * depth + k) * strides[first + k];
            }
            places[row] = place;
        }
        return places;
    }

    private static int inside(long index, long size, int position) {
        if (index < -size || index >= size) {
            throw new DataException(
                    "index " + index + " at position " + position + " is outside of " + -size + " ... " + (size - 1));
        }
        return (int) (index < 0 ? index + size : index);
    }

    private static int[] strides(long[] sizes) {
        int[] strides = new int[sizes.length];
        long stride = 1;
        for (int axis = sizes.length - 1; axis >= 0; axis--) {
            strides[axis] = Math.toIntExact(stride);
            stride *= sizes[axis];
        }
        return strides;
    }

    private static void gather(CpuCall call, int[] places, int length) {
        CellCopy cells = CellCopy.of(call.input(0), call.output());
        call.parallel().forRange(places.length, Chunks.grain(length), (from, to) -> {
            for (int i = from; i < to; i++) {
                cells.copy(places[i], 1, i * length, length);
            }
        });
    }

    /** One after another, because several updates may meet the same element. */
    private static void scatter(CpuCall call, int[] places, int length) {
        Tensor data = call.input(0);
        Tensor updates = call.input(2);
        String reduction = call.parameters().text("reduction");
        if (reduction.equals("none")) {
            if (data != call.output()) {
                call.output().bytes().put(data.bytes());
            }
            CellCopy cells = CellCopy.of(updates, call.output());
            for (int i = 0; i < places.length; i++) {
                cells.copy(i * length, 1, places[i], length);
            }
        } else if (data.dtype().isFloating()) {
            double[] values = TensorValues.allDoubles(data);
            double[] given = TensorValues.allDoubles(updates);
            DoubleBinaryOperator fold = reals(reduction);
            for (int i = 0; i < given.length; i++) {
                int at = places[i / length] + i % length;
                values[at] = fold.applyAsDouble(values[at], given[i]);
            }
            TensorValues.of(call.output()).writeAll(values, call.parallel());
        } else {
            long[] values = data.toLongArray();
            long[] given = updates.toLongArray();
            LongBinaryOperator fold = longs(reduction);
            for (int i = 0; i < given.length; i++) {
                int at = places[i / length] + i % length;
                values[at] = fold.applyAsLong(values[at], given[i]);
            }
            LongValues.writeAll(values, call.output(), call.parallel());
        }
    }

    private static DoubleBinaryOperator reals(String reduction) {
        return switch (reduction) {
            case "add" -> Double::sum;
            case "mul" -> (a, b) -> a * b;
            case "max" -> Math::max;
            default -> Math::min;
        };
    }

    private static LongBinaryOperator longs(String reduction) {
        return switch (reduction) {
            case "add" -> Long::sum;
            case "mul" -> (a, b) -> a * b;
            case "max" -> Math::max;
            default -> Math::min;
        };
    }

    private static void reverse(CpuCall call) {
        long[] sizes = call.input(0).shape().sizes();
        int[] strides = strides(sizes);
        int batchAxis = Math.toIntExact(call.parameters().integer("batch_axis"));
        int timeAxis = Math.toIntExact(call.parameters().integer("time_axis"));
        long[] lengths = call.input(1).toLongArray();
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] < 0 || lengths[i] > sizes[timeAxis]) {
                throw new DataException(
                        "length " + lengths[i] + " of sequence " + i + " is outside of 0 ... " + sizes[timeAxis]);
            }
        }
        int block = strides[Math.max(batchAxis, timeAxis)];
        int blocks = block == 0 ? 0 : Math.toIntExact(call.input(0).elements() / block);
        CellCopy cells = CellCopy.of(call.input(0), call.output());
        call.parallel().forRange(blocks, Chunks.grain(block), (from, to) -> {
            for (int i = from; i < to; i++) {
                int first = i * block;
                int step = (int) (first / strides[timeAxis] % sizes[timeAxis]);
                int length = (int) lengths[(int) (first / strides[batchAxis] % sizes[batchAxis])];
                int source = step < length ? first + (length - 1 - 2 * step) * strides[timeAxis] : first;
                cells.copy(source, 1, first, block);
            }
        });
    }
}
