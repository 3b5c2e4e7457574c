package org.clinfer.cpu.blocked;

import java.util.Arrays;
import java.util.Optional;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.BlockedKernels;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.graph.Parameters;

/** Convolution of blocked channels, in vectors or straight from the definition, and what follows it. */
final class BlockedConvolution implements CpuOperator {

    private final CpuPath path;

    BlockedConvolution(CpuPath path) {
        this.path = path;
    }

    @Override
    public void run(CpuCall call) {
        call.kept(CpuOperator.class, () -> chosen(call)).run(call);
    }

    private CpuOperator chosen(CpuCall call) {
        VectorKernels vectors = path.kernels();
        Parameters parameters = call.parameters();
        boolean isEmpty = parameters.integer("in_channels") == 0 || parameters.integer("out_channels") == 0;
        if (vectors == null || isEmpty) {
            return each -> new Rows(each).run(each.parallel());
        }
        BlockedKernels kernels = vectors.blocked();
        if (parameters.flag("is_depthwise")) {
            return each -> new BlockedDepthwise(each, kernels).run();
        }
        Optional<CpuOperator> transformed = path.isExact() ? Optional.empty() : WinogradProduct.of(call, kernels);
        return transformed.orElseGet(() -> new BlockedProduct(call, kernels));
    }

    /** Sums a row of one block of output channels at a time. */
    private static final class Rows {

        private static final int LANES = BlockedEpilogue.LANES;

        private final BlockedEpilogue epilogue;
        private final float[] x;
        private final float[] weights;
        private final int[] xDims;
        private final int batch;
        private final int outChannels;
        private final int outBlocks;
        private final int columns;
        private final int groupIn;
        private final int groupOut;
        private final int[] kernel;
        private final int[] strides;
        private final int[] dilations;
        private final int[] crop;

        Rows(CpuCall call) {
            Parameters parameters = call.parameters();
            this.epilogue = new BlockedEpilogue(call);
            this.x = call.copiedFloats(0);
            this.weights = TensorValues.allFloats(call.input(1), call.parallel());
            long[] dims = call.input(0).shape().sizes();
            this.xDims = new int[] {(int) dims[1], (int) dims[2], (int) dims[3]};
            this.batch = Math.toIntExact(parameters.integer("batch"));
            this.outChannels = Math.toIntExact(parameters.integer("out_channels"));
            this.outBlocks = Math.toIntExact(parameters.integer("out_blocks"));
            this.columns = parameters.ints("conv_size")[1];
            int groups = Math.toIntExact(parameters.integer("groups"));
            this.groupIn = Math.toIntExact(parameters.integer("in_channels")) / groups;
            this.groupOut = outChannels / groups;
            this.kernel = parameters.ints("kernel");
            this.strides = parameters.ints("strides");
            this.dilations = parameters.ints("dilations");
            this.crop = parameters.ints("crop");
        }

        void run(Parallel parallel) {
            int rows = epilogue.rows();
            long products = (long) groupIn * kernel[0] * kernel[1] * columns * LANES;
            parallel.forRange(batch * outBlocks * rows, Chunks.grain(products), (from, to) -> {
                double[] sums = new double[columns * LANES];
                for (int line = from; line < to; line++) {
                    int plane = line / rows;
                    int row = line % rows;
                    if (epilogue.isInside(row)) {
                        sumUp(sums, plane / outBlocks, plane % outBlocks, epilogue.inside(row));
                    }
                    epilogue.store(plane, row, sums);
                }
            });
        }

        private void sumUp(double[] sums, int image, int block, int row) {
            Arrays.fill(sums, 0);
            int lanes = Math.min(LANES, outChannels - block * LANES);
            for (int lane = 0; lane < lanes; lane++) {
                int channel = block * LANES + lane;
                for (int c = 0; c < groupIn; c++) {
                    int from = channel / groupOut * groupIn + c;
                    int weight = (channel * groupIn + c) * kernel[0] * kernel[1];
                    int top = row * strides[0] + crop[0];
                    addChannel(sums, lane, new Channel(image, from, top, weight));
                }
            }
        }

        /** An input channel of an image, the row at which a window begins, and its first weight. */
        private record Channel(int image, int channel, int top, int weight) {}

        private void addChannel(double[] sums, int lane, Channel of) {
            int plane = (of.image * xDims[0] + of.channel / LANES) * xDims[1];
            for (int tap = 0; tap < kernel[0] * kernel[1]; tap++) {
                int row = plane + of.top + tap / kernel[1] * dilations[0];
                int first = (row * xDims[2] + crop[1] + tap % kernel[1] * dilations[1]) * LANES + of.channel % LANES;
                double weight = weights[of.weight + tap];
                for (int column = 0; column < columns; column++) {
                    sums[column * LANES + lane] += weight * x[first + column * strides[1] * LANES];
                }
            }
        }
    }
}
