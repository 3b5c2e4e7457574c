package org.clinfer.benchdnn;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * What goes into a problem: numbers between -1 and 1, of an integer type from -128 to 127, that its data type holds.
 *
 * @param input channels first
 * @param weights channels first
 * @param bias one element per output channel, or none
 */
@SuppressWarnings("ArrayRecordComponent")
record Operands(double[] input, double[] weights, double[] bias) {

    /** The same numbers for the same problem and type, whatever else is run. */
    static Operands random(Problem problem, DType dtype, boolean bias) {
        SplittableRandom random = new SplittableRandom(problem.geometry().hashCode());
        return new Operands(
                numbers(random, problem.inputElements(), dtype),
                numbers(random, problem.weightElements(), dtype),
                numbers(random, bias ? problem.outChannels() : 0, dtype));
    }

    private static double[] numbers(SplittableRandom random, long count, DType dtype) {
        double[] numbers = new double[Math.toIntExact(count)];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = dtype.isFloating() ? 2 * random.nextDouble() - 1 : random.nextInt(-128, 128);
        }
        return elements(tensor(numbers, TensorType.of(dtype, count)));
    }

    /** A tensor of a type with these elements, rounded to it. */
    static Tensor tensor(double[] values, TensorType type) {
        if (type.dtype() == DType.FLOAT64) {
            Tensor tensor = Tensor.allocate(type);
            tensor.bytes().asDoubleBuffer().put(values);
            return tensor;
        }
        float[] singles = new float[values.length];
        for (int i = 0; i < singles.length; i++) {
            singles[i] = (float) values[i];
        }
        Tensor tensor = Tensor.of(singles, type.shape().sizes());
        return type.dtype() == DType.FLOAT32 ? tensor : tensor.to(type.dtype());
    }

    /** The elements of a tensor; int64 beyond 2^53 loses its low bits. */
    static double[] elements(Tensor tensor) {
        double[] values = new double[Math.toIntExact(tensor.elements())];
        if (tensor.dtype() == DType.FLOAT64) {
            tensor.bytes().asDoubleBuffer().get(values);
            return values;
        }
        if (tensor.dtype().isInteger()) {
            Arrays.setAll(values, tensor::getLong);
            return values;
        }
        float[] singles = tensor.toFloatArray();
        Arrays.setAll(values, i -> singles[i]);
        return values;
    }
}
