package org.clinfer.kernel;

import java.util.List;
import java.util.stream.IntStream;
import org.clinfer.costs.MachineCosts;
import org.clinfer.device.GpuFigures;

/** The costs by which GPU kernels choose their tiles, for a device whose figures are known. */
final class TileCosts {

    private static final int OPERATIONS = 2;

    /** A part of a sum is written and read again. */
    private static final int PART_BYTES = 2 * Float.BYTES;

    private TileCosts() {}

    /** The costs of any GPU, with what follows from the figures of this one in their place. */
    static MachineCosts.Tiles of(MachineCosts.Tiles any, GpuFigures gpu) {
        double productsPerByte = gpu.multiplyAddsPerSecond() / gpu.memoryBytesPerSecond();
        double productsPerLaunch = gpu.launchSeconds() * gpu.unitMultiplyAddsPerSecond();
        return new MachineCosts.Tiles(
                any.sizes(),
                work(any.convolutionWork(), any.localReads(), gpu),
                work(any.productWork(), any.localReads(), gpu),
                any.localReads(),
                atLeastOne(OPERATIONS * productsPerByte),
                atLeastOne(OPERATIONS * productsPerLaunch),
                atLeastOne(productsPerLaunch),
                atLeastOne(PART_BYTES * productsPerByte));
    }

    /** The longer of what instructions take, which is the same on all devices, and what local memory takes. */
    private static List<Long> work(List<Long> counted, List<Long> localReads, GpuFigures gpu) {
        return IntStream.range(0, counted.size())
                .mapToObj(tile -> {
                    double cycles = Float.BYTES * localReads.get(tile) / gpu.localBytes();
                    return Math.max(counted.get(tile), Math.round(cycles * gpu.multiplyAdds()));
                })
                .toList();
    }

    private static long atLeastOne(double value) {
        return Math.max(1, Math.round(value));
    }
}
