package org.clinfer.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.FloatArrays;
import org.clinfer.cpu.call.Kept;
import org.clinfer.cpu.call.PackedWeights;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * Runs one operator in plain loops and in vectors, on one and on two threads, over poisoned outputs and compares it with
 * expected values.
 */
public record OperatorRun(String optype, Parameters parameters, List<@Nullable Tensor> inputs, TensorType output) {

    public static Tensor random(Random random, DType dtype, long... sizes) {
        Tensor tensor = Tensor.allocate(dtype, sizes);
        for (int i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, dtype.isInteger() ? random.nextInt(41) - 20 : random.nextGaussian());
        }
        return tensor;
    }

    public static double[] values(Tensor tensor) {
        double[] values = new double[Math.toIntExact(tensor.elements())];
        Arrays.setAll(values, tensor::getDouble);
        return values;
    }

    public static int pick(Random random, int... choices) {
        return choices[random.nextInt(choices.length)];
    }

    public static TensorType type(DType dtype, int... sizes) {
        return new TensorType(
                dtype, Shape.of(Arrays.stream(sizes).asLongStream().toArray()));
    }

    /** A real result as an element of an integer type: rounded half to even, saturated; other types keep it. */
    public static double stored(DType dtype, double value) {
        if (!dtype.isInteger()) {
            return value;
        }
        double limit = Math.scalb(1.0, dtype.bits() - 1);
        return Math.max(-limit, Math.min(limit - 1, Math.rint(value)));
    }

    public static double tolerance(DType dtype) {
        return switch (dtype) {
            case FLOAT64 -> 1e-11;
            case FLOAT32 -> 2e-5;
            case FLOAT16 -> 2e-3;
            case BFLOAT16 -> 1.5e-2;
            default -> 0;
        };
    }

    /** The result in vectors. */
    public Tensor compute(int threads) {
        return compute(TestRuns.OPERATORS.get(1), threads);
    }

    private Tensor compute(CpuOperators operators, int threads) {
        return compute(operators, threads, CpuCall.Constants.NONE);
    }

    private Tensor compute(CpuOperators operators, int threads, CpuCall.Constants constants) {
        CpuOperator operator = operators.find(optype).orElseThrow();
        Tensor result = TestRuns.poisoned(output, (byte) -1);
        try (Parallel parallel = TestRuns.poisonedPool(threads)) {
            operator.run(new CpuCall(parameters, inputs, List.of(result), parallel, constants, FloatArrays.NONE));
        }
        return result;
    }

    /** The result of a node's second run, all but whose first input are constants. */
    private Tensor computeAgain(CpuOperators operators) {
        List<@Nullable Tensor> tensors = new ArrayList<>(inputs);
        if (!tensors.isEmpty()) {
            tensors.set(0, null);
        }
        CpuCall.Constants constants = new CpuCall.Constants(new PackedWeights(1L << 30, 0), tensors, Kept.ofNode());
        compute(operators, 2, constants).close();
        return compute(operators, 2, constants);
    }

    /** Compares with {@code real}, row-major, as the output type stores it; the tolerance grows with the magnitude. */
    public void expect(double[] real, String label) {
        double[] expected =
                Arrays.stream(real).map(v -> stored(output.dtype(), v)).toArray();
        for (CpuOperators operators : TestRuns.OPERATORS) {
            expect(operators, expected, operators.path().word() + " " + label);
        }
    }

    private void expect(CpuOperators operators, double[] expected, String label) {
        Tensor one = compute(operators, 1);
        Tensor two = compute(operators, 2);
        assertThat(one.elements()).as(label).isEqualTo(expected.length);
        for (int i = 0; i < expected.length; i++) {
            double found = one.getDouble(i);
            if (Double.compare(two.getDouble(i), found) != 0) {
                assertThat(two.getDouble(i))
                        .as("%s, two threads, [%d]", label, i)
                        .isEqualTo(found);
            }
        }
        expect(one, expected, label);
        expect(computeAgain(operators), expected, "second run of " + label);
    }

    private void expect(Tensor tensor, double[] expected, String label) {
        double tolerance = tolerance(output.dtype());
        double scale = Arrays.stream(expected)
                .filter(v -> !Double.isNaN(v) && !Double.isInfinite(v))
                .map(Math::abs)
                .max()
                .orElse(1);
        for (int i = 0; i < expected.length; i++) {
            double found = tensor.getDouble(i);
            boolean special = Double.isNaN(expected[i]) || Double.isInfinite(expected[i]);
            boolean good = special
                    ? Double.compare(found, expected[i]) == 0
                    : Math.abs(found - expected[i]) <= tolerance * Math.max(1, scale);
            if (!good) {
                assertThat(found).as("%s [%d]", label, i).isEqualTo(expected[i]);
            }
        }
    }
}
