package org.clinfer.cpu.blocked;

import java.nio.FloatBuffer;
import java.util.Arrays;
import org.clinfer.cpu.blocked.BlockedPasses.Pass;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.memory.Lines;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.BlockedKernels;
import org.clinfer.cpu.vector.BlockedView;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.graph.Parameters;

/** Convolution of NCHW into blocked channels in explicit vectors; what parameters and types decide, for any number of runs. */
final class PlanarProduct implements CpuOperator {

    /*
     * A unit is some rows of outputs. The rows of x that it reads are copied with their padding, columns sorted by their
     * remainder by the stride, so that what one weight meets in neighbouring outputs lies side by side. Each tile of pixels
     * is multiplied by the weights pass by pass, in vectors of output channels; where there are so few of these that most of
     * a vector would be idle, in vectors of pixels.
     */
    private static final int PIXEL = BlockedView.LANES;

    /** Output channels that are computed in vectors of pixels, at most. */
    private static final int FEW = 8;

    /** Floats of padded rows that a unit holds, roughly. */
    private static final int HELD = 1 << 15;

    /** Multiply-adds of a unit below which more units do not pay. */
    private static final long LEAST_PRODUCTS = 1 << 16;

    private final VectorKernels kernels;
    private final BlockedFinish.Form form;
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
    private final boolean hasFewChannels;

    /** Floats of the columns of a padded row that have one remainder. */
    private final int share;

    /** Rows of outputs of a unit, at most. */
    private final int rows;

    private final int bands;

    /** Rows of x that a unit reads. */
    private final int held;

    private final int[] offsets;

    PlanarProduct(CpuCall call, VectorKernels kernels) {
        Parameters parameters = call.parameters();
        this.kernels = kernels;
        this.form = new BlockedFinish.Form(call, kernels.blocked());
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
        this.share = Rounding.ceilDiv(reach, strides[1]);
        this.passes = BlockedPasses.of(1, outBlocks, inChannels * kernel[0] * kernel[1], kernels.blocked());
        this.hasFewChannels = outChannels <= FEW;
        this.rows = rows(call.parallel().threads());
        this.bands = Rounding.ceilDiv(size[0], rows);
        this.held = reach(rows);
        this.offsets = offsets();
    }

    private int rows(int threads) {
        long products = (long) size[0] * size[1] * passes.terms() * outChannels;
        int bands = threads == 1 ? 1 : 4 * threads;
        while (bands > 1 && products / bands < LEAST_PRODUCTS) {
            bands = bands > threads ? bands / 2 : 1;
        }
        int most = HELD / Math.max(1, inChannels * share * strides[1] * strides[0]);
        return Math.max(1, Math.min(Rounding.ceilDiv(size[0], bands), most));
    }

    /** @param call of the parameters and types that this was made for */
    @Override
    public void run(CpuCall call) {
        Run run = new Run(call);
        call.parallel().forRange(batch * bands, 1, (from, to) -> {
            for (int unit = from; unit < to; unit++) {
                int row = unit % bands * rows;
                run.compute(unit / bands, row, Math.min(rows, size[0] - row));
            }
        });
    }

    /** The packing of weights; without channels of outputs side by side where these are few. */
    private record Packing(int width) {}

    private float[] packed(CpuCall call) {
        float[] given = TensorValues.allFloats(call.input(1), call.parallel());
        int terms = passes.terms();
        if (!hasFewChannels) {
            return passes.pack(outChannels, (channel, term) -> given[channel * terms + term], call.parallel());
        }
        float[] packed = new float[terms * FEW];
        for (int i = 0; i < given.length; i++) {
            packed[i % terms * FEW + i / terms] = given[i];
        }
        return packed;
    }

    /** Rows of x that rows of outputs reach. */
    private int reach(int count) {
        return (count - 1) * strides[0] + (kernel[0] - 1) * dilations[0] + 1;
    }

    /** The begin of the elements that a term meets, in the order of the weights. */
    private int[] offsets() {
        int[] begins = new int[passes.terms()];
        for (int i = 0; i < begins.length; i++) {
            int column = i % kernel[1] * dilations[1];
            int row = i / kernel[1] % kernel[0] * dilations[0];
            int channel = i / kernel[1] / kernel[0];
            int line = (channel * held + row) * strides[1] + column % strides[1];
            begins[i] = line * share + column / strides[1];
        }
        return begins;
    }

    /** The tensors of one call. */
    private final class Run {

        private final Scratch scratch;
        private final FloatBuffer values;
        private final BlockedFinish finish;
        private final float[] weights;

        Run(CpuCall call) {
            this.scratch = call.parallel().scratch();
            this.values = call.floats(0);
            this.finish = new BlockedFinish(form, call);
            int width = hasFewChannels ? FEW : kernels.blocked().width();
            this.weights = call.packed(1, new Packing(width), () -> packed(call));
        }

        void compute(int image, int row, int count) {
            int tile = kernels.blocked().pixels();
            int beyond = Math.max(tile, VectorKernels.VECTORS * kernels.lanes());
            int pitch = (size[1] + beyond) * PIXEL;
            float[] lines = scratch.take(inChannels * held * strides[1] * share + beyond);
            float[] sums = scratch.take(outBlocks * pitch);
            read(image, row, count, lines);
            for (int i = 0; i < count; i++) {
                int from = i * strides[0] * strides[1] * share;
                if (hasFewChannels) {
                    sumPixels(lines, from, sums);
                } else {
                    for (Pass pass : passes.passes()) {
                        sumChannels(pass, lines, from, sums, pitch);
                    }
                }
                for (int block = 0; block < outBlocks; block++) {
                    finish.store(image * outBlocks + block, row + i, 1, sums, block * pitch);
                }
            }
            scratch.give(sums);
            scratch.give(lines);
        }

        /** Sums the channels of a pass for one row of outputs, which begins to read at {@code from}. */
        private void sumChannels(Pass pass, float[] lines, int from, float[] sums, int pitch) {
            BlockedKernels loops = kernels.blocked();
            int width = passes.width(pass);
            int apart = width > PIXEL ? pitch : loops.lanes();
            int vectors = passes.vectors(pass);
            for (int column = 0; column < size[1]; column += loops.pixels()) {
                for (int part = 0; part < passes.tiles(pass); part++) {
                    int weight = passes.weight(pass, part);
                    int sum = pass.block() * pitch + part * width + column * PIXEL;
                    loops.sumColumns(
                            weights, weight, lines, from + column, offsets, offsets.length, sums, sum, apart, vectors);
                }
            }
        }

        /** Sums a few channels for one row of outputs, which begins to read at {@code from}. */
        private void sumPixels(float[] lines, int from, float[] sums) {
            int lanes = kernels.lanes();
            int most = VectorKernels.VECTORS * lanes;
            int pitch = Rounding.ceilDiv(size[1], most) * most;
            float[] planes = scratch.take(FEW * pitch);
            for (int column = 0; column < size[1]; column += most) {
                int vectors = Math.min(VectorKernels.VECTORS, Rounding.ceilDiv(size[1] - column, lanes));
                kernels.addPacked(
                        weights,
                        0,
                        lines,
                        from + column,
                        offsets,
                        0,
                        offsets.length,
                        planes,
                        column,
                        pitch,
                        outChannels,
                        vectors,
                        true);
            }
            Arrays.fill(planes, outChannels * pitch, FEW * pitch, 0);
            Arrays.fill(sums, 0, size[1] * PIXEL, 0);
            Lines.interleave(planes, 0, pitch, sums, 0, PIXEL, size[1]);
            Lines.interleave(planes, FEW / 2 * pitch, pitch, sums, FEW / 2, PIXEL, size[1]);
            scratch.give(planes);
        }

        /** Copies what rows of outputs read, with its padding, columns sorted by their remainder by the stride. */
        private void read(int image, int row, int count, float[] lines) {
            int width = share * strides[1];
            int first = row * strides[0] - pads[0];
            int from = Math.max(0, first);
            int given = Math.max(0, Math.min(first + reach(count), xSize[0]) - from);
            float[] plane = scratch.take(given * xSize[1]);
            for (int channel = 0; channel < inChannels; channel++) {
                int to = channel * held * width;
                Arrays.fill(lines, to, to + held * width, 0);
                values.get(
                        ((image * inChannels + channel) * xSize[0] + Math.min(from, xSize[0])) * xSize[1],
                        plane,
                        0,
                        given * xSize[1]);
                for (int i = 0; i < given; i++) {
                    sort(plane, i * xSize[1], lines, to + (from - first + i) * width);
                }
            }
            scratch.give(plane);
        }

        private void sort(float[] plane, int from, float[] lines, int to) {
            if (strides[1] == 1) {
                System.arraycopy(plane, from, lines, to + pads[1], Math.min(xSize[1], share - pads[1]));
                return;
            }
            if (strides[1] == 2) {
                sortPairs(plane, from, lines, to);
                return;
            }
            for (int remainder = 0; remainder < strides[1]; remainder++) {
                int first = Math.floorMod(remainder - pads[1], strides[1]);
                int position = to + remainder * share + (first + pads[1]) / strides[1];
                int end = Math.min(xSize[1], first + (share - (first + pads[1]) / strides[1]) * strides[1]);
                for (int column = first; column < end; column += strides[1]) {
                    lines[position++] = plane[from + column];
                }
            }
        }

        /** Sorts columns into even and odd ones, counted with the padding. */
        private void sortPairs(float[] plane, int from, float[] lines, int to) {
            int isOdd = pads[1] % 2;
            int even = (pads[1] + isOdd) / 2;
            if (isOdd > 0 && even - 1 < share) {
                lines[to + share + even - 1] = plane[from];
            }
            int left = Math.min(xSize[1] - isOdd, 2 * (share - even));
            int count = Math.max(0, left / 2);
            kernels.sortPairs(plane, from + isOdd, count, lines, to + even, to + share + even);
            if (left > 2 * count) {
                lines[to + even + count] = plane[from + isOdd + 2 * count];
            }
        }
    }
}
