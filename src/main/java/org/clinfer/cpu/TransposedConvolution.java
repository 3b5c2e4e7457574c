package org.clinfer.cpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Transposed convolution of one to three spatial axes. */
final class TransposedConvolution implements CpuOperator {

    /*
     * Outputs whose coordinates have the same residue by the stride (a phase) see the same taps, and within a phase
     * neighbouring outputs see neighbouring inputs. So every phase is a forward convolution of stride 1 with its own
     * taps: nothing is added twice to one output, and threads never meet.
     */

    @Override
    public void run(CpuCall call) {
        Convolution.Channels channels = Convolution.Channels.of(call.parameters());
        Window window = Window.of(call.parameters());
        DType dtype = call.output().dtype();
        PlainConvolution.Geometry geometry = new PlainConvolution.Geometry(channels, window, true);
        Tensor bias = call.optionalInput(2);
        if (dtype == DType.FLOAT64) {
            double[] x = TensorValues.allDoubles(call.input(0));
            double[] weights = TensorValues.allDoubles(call.input(1));
            double[] start = bias == null ? new double[0] : TensorValues.allDoubles(bias);
            double[] y = new DoubleConvolution(geometry, x, weights, start).compute(call.parallel());
            TensorValues.of(call.output()).writeAll(y, call.parallel());
        } else if (dtype.isInteger()) {
            long[] x = LongValues.all(call.input(0));
            long[] weights = LongValues.all(call.input(1));
            long[] y = new LongConvolution(geometry, x, weights, LongValues.all(bias)).compute(call.parallel());
            LongValues.writeAll(y, call.output(), call.parallel());
        } else {
            runFloats(call, channels, window);
        }
    }

    private static void runFloats(CpuCall call, Convolution.Channels channels, Window window) {
        Tensor bias = call.optionalInput(2);
        float[] start = bias == null ? null : TensorValues.allFloats(bias);
        Convolution.Data data = new Convolution.Data(TensorValues.allFloats(call.input(0)), start, channels, window);
        float[] weights = TensorValues.allFloats(call.input(1));
        float[] y = new float[Math.multiplyExact(channels.batch() * channels.out(), window.outElements())];
        List<MatrixProduct.Part> parts = new ArrayList<>();
        for (int phase = 0; phase < Window.product(Phase.counts(window)); phase++) {
            Phase slice = Phase.of(phase, window);
            if (slice.isEmpty()) {
                continue;
            }
            for (int group = 0; group < channels.groups(); group++) {
                parts.add(part(data, weights, slice, group, y));
            }
        }
        MatrixProduct.run(parts, call.parallel());
        TensorValues.of(call.output()).writeAll(y, call.parallel());
    }

    private static MatrixProduct.Part part(Convolution.Data data, float[] weights, Phase phase, int group, float[] y) {
        Convolution.Channels channels = data.channels();
        int rows = channels.outPerGroup();
        int firstIn = group * channels.inPerGroup();
        int taps = phase.taps.length;
        int depth = channels.inPerGroup() * taps;
        float[] left = new float[rows * depth];
        for (int row = 0; row < rows; row++) {
            for (int k = 0; k < depth; k++) {
                int channel = firstIn + k / taps;
                left[row * depth + k] =
                        weights[(channel * rows + row) * data.window().taps() + phase.taps[k % taps]];
            }
        }
        int firstOut = group * rows;
        float @Nullable [] bias = data.start();
        float[] start = bias == null ? null : Arrays.copyOfRange(bias, firstOut, firstOut + rows);
        ColumnPanel panel = new ColumnPanel(
                data.x(),
                channels.in(),
                firstIn,
                data.window().in(),
                phase.positions,
                new int[] {1, 1, 1},
                phase.offsets);
        int[] out = data.window().out();
        return new MatrixProduct.Part(
                MatrixProduct.Left.of(left, 0, rows, depth),
                start,
                channels.batch() * Window.product(phase.positions),
                panel,
                (row, column, columns, values) ->
                        phase.store(values, column, columns, new Target(y, out, channels.out(), firstOut + row)));
    }

    /** Where a result row goes: one channel of y [batch, channels, out...]. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Target(float[] y, int[] out, int channels, int channel) {}

    /**
     * The outputs {@code position * stride + first} per axis.
     *
     * @param positions how many per axis
     * @param taps flat index of every kernel element they see
     * @param offsets input coordinate of every such tap at position 0
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Phase(int[] first, int[] stride, int[] positions, int[] taps, int[][] offsets) {

        /** How many phases there are per axis; a stride beyond the output has no more than the output. */
        static int[] counts(Window window) {
            int[] counts = new int[3];
            for (int axis = 0; axis < 3; axis++) {
                counts[axis] = Math.min(window.stride()[axis], window.out()[axis]);
            }
            return counts;
        }

        static Phase of(int phase, Window window) {
            int[] stride = window.stride();
            int[] counts = counts(window);
            int[] first = {phase / counts[2] / counts[1], phase / counts[2] % counts[1], phase % counts[2]};
            int[] positions = new int[3];
            for (int axis = 0; axis < 3; axis++) {
                positions[axis] = Math.max(0, MatrixProduct.ceilDiv(window.out()[axis] - first[axis], stride[axis]));
            }
            List<Integer> taps = new ArrayList<>();
            List<int[]> offsets = new ArrayList<>();
            for (int tap = 0; tap < window.taps(); tap++) {
                int[] at = window.tap(tap);
                int[] offset = new int[3];
                boolean seen = true;
                for (int axis = 0; axis < 3; axis++) {
                    int distance = first[axis] + window.padBegin()[axis] - at[axis] * window.dilation()[axis];
                    seen &= Math.floorMod(distance, stride[axis]) == 0;
                    offset[axis] = Math.floorDiv(distance, stride[axis]);
                }
                if (seen) {
                    taps.add(tap);
                    offsets.add(offset);
                }
            }
            return new Phase(
                    first,
                    stride,
                    positions,
                    taps.stream().mapToInt(Integer::intValue).toArray(),
                    offsets.toArray(new int[0][]));
        }

        boolean isEmpty() {
            return Window.product(positions) == 0;
        }

        void store(float[] values, int column, int columns, Target target) {
            int[] out = target.out;
            int done = 0;
            while (done < columns) {
                int position = (column + done) % positions[2];
                int line = (column + done) / positions[2];
                int count = Math.min(positions[2] - position, columns - done);
                int height = line % positions[1] * stride[1] + first[1];
                int plane = line / positions[1];
                int depth = plane % positions[0] * stride[0] + first[0];
                int image = plane / positions[0];
                int start = ((image * target.channels + target.channel) * out[0] + depth) * out[1] + height;
                int at = start * out[2] + position * stride[2] + first[2];
                for (int j = 0; j < count; j++) {
                    target.y[at + j * stride[2]] = values[done + j];
                }
                done += count;
            }
        }
    }
}
