package org.clinfer.cpu.vision;

import java.util.Arrays;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.DType;

/** Resampling of any axes, one axis after the other; integers are copied where each axis has one tap, else rounded. */
final class Resize implements CpuOperator {

    @Override
    public void run(CpuCall call) {
        if (call.output().elements() == 0) {
            return;
        }
        Parameters parameters = call.parameters();
        ResizeAxis[] axes = axes(call);
        boolean integral = call.output().dtype().isInteger();
        if (integral && Arrays.stream(axes).allMatch(ResizeAxis::copies)) {
            copyLongs(call, axes);
            return;
        }
        if (call.input(0).dtype() == DType.FLOAT32 && call.output().dtype() == DType.FLOAT32) {
            float[] x = TensorValues.allFloats(call.input(0), call.parallel());
            float[] y = new FloatResize(axes, call.parallel()).resampled(x, (float) parameters.real("outside_value"));
            TensorValues.of(call.output()).writeAll(y, call.parallel());
            return;
        }
        double[] values = TensorValues.allDoubles(call.input(0));
        int inner = 1;
        for (int axis = axes.length - 1; axis >= 0; axis--) {
            if (!axes[axis].isIdentity()) {
                values = resample(values, axes[axis], inner, call.parallel());
            }
            inner *= axes[axis].taps().length;
        }
        extrapolate(values, axes, parameters.real("outside_value"));
        if (integral) {
            long[] rounded = Arrays.stream(values).mapToLong(Ties::rounded).toArray();
            new TypedMemory(call.output()).store(0, rounded.length, rounded);
        } else {
            TensorValues.of(call.output()).writeAll(values, call.parallel());
        }
    }

    private static ResizeAxis[] axes(CpuCall call) {
        Parameters parameters = call.parameters();
        long[] in = call.input(0).shape().sizes();
        long[] out = call.output().shape().sizes();
        double[] scale = parameters.reals("ratio");
        double[] begin = parameters.reals("roi_begin");
        double[] end = parameters.reals("roi_end");
        ResizeAxis[] axes = new ResizeAxis[in.length];
        for (int i = 0; i < axes.length; i++) {
            axes[i] = ResizeAxis.of(
                    new ResizeAxis.Extent((int) in[i], (int) out[i], scale[i], begin[i], end[i]), parameters);
        }
        return axes;
    }

    /** [outer, in, inner] to [outer, out, inner]. */
    private static double[] resample(double[] x, ResizeAxis axis, int inner, Parallel parallel) {
        int out = axis.taps().length;
        int outer = x.length / axis.in() / inner;
        double[] y = new double[Math.multiplyExact(Math.multiplyExact(outer, out), inner)];
        parallel.forRange(outer * out, Math.max(1, (1 << 14) / inner), (from, to) -> {
            for (int row = from; row < to; row++) {
                int[] taps = axis.taps()[row % out];
                double[] weights = axis.weights()[row % out];
                int origin = row / out * axis.in() * inner;
                for (int tap = 0; tap < taps.length; tap++) {
                    addRow(x, origin + taps[tap] * inner, weights[tap], y, row * inner, inner);
                }
            }
        });
        return y;
    }

    private static void addRow(double[] x, int from, double weight, double[] y, int at, int length) {
        for (int j = 0; j < length; j++) {
            y[at + j] += weight * x[from + j];
        }
    }

    private static void extrapolate(double[] y, ResizeAxis[] axes, double value) {
        int inner = 1;
        for (int axis = axes.length - 1; axis >= 0; axis--) {
            boolean[] outside = axes[axis].outside();
            for (int row = 0; row < y.length / inner; row++) {
                if (outside[row % outside.length]) {
                    Arrays.fill(y, row * inner, (row + 1) * inner, value);
                }
            }
            inner *= outside.length;
        }
    }

    private static void copyLongs(CpuCall call, ResizeAxis[] axes) {
        long[] x = call.input(0).toLongArray();
        long[] y = new long[Math.toIntExact(call.output().elements())];
        long value = Ties.rounded(call.parameters().real("outside_value"));
        for (int i = 0; i < y.length; i++) {
            int rest = i;
            int from = 0;
            int stride = 1;
            boolean outside = false;
            for (int axis = axes.length - 1; axis >= 0; axis--) {
                int size = axes[axis].taps().length;
                outside |= axes[axis].outside()[rest % size];
                from += axes[axis].taps()[rest % size][0] * stride;
                stride *= axes[axis].in();
                rest /= size;
            }
            y[i] = outside ? value : x[from];
        }
        new TypedMemory(call.output()).store(0, y.length, y);
    }
}
