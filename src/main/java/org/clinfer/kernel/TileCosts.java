package org.clinfer.kernel;

import java.util.List;
import java.util.stream.IntStream;
import org.clinfer.costs.MachineCosts;
import org.clinfer.device.GpuFigures;

/** The costs by which GPU kernels choose their tiles, for a device whose figures are known. */
final class TileCosts {

    private static final int OPERATIONS = 2;

    /** Sums that are no registers are read and written for every product. */
    private static final long SPILLED_WORK = 4;

    /** A part of a sum is written and read again. */
    private static final int PART_BYTES = 2 * Float.BYTES;

    private TileCosts() {}

    /** The costs of any GPU, with what follows from the figures of this one in their place. */
    static MachineCosts.Tiles of(MachineCosts.Tiles any, GpuFigures gpu) {
        double productsPerByte = gpu.multiplyAddsPerSecond() / gpu.memoryBytesPerSecond();
        double productsPerLaunch = gpu.launchSeconds() * gpu.unitMultiplyAddsPerSecond();
        return new MachineCosts.Tiles(
                any.sizes(),
                work(any.convolutionWork(), any, gpu),
                work(any.productWork(), any, gpu),
                any.localReads(),
                any.registers(),
                atLeastOne(OPERATIONS * productsPerByte),
                atLeastOne(OPERATIONS * productsPerLaunch),
                atLeastOne(productsPerLaunch),
                atLeastOne(PART_BYTES * productsPerByte));
    }

    /**
     * The longer of what instructions take, which is the same on all devices, and what local memory takes; several times
     * as much where registers do not suffice.
     */
    private static List<Long> work(List<Long> counted, MachineCosts.Tiles any, GpuFigures gpu) {
        return IntStream.range(0, counted.size())
                .mapToObj(tile -> {
                    double cycles = Float.BYTES * any.localReads().get(tile) / gpu.localBytes();
                    long work = Math.max(counted.get(tile), Math.round(cycles * gpu.multiplyAdds()));
                    return any.registers().get(tile) > gpu.itemRegisters() ? SPILLED_WORK * work : work;
                })
                .toList();
    }

    private static long atLeastOne(double value) {
        return Math.max(1, Math.round(value));
    }
}
