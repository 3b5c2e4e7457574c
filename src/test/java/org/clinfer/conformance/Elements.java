package org.clinfer.conformance;

import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Operators that work element by element. */
final class Elements {

    private Elements() {}

    /** The function of its parameters, for each element of the only tensor. */
    static Reference map(Function<Call, DoubleUnaryOperator> rule) {
        return Reference.single(call -> {
            Array x = call.input(0);
            DoubleUnaryOperator function = rule.apply(call);
            return like(x, Array.of(x.dims(), index -> function.applyAsDouble(x.at(index))));
        });
    }

    /** A function of two tensors that broadcast, which may depend on their types; the result has the type of the first. */
    static Reference pair(Function<Call, DoubleBinaryOperator> rule) {
        return Reference.single(call -> {
            Array a = call.input(0);
            Array b = call.input(1);
            DoubleBinaryOperator function = rule.apply(call);
            return like(
                    a,
                    Array.of(
                            broadcast(a.dims(), b.dims()),
                            index -> function.applyAsDouble(a.broadcastAt(index), b.broadcastAt(index))));
        });
    }

    /** All inputs that broadcast, folded from the left. */
    static Reference fold(DoubleBinaryOperator function) {
        return Reference.single(call -> {
            Array[] all =
                    IntStream.range(0, call.inputs()).mapToObj(call::input).toArray(Array[]::new);
            long[] dims = broadcast(Arrays.stream(all).map(Array::dims).toArray(long[][]::new));
            return like(
                    all[0],
                    Array.of(
                            dims,
                            index -> Arrays.stream(all)
                                    .mapToDouble(x -> x.broadcastAt(index))
                                    .reduce(function)
                                    .orElseThrow()));
        });
    }

    /** {@code result} in the type of {@code source}. */
    static Array like(Array source, Array result) {
        return result.as(source.type().orElseThrow());
    }

    /** Whether an input has an integer type. */
    static boolean isInteger(Array x) {
        return x.type().orElseThrow().isInteger();
    }

    /** The shape of numpy's broadcasting. */
    static long[] broadcast(long[]... shapes) {
        int rank = Arrays.stream(shapes).mapToInt(s -> s.length).max().orElse(0);
        long[] dims = new long[rank];
        Arrays.fill(dims, 1);
        for (long[] shape : shapes) {
            for (int i = 0; i < shape.length; i++) {
                int axis = rank - shape.length + i;
                if (shape[i] != 1 && dims[axis] != 1 && dims[axis] != shape[i]) {
                    throw new IllegalArgumentException("shapes do not broadcast: " + Arrays.deepToString(shapes));
                }
                dims[axis] = dims[axis] == 1 ? shape[i] : dims[axis];
            }
        }
        return dims;
    }
}
