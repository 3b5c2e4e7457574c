package org.clinfer.cpu.blocked;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.clinfer.cpu.blocked.BlockedPasses.Pass;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.BlockedKernels;
import org.clinfer.cpu.vector.BlockedView;
import org.clinfer.graph.Parameters;

/**
 * Convolution of blocked channels in explicit vectors, where channels are summed over; what parameters and types decide,
 * for any number of runs.
 */
final class BlockedProduct implements CpuOperator {

    /*
     * A unit copies what its rows of outputs read into a panel, and multiplies it by the weights pass by pass. Channels are
     * taken in chunks, the weights of which stay in the first cache level while the tiles of a strip of rows meet them, as do
     * the sums of the strip until they are finished. Chunks do not depend on how units are divided, so neither do sums.
     */
    private static final int PIXEL = BlockedView.LANES;
    private static final int TERM = BlockedKernels.TERM;
    private static final int CHUNK_PIXELS = 12;

    /** Pixels of a strip at most, but for one row. */
    private static final int STRIP_PIXELS = 128;

    private final BlockedKernels kernels;
    private final BlockedFinish.Form form;
    private final BlockedView x;
    private final BlockedPanel.Taps taps;
    private final int batch;
    private final int outRows;
    private final int outChannels;
    private final int groups;
    private final int groupIn;
    private final int outBlocks;
    private final BlockedPasses passes;
    private final BlockedPanel panel;
    private final int[] offsets;

    /** True if the input is read where it lies in an array. */
    private final boolean isInPlace;

    private final List<Unit> units;

    /** Rows of outputs of a strip, at most. */
    private final int stripRows;

    /** The nanoseconds of a unit, roughly. */
    private final double unitNanos;

    BlockedProduct(CpuCall call, BlockedKernels kernels) {
        Parameters parameters = call.parameters();
        this.kernels = kernels;
        this.form = new BlockedFinish.Form(call, kernels);
        this.x = BlockedView.of(call.input(0), parameters.ints("crop"));
        this.batch = Math.toIntExact(parameters.integer("batch"));
        int[] size = parameters.ints("conv_size");
        this.outRows = size[0];
        this.taps = new BlockedPanel.Taps(
                parameters.ints("kernel"), parameters.ints("strides"), parameters.ints("dilations"), size[1]);
        this.groups = Math.toIntExact(parameters.integer("groups"));
        this.groupIn = Math.toIntExact(parameters.integer("in_channels")) / groups;
        this.outChannels = Math.toIntExact(parameters.integer("out_channels"));
        this.outBlocks = Math.toIntExact(parameters.integer("out_blocks"));
        int terms = Rounding.ceilDiv(groupIn, TERM) * TERM * taps.kernel()[0] * taps.kernel()[1];
        this.passes = BlockedPasses.of(groups, outBlocks / groups, terms, kernels);
        boolean isInPlace = call.floats(0).hasArray() && BlockedPanel.canBeInPlace(x, taps, groupIn);
        BlockedDivision.Work work = new BlockedDivision.Work(
                batch * groups,
                outRows,
                taps.columns(),
                passes.perGroup(),
                terms,
                taps.kernel()[0],
                taps.kernel()[1] * Rounding.ceilDiv(groupIn, PIXEL),
                isInPlace,
                outBlocks / groups,
                kernels);
        BlockedDivision division = BlockedDivision.of(work, call.parallel().threads());
        this.unitNanos = division.nanos(work);
        this.panel = new BlockedPanel(x, taps, groupIn, division.rows());
        this.isInPlace = isInPlace;
        this.offsets = isInPlace ? panel.offsetsInPlace() : panel.offsets();
        this.units = units(division);
        this.stripRows = stripRows(division.rows(), taps.columns(), kernels.pixels());
    }

    /** The rows of strips with the fewest tiles; the fewest rows of those. */
    private static int stripRows(int rows, int columns, int tile) {
        int best = 1;
        int least = Integer.MAX_VALUE;
        for (int strip = 1; strip <= rows && (strip == 1 || strip * columns <= STRIP_PIXELS); strip++) {
            int tiles = rows / strip * Rounding.ceilDiv(strip * columns, tile)
                    + Rounding.ceilDiv(rows % strip * columns, tile);
            if (tiles < least) {
                best = strip;
                least = tiles;
            }
        }
        return best;
    }

    /** Rows of one image and passes of one group. */
    private record Unit(int image, int row, int rows, List<Pass> passes) {}

    /** @param call of the parameters and types that this was made for */
    @Override
    public void run(CpuCall call) {
        Run run = new Run(call);
        call.parallel().forUnits(units.size(), unitNanos, (from, to) -> {
            for (int i = from; i < to; i++) {
                run.compute(units.get(i));
            }
        });
    }

    /** The packing of weights; blocks of different groups are not joined. */
    private record Packing(int width, int groups) {}

    private float[] packed(CpuCall call) {
        float[] given = TensorValues.allFloats(call.input(1), call.parallel());
        int window = taps.kernel()[0] * taps.kernel()[1];
        return passes.pack(
                outChannels,
                (channel, term) -> {
                    int block = term / (window * PIXEL);
                    int lanes = Math.min(PIXEL, passes.terms() / window - block * PIXEL);
                    int inBlock = term % (window * PIXEL);
                    int from = block * PIXEL + inBlock % lanes;
                    int tap = inBlock / lanes;
                    return from < groupIn ? given[(channel * groupIn + from) * window + tap] : 0;
                },
                call.parallel());
    }

    private List<Unit> units(BlockedDivision division) {
        List<Unit> all = new ArrayList<>();
        int perGroup = passes.perGroup();
        for (int image = 0; image < batch; image++) {
            for (int group = 0; group < groups; group++) {
                for (int row = 0; row < outRows; row += division.rows()) {
                    int rows = Math.min(division.rows(), outRows - row);
                    for (int pass = 0; pass < perGroup; pass += division.passes()) {
                        int first = group * perGroup + pass;
                        int end = group * perGroup + Math.min(perGroup, pass + division.passes());
                        all.add(new Unit(image, row, rows, passes.passes().subList(first, end)));
                    }
                }
            }
        }
        return all;
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
            this.weights = call.packed(1, new Packing(kernels.width(), groups), () -> packed(call));
        }

        void compute(Unit unit) {
            int tile = kernels.pixels();
            int pitch = (stripRows * taps.columns() + tile) * PIXEL;
            int group = unit.passes.get(0).group();
            int firstPlane = unit.image * x.blocks() + group * Rounding.ceilDiv(groupIn, PIXEL);
            float[] copied = scratch.take(isInPlace ? 0 : panel.floats() + tile * PIXEL);
            float[] from = isInPlace ? values.array() : copied;
            int first = isInPlace ? values.arrayOffset() + x.at(firstPlane, unit.row, 0) : 0;
            if (!isInPlace) {
                float[] line = scratch.take(x.columns() * PIXEL);
                panel.fill(values, firstPlane, unit.row, unit.rows, copied, line, kernels);
                panel.clearBeyond(copied);
                scratch.give(line);
            }
            float[] sums = scratch.take(Math.max(1, kernels.width() / PIXEL) * pitch);
            for (Pass pass : unit.passes) {
                for (int row = 0; row < unit.rows; row += stripRows) {
                    int rows = Math.min(stripRows, unit.rows - row);
                    Arrays.fill(sums, 0, pass.blocks() * pitch, 0);
                    for (int i = 0; i < passes.tiles(pass); i++) {
                        int begin = first + row * taps.columns() * PIXEL;
                        multiply(pass, i, from, begin, sums, rows * taps.columns(), pitch);
                    }
                    for (int block = 0; block < pass.blocks(); block++) {
                        int plane = unit.image * outBlocks + pass.block() + block;
                        finish.store(plane, unit.row + row, rows, sums, block * pitch);
                    }
                }
            }
            scratch.give(sums);
            scratch.give(copied);
        }

        /** Sums one tile's width of channels for all pixels, chunk by chunk. */
        private void multiply(Pass pass, int part, float[] from, int first, float[] sums, int pixels, int pitch) {
            int window = taps.kernel()[0] * taps.kernel()[1];
            int chunk = Math.max(1, CHUNK_PIXELS / window) * window * (PIXEL / TERM);
            for (int term = 0; term < offsets.length; term += chunk) {
                int count = Math.min(chunk, offsets.length - term);
                addChunk(pass, part, from, first, term, count, sums, pixels, pitch);
            }
        }

        private void addChunk(
                Pass pass,
                int part,
                float[] from,
                int first,
                int term,
                int count,
                float[] sums,
                int pixels,
                int pitch) {
            int width = passes.width(pass);
            int weight = passes.weight(pass, part) + term * TERM * width;
            int sum = part * width % PIXEL;
            int apart = width > PIXEL ? pitch : kernels.lanes();
            int vectors = passes.vectors(pass);
            for (int pixel = 0; pixel < pixels; pixel += kernels.pixels()) {
                int at = pixel * PIXEL;
                kernels.addTile(
                        weights, weight, from, first + at, offsets, term, count, sums, sum + at, apart, vectors);
            }
        }
    }
}
