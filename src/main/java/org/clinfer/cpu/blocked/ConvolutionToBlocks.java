package org.clinfer.cpu.blocked;

import java.util.Arrays;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.graph.Parameters;
import org.jspecify.annotations.Nullable;

/**
 * Convolution of NCHW into blocked channels, in vectors or straight from the definition, and
 * what follows it.
 */
final class ConvolutionToBlocks implements CpuOperator {

    private final @Nullable VectorKernels kernels;

    ConvolutionToBlocks(CpuPath path) {
        this.kernels = path.kernels();
    }

    @Override
    public void run(CpuCall call) {
        call.kept(CpuOperator.class, () -> chosen(call, kernels)).run(call);
    }

    private static CpuOperator chosen(CpuCall call, @Nullable VectorKernels kernels) {
        Parameters parameters = call.parameters();
        boolean isEmpty = parameters.integer("in_channels") == 0 || parameters.integer("out_channels") == 0;
        return kernels == null || isEmpty
                ? each -> new Rows(each).run(each.parallel())
                : new PlanarProduct(call, kernels);
    }

    /** Sums a row of one block of output channels at a time. */
    private static final class Rows {

        private static final int LANES = BlockedEpilogue.LANES;

        private final BlockedEpilogue epilogue;
        private final float[] x;
        private final float[] weights;
        private final int[] size;
        private final int batch;
        private final int inChannels;
        private final int outChannels;
        private final int outBlocks;
        private final int columns;
        private final int[] kernel;
        private final int[] strides;
        private final int[] dilations;
        private final int[] pads;

        Rows(CpuCall call) {
            Parameters parameters = call.parameters();
            this.epilogue = new BlockedEpilogue(call);
            this.x = call.copiedFloats(0);
            this.weights = TensorValues.allFloats(call.input(1), call.parallel());
            long[] dims = call.input(0).shape().sizes();
            this.size = new int[] {(int) dims[2], (int) dims[3]};
            this.batch = Math.toIntExact(parameters.integer("batch"));
            this.inChannels = Math.toIntExact(parameters.integer("in_channels"));
            this.outChannels = Math.toIntExact(parameters.integer("out_channels"));
            this.outBlocks = Math.toIntExact(parameters.integer("out_blocks"));
            this.columns = parameters.ints("conv_size")[1];
            this.kernel = parameters.ints("kernel");
            this.strides = parameters.ints("strides");
            this.dilations = parameters.ints("dilations");
            this.pads = parameters.ints("pads");
        }

        void run(Parallel parallel) {
            int rows = epilogue.rows();
            long products = (long) inChannels * kernel[0] * kernel[1] * columns * LANES;
            parallel.forRange(batch * outBlocks * rows, Chunks.grain(products), (from, to) -> {
                double[] sums = new double[columns * LANES];
                for (int line = from; line < to; line++) {
                    int plane = line / rows;
                    int row = line % rows;
                    if (epilogue.isInside(row)) {
                        int top = epilogue.inside(row) * strides[0] - pads[0];
                        sumUp(sums, plane / outBlocks, plane % outBlocks, top);
                    }
                    epilogue.store(plane, row, sums);
                }
            });
        }

        /** Sums windows that begin at row {@code top} of x, which may lie outside. */
        private void sumUp(double[] sums, int image, int block, int top) {
            Arrays.fill(sums, 0);
            int lanes = Math.min(LANES, outChannels - block * LANES);
            for (int c = 0; c < inChannels; c++) {
                for (int tap = 0; tap < kernel[0] * kernel[1]; tap++) {
                    int row = top + tap / kernel[1] * dilations[0];
                    if (row < 0 || row >= size[0]) {
                        continue;
                    }
                    int xRow = ((image * inChannels + c) * size[0] + row) * size[1];
                    for (int lane = 0; lane < lanes; lane++) {
                        int weight = ((block * LANES + lane) * inChannels + c) * kernel[0] * kernel[1] + tap;
                        addTap(sums, lane, xRow, tap % kernel[1] * dilations[1] - pads[1], weights[weight]);
                    }
                }
            }
        }

        /** Adds what one weight meets in a row of x, whose first column it meets at {@code left}. */
        private void addTap(double[] sums, int lane, int xRow, int left, double weight) {
            for (int column = 0; column < columns; column++) {
                int at = left + column * strides[1];
                if (at >= 0 && at < size[1]) {
                    sums[column * LANES + lane] += weight * x[xRow + at];
                }
            }
        }
    }
}
