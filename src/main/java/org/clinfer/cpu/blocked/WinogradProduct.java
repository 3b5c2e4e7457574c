package org.clinfer.cpu.blocked;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.clinfer.cpu.blocked.BlockedPasses.Pass;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.BlockedKernels;
import org.clinfer.cpu.vector.BlockedView;
import org.clinfer.cpu.vector.WinogradLoops;
import org.clinfer.cpu.vector.WinogradTile;
import org.clinfer.graph.Parameters;

/**
 * 3x3 convolution of blocked channels with stride 1 by Winograd's minimal filtering, in explicit vectors; what parameters
 * and types decide, for any number of runs.
 */
final class WinogradProduct implements CpuOperator {

    /*
     * A unit transforms the inputs of some tiles, which lie one after the other in rows of tiles. Each position is then a
     * product of channels as that of a 1x1 convolution, with tiles for pixels: it is computed for all positions of some
     * output channels, pass by pass, and their sums are transformed back. Channels are taken in chunks, the weights of which
     * stay in the first cache level while all tiles meet them. Each chunk is summed by itself before it is added to those
     * before: what one long sum loses by rounding is multiplied on the way back. Neither chunks nor tiles depend on how
     * units are divided, so neither do sums.
     */
    private static final int PIXEL = BlockedView.LANES;
    private static final int TERM = BlockedKernels.TERM;
    private static final int CHUNK = 3 * PIXEL / TERM;
    private static final int FEWEST_CHANNELS = 16;
    private static final int WEIGHTS = 1;

    /** Tiles beside one another that are transformed together, so that their inputs stay in the first cache level. */
    private static final int RUN = 8;

    private final BlockedKernels kernels;
    private final WinogradTile tile;
    private final WinogradLoops loops;
    private final BlockedFinish.Form form;
    private final BlockedView x;
    private final int inChannels;
    private final int inBlocks;
    private final int outChannels;
    private final int outBlocks;
    private final int[] size;
    private final int tiles;
    private final BlockedPasses passes;
    private final WinogradDivision division;

    /** The nanoseconds of a unit, roughly. */
    private final double unitNanos;

    /** Tiles for which there is room in a unit. */
    private final int room;

    private final int apart;
    private final int[] offsets;

    /** @param call of a 3x3 convolution of one group with stride 1 */
    WinogradProduct(CpuCall call, BlockedKernels kernels, WinogradTile tile) {
        Parameters parameters = call.parameters();
        WinogradWork work = WinogradWork.of(parameters);
        this.kernels = kernels;
        this.tile = tile;
        this.loops = kernels.winograd(tile);
        this.form = new BlockedFinish.Form(call, kernels);
        this.x = BlockedView.of(call.input(0), parameters.ints("crop"));
        this.inChannels = Math.toIntExact(parameters.integer("in_channels"));
        this.inBlocks = work.inBlocks();
        this.outChannels = Math.toIntExact(parameters.integer("out_channels"));
        this.outBlocks = work.outBlocks();
        this.size = new int[] {work.rows(), work.columns()};
        this.tiles = work.tiles(tile);
        int terms = Rounding.ceilDiv(inChannels, TERM) * TERM;
        this.passes = BlockedPasses.of(1, outBlocks, tile.positions() * terms, kernels);
        WinogradDivision.Work units = new WinogradDivision.Work(
                tile, tiles, terms, outBlocks, passes.passes().size(), kernels.pixels());
        this.division = WinogradDivision.of(units, call.parallel().threads());
        this.unitNanos = division.nanos(units);
        this.room = Rounding.ceilDiv(division.tiles(), kernels.pixels()) * kernels.pixels();
        this.apart = apart(inBlocks);
        this.offsets = new int[terms / TERM];
        Arrays.setAll(offsets, i -> i * TERM / PIXEL * room * PIXEL + i * TERM % PIXEL);
    }

    /** The operator for a convolution that takes less time so, with weights that are kept; empty for others. */
    static Optional<CpuOperator> of(CpuCall call, BlockedKernels kernels) {
        Parameters parameters = call.parameters();
        boolean suits = Arrays.equals(parameters.ints("kernel"), new int[] {3, 3})
                && Arrays.equals(parameters.ints("strides"), new int[] {1, 1})
                && Arrays.equals(parameters.ints("dilations"), new int[] {1, 1})
                && parameters.integer("groups") == 1
                && parameters.integer("in_channels") >= FEWEST_CHANNELS
                && parameters.integer("out_channels") >= FEWEST_CHANNELS;
        if (!suits) {
            return Optional.empty();
        }
        WinogradWork work = WinogradWork.of(parameters);
        return work.best(kernels.pixels())
                .filter(tile -> work.weights(tile) <= Integer.MAX_VALUE
                        && call.keeps(WEIGHTS, new Packing(tile, kernels.width()), work.weights(tile)))
                .map(tile -> new WinogradProduct(call, kernels, tile));
    }

    /** The packing of weights. */
    private record Packing(WinogradTile tile, int width) {}

    private float[] packed(CpuCall call) {
        float[] given = TensorValues.allFloats(call.input(WEIGHTS), call.parallel());
        int terms = passes.terms() / tile.positions();
        return passes.pack(outChannels, call.parallel(), (channel, packed, at, width) -> {
            double[] rows = new double[3 * tile.reach()];
            for (int from = 0; from < inChannels; from++) {
                int target = at + from * width;
                tile.transform(given, (channel * inChannels + from) * 9, rows, packed, target, terms * width);
            }
        });
    }

    /** Distance of positions, in floats, for so many blocks: an odd number of pixels, so that they do not share sets of a cache. */
    private int apart(int blocks) {
        return ((blocks * room) | 1) * PIXEL;
    }

    /** @param call of the parameters and types that this was made for */
    @Override
    public void run(CpuCall call) {
        Run run = new Run(call);
        int bands = Rounding.ceilDiv(tiles, division.tiles());
        int parts = Rounding.ceilDiv(passes.passes().size(), division.passes());
        call.parallel().forUnits(bands * parts, unitNanos, (from, to) -> {
            for (int i = from; i < to; i++) {
                int first = i / parts * division.tiles();
                int pass = i % parts * division.passes();
                int end = Math.min(passes.passes().size(), pass + division.passes());
                run.compute(
                        new Unit(first, Math.min(tiles, first + division.tiles())),
                        passes.passes().subList(pass, end));
            }
        });
    }

    /** Tiles of all images, from one on and up to another. */
    private record Unit(int first, int end) {}

    /**
     * Tiles beside one another.
     *
     * @param row of tiles
     * @param column of tiles, the first
     * @param at the first one's number in the unit
     */
    private record Stretch(int image, int row, int column, int count, int at) {}

    private List<Stretch> stretches(Unit unit) {
        int across = tile.count(size[1]);
        int down = tile.count(size[0]);
        List<Stretch> stretches = new ArrayList<>();
        for (int i = unit.first; i < unit.end; ) {
            int row = i / across;
            int column = i % across;
            int count = Math.min(RUN, Math.min(unit.end - i, across - column));
            stretches.add(new Stretch(row / down, row % down, column, count, i - unit.first));
            i += count;
        }
        return stretches;
    }

    /**
     * The arrays of a unit: transformed inputs, and the sums of a pass.
     *
     * @param partial the sums of a chunk; all 0 before it and after it
     * @param apart distance of positions in the sums
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Room(float[] inputs, float[] sums, float[] partial, int apart) {}

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
            this.weights = call.packed(WEIGHTS, new Packing(tile, kernels.width()), () -> packed(call));
        }

        void compute(Unit unit, List<Pass> some) {
            List<Stretch> stretches = stretches(unit);
            int blocks = Math.max(1, kernels.width() / PIXEL);
            int between = apart(blocks);
            float[] inputs = scratch.take(tile.positions() * apart);
            float[] sums = scratch.take(tile.positions() * between);
            float[] partial = scratch.take(blocks * room * PIXEL);
            Room of = new Room(inputs, sums, partial, between);
            transform(stretches, inputs);
            Arrays.fill(partial, 0, blocks * room * PIXEL, 0);
            for (Pass pass : some) {
                Arrays.fill(sums, 0, tile.positions() * between, 0);
                for (int position = 0; position < tile.positions(); position++) {
                    for (int part = 0; part < passes.tiles(pass); part++) {
                        multiply(pass, position, part, unit.end - unit.first, of);
                    }
                }
                for (int block = 0; block < pass.blocks(); block++) {
                    transformBack(stretches, pass.block() + block, sums, block * room * PIXEL, between);
                }
            }
            scratch.give(partial);
            scratch.give(sums);
            scratch.give(inputs);
        }

        private void transform(List<Stretch> stretches, float[] inputs) {
            int pitch = (tile.size() * RUN + 2) * PIXEL;
            float[] copied = scratch.take(tile.reach() * pitch);
            float[] columns = scratch.take(tile.reach() * pitch);
            for (Stretch stretch : stretches) {
                for (int block = 0; block < inBlocks; block++) {
                    int target = (block * room + stretch.at) * PIXEL;
                    if (isReadInPlace(stretch, block)) {
                        int row = stretch.row * tile.size();
                        int plane = stretch.image * inBlocks + block;
                        int from = values.arrayOffset() + x.at(plane, row, stretch.column * tile.size());
                        int line = x.columns() * PIXEL;
                        loops.transform(values.array(), from, line, stretch.count, columns, inputs, target, apart);
                    } else {
                        copy(stretch, block, copied, pitch);
                        loops.transform(copied, 0, pitch, stretch.count, columns, inputs, target, apart);
                    }
                }
            }
            scratch.give(columns);
            scratch.give(copied);
        }

        /** {@return whether all that tiles read of a block of channels lies in an array, and nothing beyond x is read} */
        private boolean isReadInPlace(Stretch stretch, int block) {
            return values.hasArray()
                    && (stretch.column + stretch.count) * tile.size() <= size[1]
                    && (stretch.row + 1) * tile.size() <= size[0]
                    && (block + 1) * PIXEL <= inChannels;
        }

        /** Copies what tiles read of a block of channels; what lies beyond x, or beyond the channels in a term, is 0. */
        private void copy(Stretch stretch, int block, float[] copied, int pitch) {
            int column = stretch.column * tile.size();
            int wanted = stretch.count * tile.size() + 2;
            int columns = Math.min(wanted, size[1] + 2 - column);
            for (int i = 0; i < tile.reach(); i++) {
                int row = stretch.row * tile.size() + i;
                int given = row < size[0] + 2 ? columns : 0;
                if (given > 0) {
                    values.get(x.at(stretch.image * inBlocks + block, row, column), copied, i * pitch, given * PIXEL);
                }
                Arrays.fill(copied, i * pitch + given * PIXEL, i * pitch + wanted * PIXEL, 0);
            }
            int present = inChannels - block * PIXEL;
            for (int lane = present; lane < Math.min(PIXEL, offsets.length * TERM - block * PIXEL); lane++) {
                for (int at = lane; at < tile.reach() * pitch; at += PIXEL) {
                    copied[at] = 0;
                }
            }
        }

        /** Sums one tile's width of channels at one position for {@code count} tiles, chunk by chunk. */
        private void multiply(Pass pass, int position, int part, int count, Room of) {
            int width = passes.width(pass);
            int weight = passes.weight(pass, part) + position * offsets.length * TERM * width;
            int first = part * width % PIXEL;
            int pixels = pass.blocks() * room;
            for (int term = 0; term < offsets.length; term += CHUNK) {
                boolean isFirst = term == 0;
                float[] sums = isFirst ? of.sums : of.partial;
                int sum = first + (isFirst ? position * of.apart : 0);
                int from = weight + term * TERM * width;
                int terms = Math.min(CHUNK, offsets.length - term);
                for (int i = 0; i < count; i += kernels.pixels()) {
                    int at = position * apart + i * PIXEL;
                    int to = sum + i * PIXEL;
                    int other = width > PIXEL ? room * PIXEL : kernels.lanes();
                    kernels.addTile(
                            weights, from, of.inputs, at, offsets, term, terms, sums, to, other, passes.vectors(pass));
                }
                if (!isFirst) {
                    kernels.movePixels(of.partial, of.sums, position * of.apart, pixels);
                }
            }
        }

        private void transformBack(List<Stretch> stretches, int block, float[] sums, int at, int between) {
            int pitch = tile.size() * RUN * PIXEL;
            float[] outputs = scratch.take(tile.size() * pitch);
            float[] columns = scratch.take(tile.positions() * PIXEL);
            for (Stretch stretch : stretches) {
                int from = at + stretch.at * PIXEL;
                int column = stretch.column * tile.size();
                int wide = Math.min(stretch.count * tile.size(), size[1] - column);
                int line = stretch.count * tile.size() * PIXEL;
                loops.transformBack(sums, from, between, stretch.count, columns, outputs, line);
                int row = stretch.row * tile.size();
                int rows = Math.min(tile.size(), size[0] - row);
                for (int i = 1; i < rows && wide * PIXEL < line; i++) {
                    System.arraycopy(outputs, i * line, outputs, i * wide * PIXEL, wide * PIXEL);
                }
                int plane = stretch.image * outBlocks + block;
                finish.store(plane, new BlockedFinish.Part(row, rows, column, wide), outputs, 0);
            }
            scratch.give(columns);
            scratch.give(outputs);
        }
    }
}
