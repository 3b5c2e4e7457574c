package org.clinfer.cpu.blocked;

import org.clinfer.costs.MachineCosts;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.vector.BlockedView;
import org.clinfer.cpu.vector.WinogradTile;

/**
 * The division of a convolution by Winograd's minimal filtering into units of nearly equal cost.
 *
 * @param tiles of a unit, at most
 * @param passes of output channels in a unit, at most
 */
record WinogradDivision(int tiles, int passes) {

    /** Pixels of the transformed inputs of a unit, at most. */
    private static final long MOST_PIXELS = 1 << 16;

    private static final MachineCosts.WinogradConvolution COSTS =
            MachineCosts.builtIn().winogradConvolution();

    /**
     * The work that is to be divided.
     *
     * @param tile its size
     * @param tiles how many
     * @param terms weights of an output channel at one position
     * @param blocks of output channels
     * @param passes over them
     * @param together tiles that are multiplied at once
     */
    record Work(WinogradTile tile, int tiles, int terms, int blocks, int passes, int together) {

        private int inputs(int ofTiles) {
            return tile.positions() * ofTiles * Rounding.ceilDiv(terms, BlockedView.LANES);
        }
    }

    /** The division with which {@code threads} threads are done first, as far as can be estimated. */
    static WinogradDivision of(Work work, int threads) {
        WinogradDivision best = new WinogradDivision(Math.min(work.tiles, work.together), work.passes);
        double least = Double.MAX_VALUE;
        for (int tiles = work.together; tiles < work.tiles + work.together; tiles += work.together) {
            if (tiles > work.together && work.inputs(tiles) > MOST_PIXELS) {
                break;
            }
            for (int parts = 1; parts <= work.passes; parts *= 2) {
                WinogradDivision division =
                        new WinogradDivision(Math.min(work.tiles, tiles), Rounding.ceilDiv(work.passes, parts));
                double cost = division.cost(work, threads);
                if (cost < least) {
                    least = cost;
                    best = division;
                }
            }
        }
        return best;
    }

    private double cost(Work work, int threads) {
        long units = (long) Rounding.ceilDiv(work.tiles, tiles) * Rounding.ceilDiv(work.passes, passes);
        return Math.ceil((double) units / threads) * cycles(work);
    }

    /** The nanoseconds of a unit, roughly. */
    double nanos(Work work) {
        return cycles(work) / MachineCosts.builtIn().blockedConvolution().cyclesPerNano();
    }

    /** The cycles of a unit, roughly. */
    private double cycles(Work work) {
        int positions = work.tile.positions();
        int computed = Rounding.ceilDiv(tiles, work.together) * work.together;
        double blocks = (double) work.blocks * passes / work.passes;
        double products = (double) positions * work.terms * blocks;
        long inputs = work.inputs(tiles);
        double held = inputs + (double) positions * tiles * work.blocks / work.passes;
        double transformed = COSTS.transformedPixelCycles() * (inputs + positions * tiles * blocks);
        double far = COSTS.farPixelCycles() * passes * Math.max(0, held - COSTS.cachedPixels());
        return products * (computed + COSTS.weightCycles()) + transformed + far + COSTS.unitCycles();
    }
}
