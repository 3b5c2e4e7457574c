package org.clinfer.cpu.blocked;

import java.util.Optional;
import org.clinfer.costs.MachineCosts;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.vector.BlockedView;
import org.clinfer.cpu.vector.WinogradTile;
import org.clinfer.graph.Parameters;

/**
 * A 3x3 convolution with stride 1 that may be computed by Winograd's minimal filtering.
 *
 * @param batch images
 * @param inBlocks blocks of 16 input channels
 * @param outBlocks blocks of 16 output channels
 * @param rows of outputs
 * @param columns of outputs
 */
record WinogradWork(int batch, int inBlocks, int outBlocks, int rows, int columns) {

    private static final int TAPS = 9;

    private static final MachineCosts.WinogradConvolution COSTS =
            MachineCosts.builtIn().winogradConvolution();

    /** The work of a convolution of blocked channels, by its parameters. */
    static WinogradWork of(Parameters parameters) {
        int[] size = parameters.ints("conv_size");
        return new WinogradWork(
                Math.toIntExact(parameters.integer("batch")),
                Math.toIntExact(parameters.integer("in_blocks")),
                Math.toIntExact(parameters.integer("out_blocks")),
                size[0],
                size[1]);
    }

    /** The tiles that take least time, where {@code together} are multiplied at once; empty where direct sums do. */
    Optional<WinogradTile> best(int together) {
        double four = cost(WinogradTile.FOUR, together);
        double two = cost(WinogradTile.TWO, together);
        double direct = TAPS * ((double) batch * rows * columns + COSTS.weightProducts());
        if (COSTS.gainFactor() * four <= Math.min(two, direct)) {
            return Optional.of(WinogradTile.FOUR);
        }
        return COSTS.gainFactor() * two <= direct ? Optional.of(WinogradTile.TWO) : Optional.empty();
    }

    /** Products of a pair of blocks, roughly. */
    private double cost(WinogradTile tile, int together) {
        int computed = Rounding.ceilDiv(tiles(tile), together) * together;
        double transforms = COSTS.transformProducts() * (inBlocks + outBlocks) / ((double) inBlocks * outBlocks);
        return tile.positions() * (computed * (1 + transforms) + COSTS.weightProducts());
    }

    /** Tiles of all images. */
    int tiles(WinogradTile tile) {
        return Math.multiplyExact(batch, Math.multiplyExact(tile.count(rows), tile.count(columns)));
    }

    /** Floats of the transformed weights. */
    long weights(WinogradTile tile) {
        return (long) tile.positions() * inBlocks * outBlocks * BlockedView.LANES * BlockedView.LANES;
    }
}
