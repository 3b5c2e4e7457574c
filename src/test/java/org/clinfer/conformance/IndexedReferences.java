package org.clinfer.conformance;

import java.util.Arrays;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.LongStream;

/** Operators that choose or replace elements and slices one by one, as the loops in ONNX's text say. */
final class IndexedReferences {

    private IndexedReferences() {}

    static Map<String, Reference> all() {
        return Map.of(
                "GatherElements", Reference.single(IndexedReferences::gatherElements),
                "GatherND", Reference.single(IndexedReferences::gatherNd),
                "ScatterElements", Reference.single(IndexedReferences::scatterElements),
                "ScatterND", Reference.single(IndexedReferences::scatterNd),
                "ReverseSequence", Reference.single(IndexedReferences::reverseSequence));
    }

    private static long[] with(long[] index, int axis, long value) {
        long[] changed = index.clone();
        changed[axis] = value;
        return changed;
    }

    private static long counted(double index, long size) {
        return (long) (index < 0 ? index + size : index);
    }

    private static long[] joined(long[]... lists) {
        return Arrays.stream(lists).flatMapToLong(Arrays::stream).toArray();
    }

    private static Array gatherElements(Call call) {
        Array data = call.input(0);
        Array indices = call.input(1);
        int axis = Values.axis(call.integer("axis", 0), data.rank());
        return Elements.like(
                data,
                Array.of(
                        indices.dims(),
                        index -> data.at(with(index, axis, counted(indices.at(index), data.dim(axis))))));
    }

    /** The numbers of the row of indices at {@code row}, as places of the axes of data from {@code first} on. */
    private static long[] tuple(Array indices, long[] row, Array data, int first) {
        return LongStream.range(0, indices.dim(-1))
                .map(k -> counted(indices.at(joined(row, new long[] {k})), data.dim(first + (int) k)))
                .toArray();
    }

    private static Array gatherNd(Call call) {
        Array data = call.input(0);
        Array indices = call.input(1);
        int batch = (int) call.integer("batch_dims", 0);
        int rows = indices.rank() - 1;
        long[] rest = Arrays.copyOfRange(data.dims(), batch + (int) indices.dim(-1), data.rank());
        long[] dims = joined(Arrays.copyOf(indices.dims(), rows), rest);
        return Elements.like(data, Array.of(dims, index -> {
            long[] tuple = tuple(indices, Arrays.copyOf(index, rows), data, batch);
            return data.at(joined(Arrays.copyOf(index, batch), tuple, Arrays.copyOfRange(index, rows, index.length)));
        }));
    }

    private static DoubleBinaryOperator reduction(Call call) {
        return switch (call.text("reduction", "none")) {
            case "add" -> Double::sum;
            case "mul" -> (a, b) -> a * b;
            case "max" -> Math::max;
            case "min" -> Math::min;
            default -> (a, b) -> b;
        };
    }

    /** The position of an index in row-major order. */
    private static int position(Array array, long[] index) {
        long position = 0;
        for (int axis = 0; axis < index.length; axis++) {
            position = position * array.dim(axis) + index[axis];
        }
        return (int) position;
    }

    private static Array scatterElements(Call call) {
        Array data = call.input(0);
        Array indices = call.input(1);
        Array updates = call.input(2);
        int axis = Values.axis(call.integer("axis", 0), data.rank());
        DoubleBinaryOperator reduction = reduction(call);
        double[] values = data.values();
        Array.of(indices.dims(), index -> {
            int at = position(data, with(index, axis, counted(indices.at(index), data.dim(axis))));
            values[at] = reduction.applyAsDouble(values[at], updates.at(index));
            return 0;
        });
        return Elements.like(data, new Array(data.dims(), values));
    }

    private static Array scatterNd(Call call) {
        Array data = call.input(0);
        Array indices = call.input(1);
        Array updates = call.input(2);
        DoubleBinaryOperator reduction = reduction(call);
        int rows = indices.rank() - 1;
        double[] values = data.values();
        Array.of(updates.dims(), index -> {
            long[] tuple = tuple(indices, Arrays.copyOf(index, rows), data, 0);
            int at = position(data, joined(tuple, Arrays.copyOfRange(index, rows, index.length)));
            values[at] = reduction.applyAsDouble(values[at], updates.at(index));
            return 0;
        });
        return Elements.like(data, new Array(data.dims(), values));
    }

    private static Array reverseSequence(Call call) {
        Array x = call.input(0);
        int batch = (int) call.integer("batch_axis", 1);
        int time = (int) call.integer("time_axis", 0);
        return Elements.like(x, Array.of(x.dims(), index -> {
            long length = (long) call.input(1).at(index[batch]);
            return x.at(index[time] < length ? with(index, time, length - 1 - index[time]) : index);
        }));
    }
}
