package org.clinfer.cpu;

import java.nio.FloatBuffer;
import java.util.Arrays;
import org.clinfer.cpu.BlockedPasses.Pass;
import org.clinfer.graph.Parameters;

/** Convolution of NCHW into blocked channels in explicit vectors. */
final class PlanarProduct {

    /*
     * A unit is some rows of outputs. The rows of x that it reads are copied with their padding, columns sorted by their
     * remainder by the stride, so that what one weight meets in neighbouring outputs lies side by side. For each tile of
     * pixels this is gathered term by term, and multiplied by the weights pass by pass.
     */
    private static final int PIXEL = BlockedView.LANES;

    /** Floats of padded rows that a unit holds, roughly. */
    private static final int HELD = 1 << 15;

    private final CpuCall call;
    private final BlockedKernels kernels;
    private final BlockedFinish finish;
    private final FloatBuffer values;
    private final int[] xSize;
    private final int batch;
    private final int inChannels;
    private final int outChannels;
    private final int outBlocks;
    private final int[] size;
    private final int[] kernel;
    private final int[] strides;
    private final int[] dilations;
    private final int[] pads;
    private final BlockedPasses passes;

    /** Floats of the columns of a padded row that have one remainder. */
    private final int share;

    PlanarProduct(CpuCall call, BlockedKernels kernels) {
        Parameters parameters = call.parameters();
        this.call = call;
        this.kernels = kernels;
        this.finish = new BlockedFinish(call, kernels);
        this.values = call.input(0).floats();
        long[] dims = call.input(0).shape().sizes();
        this.xSize = new int[] {(int) dims[2], (int) dims[3]};
        this.batch = Math.toIntExact(parameters.integer("batch"));
        this.inChannels = Math.toIntExact(parameters.integer("in_channels"));
        this.outChannels = Math.toIntExact(parameters.integer("out_channels"));
        this.outBlocks = Math.toIntExact(parameters.integer("out_blocks"));
        this.size = parameters.ints("conv_size");
        this.kernel = parameters.ints("kernel");
        this.strides = parameters.ints("strides");
        this.dilations = parameters.ints("dilations");
        this.pads = parameters.ints("pads");
        int reach = (size[1] - 1) * strides[1] + (kernel[1] - 1) * dilations[1] + 1;
        this.share = MatrixProduct.ceilDiv(reach, strides[1]);
        this.passes = BlockedPasses.of(1, outBlocks, inChannels * kernel[0] * kernel[1], kernels);
    }

    void run() {
        float[] weights = call.packed(1, new Form(kernels.width()), this::packed);
        int held = inChannels * share * strides[1] * strides[0];
        int wanted = MatrixProduct.ceilDiv(size[0], 4 * call.parallel().threads());
        int rows = Math.max(1, Math.min(wanted, HELD / held));
        int bands = MatrixProduct.ceilDiv(size[0], rows);
        int[] offsets = offsets(reach(rows));
        call.parallel().forRange(batch * bands, 1, (from, to) -> {
            for (int unit = from; unit < to; unit++) {
                int row = unit % bands * rows;
                compute(unit / bands, row, Math.min(rows, size[0] - row), offsets, weights, reach(rows));
            }
        });
    }

    /** How weights are packed. */
    private record Form(int width) {}

    private float[] packed() {
        float[] given = TensorValues.allFloats(call.input(1), call.parallel());
        int terms = passes.terms();
        return passes.pack(outChannels, (channel, term) -> given[channel * terms + term], call.parallel());
    }

    /** Rows of x that rows of outputs reach. */
    private int reach(int rows) {
        return (rows - 1) * strides[0] + (kernel[0] - 1) * dilations[0] + 1;
    }

    /** Where what a term meets begins, in the order of the weights. */
    private int[] offsets(int held) {
        int[] offsets = new int[passes.terms()];
        for (int i = 0; i < offsets.length; i++) {
            int column = i % kernel[1] * dilations[1];
            int row = i / kernel[1] % kernel[0] * dilations[0];
            int channel = i / kernel[1] / kernel[0];
            int line = (channel * held + row) * strides[1] + column % strides[1];
            offsets[i] = line * share + column / strides[1];
        }
        return offsets;
    }

    private void compute(int image, int row, int rows, int[] offsets, float[] weights, int held) {
        Scratch scratch = call.parallel().scratch();
        int tile = kernels.pixels();
        int pitch = MatrixProduct.ceilDiv(size[1], tile) * tile * PIXEL;
        float[] lines = scratch.take(inChannels * held * strides[1] * share + 2 * tile + PIXEL);
        float[] gathered = scratch.take(passes.terms() * tile + PIXEL);
        float[] sums = scratch.take(outBlocks * pitch);
        read(image, row, reach(rows), held, lines);
        for (int i = 0; i < rows; i++) {
            for (int column = 0; column < size[1]; column += tile) {
                kernels.packColumns(lines, i * strides[0] * strides[1] * share + column, offsets, gathered);
                multiply(gathered, weights, sums, column * PIXEL, pitch);
            }
            for (int block = 0; block < outBlocks; block++) {
                finish.store(image * outBlocks + block, row + i, 1, sums, block * pitch);
            }
        }
        scratch.give(sums);
        scratch.give(gathered);
        scratch.give(lines);
    }

    private void multiply(float[] gathered, float[] weights, float[] sums, int at, int pitch) {
        for (Pass pass : passes.passes()) {
            int width = passes.width(pass);
            int apart = width > PIXEL ? pitch : kernels.lanes();
            for (int part = 0; part < passes.tiles(pass); part++) {
                int sum = pass.block() * pitch + at + part * width;
                kernels.sumColumns(
                        weights,
                        passes.weight(pass, part),
                        gathered,
                        passes.terms(),
                        sums,
                        sum,
                        apart,
                        passes.vectors(pass));
            }
        }
    }

    /** Copies rows of all channels with their padding, columns sorted by their remainder by the stride. */
    private void read(int image, int row, int rows, int held, float[] lines) {
        float[] line = call.parallel().scratch().take(xSize[1]);
        int width = share * strides[1];
        for (int channel = 0; channel < inChannels; channel++) {
            for (int i = 0; i < rows; i++) {
                int from = row * strides[0] + i - pads[0];
                int to = (channel * held + i) * width;
                Arrays.fill(lines, to, to + width, 0);
                if (from >= 0 && from < xSize[0]) {
                    values.get(((image * inChannels + channel) * xSize[0] + from) * xSize[1], line, 0, xSize[1]);
                    sort(line, lines, to);
                }
            }
        }
        call.parallel().scratch().give(line);
    }

    private void sort(float[] line, float[] lines, int to) {
        if (strides[1] == 1) {
            System.arraycopy(line, 0, lines, to + pads[1], Math.min(xSize[1], share - pads[1]));
            return;
        }
        for (int remainder = 0; remainder < strides[1]; remainder++) {
            int first = Math.floorMod(remainder - pads[1], strides[1]);
            int place = to + remainder * share + (first + pads[1]) / strides[1];
            int end = Math.min(xSize[1], first + (share - (first + pads[1]) / strides[1]) * strides[1]);
            for (int column = first; column < end; column += strides[1]) {
                lines[place++] = line[column];
            }
        }
    }
}
