package org.clinfer.cpu.blocked;

import org.clinfer.costs.MachineCosts;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.vector.BlockedKernels;
import org.clinfer.cpu.vector.BlockedView;

/**
 * The division of a convolution in blocked channels into units of nearly equal cost.
 *
 * @param rows of outputs in a unit, at most
 * @param passes of output channels in a unit, at most
 */
record BlockedDivision(int rows, int passes) {

    private static final int MAX_BANDS = 64;
    private static final int BYTES = 64;

    private static final MachineCosts.BlockedConvolution COSTS =
            MachineCosts.builtIn().blockedConvolution();

    /**
     * The work that is to be divided.
     *
     * @param planes images times groups
     * @param rows of outputs
     * @param columns of outputs
     * @param passes of a group
     * @param terms elements of x that meet in one output
     * @param window rows of the kernel
     * @param copies how often each row is held
     * @param isInPlace whether rows are read where they lie, and not copied
     * @param blocks of output channels of a group
     * @param kernels that multiply
     */
    record Work(
            int planes,
            int rows,
            int columns,
            int passes,
            int terms,
            int window,
            int copies,
            boolean isInPlace,
            int blocks,
            BlockedKernels kernels) {

        /** Cycles to multiply a pixel by a block of output channels: two vectors in each. */
        double perProduct() {
            return 0.5 * BlockedView.LANES / kernels.lanes();
        }
    }

    /** The division with which {@code threads} threads are done first, as far as can be estimated. */
    static BlockedDivision of(Work work, int threads) {
        BlockedDivision best = new BlockedDivision(1, work.passes);
        double least = Double.MAX_VALUE;
        for (int bands = 1; bands <= Math.min(work.rows, MAX_BANDS); bands++) {
            int rows = Rounding.ceilDiv(work.rows, bands);
            if (rows > 1 && bands > 1 && rows == Rounding.ceilDiv(work.rows, bands - 1)) {
                continue;
            }
            for (int parts = 1; parts <= work.passes; parts *= 2) {
                BlockedDivision division = new BlockedDivision(rows, Rounding.ceilDiv(work.passes, parts));
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
        long units = (long) work.planes * Rounding.ceilDiv(work.rows, rows) * Rounding.ceilDiv(work.passes, passes);
        return Math.ceil((double) units / threads) * cycles(work);
    }

    /** The nanoseconds of a unit, roughly. */
    double nanos(Work work) {
        return cycles(work) / COSTS.cyclesPerNano();
    }

    /** The cycles of a unit, roughly. */
    private double cycles(Work work) {
        int pixels = rows * work.columns;
        int tile = work.kernels.pixels();
        int tiled = Rounding.ceilDiv(pixels, tile) * tile;
        double blocks = (double) work.blocks * passes / work.passes;
        double products = work.perProduct() * tiled * work.terms * blocks;
        int lines = rows + work.window - 1;
        double copied = work.isInPlace
                ? 0
                : (double) work.copies * lines * (work.columns * COSTS.copiedPixelCycles() + COSTS.copiedRowCycles());
        double brought = COSTS.weightCycles() * work.terms * blocks;
        double held = BYTES * ((double) work.copies * lines * work.columns + 2.0 * pixels);
        double stored = blocks
                * pixels
                * (2.0 * BYTES * pixels > COSTS.cachedSumBytes() ? COSTS.uncachedStoreFactor() : 1)
                * COSTS.copiedPixelCycles();
        return products * (held > COSTS.cachedPanelBytes() ? COSTS.uncachedProductFactor() : 1)
                + copied
                + brought
                + stored
                + COSTS.unitCycles();
    }
}
