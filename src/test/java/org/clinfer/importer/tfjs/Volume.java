package org.clinfer.importer.tfjs;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;
import org.clinfer.tensor.Tensor;

/** A row-major array of doubles. */
@SuppressWarnings("ArrayRecordComponent")
record Volume(int[] dims, double[] values) {

    static Volume of(int[] dims, ToDoubleFunction<int[]> element) {
        Volume volume = new Volume(dims, new double[elements(dims)]);
        int[] at = {0};
        each(dims, index -> volume.values[at[0]++] = element.applyAsDouble(index));
        return volume;
    }

    static Volume of(Tensor tensor) {
        int[] dims =
                Arrays.stream(tensor.shape().sizes()).mapToInt(Math::toIntExact).toArray();
        double[] values = new double[elements(dims)];
        Arrays.setAll(values, tensor::getDouble);
        return new Volume(dims, values);
    }

    private static int elements(int... dims) {
        return Arrays.stream(dims).reduce(1, Math::multiplyExact);
    }

    /** Every index of a shape in row-major order; the array is used again. */
    static void each(int[] dims, Consumer<int[]> action) {
        int[] index = new int[dims.length];
        for (int left = elements(dims); left > 0; left--) {
            action.accept(index);
            for (int axis = dims.length - 1; axis >= 0 && ++index[axis] == dims[axis]; axis--) {
                index[axis] = 0;
            }
        }
    }

    int rank() {
        return dims.length;
    }

    int dim(int axis) {
        return dims[axis < 0 ? axis + dims.length : axis];
    }

    private int position(int... index) {
        int position = 0;
        for (int axis = 0; axis < dims.length; axis++) {
            if (index[axis] < 0 || index[axis] >= dims[axis]) {
                throw new IndexOutOfBoundsException(Arrays.toString(index) + " in " + Arrays.toString(dims));
            }
            position = position * dims[axis] + index[axis];
        }
        return position;
    }

    double at(int... index) {
        return values[position(index)];
    }

    void add(double value, int... index) {
        values[position(index)] += value;
    }

    Volume map(DoubleUnaryOperator function) {
        return new Volume(dims, Arrays.stream(values).map(function).toArray());
    }

    /** With the axes in another order. */
    Volume permuted(int... perm) {
        int[] moved = Arrays.stream(perm).map(axis -> dims[axis]).toArray();
        return of(moved, index -> {
            int[] from = new int[dims.length];
            for (int axis = 0; axis < perm.length; axis++) {
                from[perm[axis]] = index[axis];
            }
            return at(from);
        });
    }

    Tensor tensor() {
        float[] floats = new float[values.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) values[i];
        }
        return Tensor.of(floats, Arrays.stream(dims).asLongStream().toArray());
    }
}
