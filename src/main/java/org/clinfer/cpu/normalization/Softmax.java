package org.clinfer.cpu.normalization;

import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.DType;
import org.jspecify.annotations.Nullable;

/** Softmax and its logarithm along one axis, without overflow. */
final class Softmax implements CpuOperator {

    private final boolean logarithm;
    private final @Nullable VectorKernels kernels;

    Softmax(boolean logarithm, CpuPath path) {
        this.logarithm = logarithm;
        this.kernels = path.kernels();
    }

    @Override
    public void run(CpuCall call) {
        Parameters parameters = call.parameters();
        int size = Math.toIntExact(parameters.integer("size"));
        AxisBlocks blocks = new AxisBlocks(
                Math.toIntExact(parameters.integer("outer")), size, Math.toIntExact(parameters.integer("inner")));
        if (kernels != null && call.input(0).dtype() != DType.FLOAT64) {
            new FloatSoftmax(blocks, logarithm, kernels.functions()).run(call);
            return;
        }
        blocks.change(
                TensorValues.of(call.input(0)), TensorValues.of(call.output()), call.parallel(), (block, width) -> {
                    for (int j = 0; j < width; j++) {
                        normalise(block, j, width, size);
                    }
                });
    }

    /** Changes the {@code size} elements from {@code first} on, {@code step} apart. */
    private void normalise(double[] values, int first, int step, int size) {
        double max = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < size; i++) {
            max = Math.max(max, values[first + i * step]);
        }
        double sum = 0;
        for (int i = 0; i < size; i++) {
            int at = first + i * step;
            double power = Math.exp(values[at] - max);
            sum += power;
            values[at] = logarithm ? values[at] - max : power;
        }
        double logarithmOfSum = Math.log(sum);
        for (int i = 0; i < size; i++) {
            int at = first + i * step;
            values[at] = logarithm ? values[at] - logarithmOfSum : values[at] / sum;
        }
    }
}
