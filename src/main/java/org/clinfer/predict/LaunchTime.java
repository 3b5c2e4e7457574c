package org.clinfer.predict;

import org.clinfer.device.GpuFigures;

/**
 * The predicted time of one kernel launch, in seconds: the longest of four parts, which overlap, and the launch itself.
 *
 * @param productSeconds of the multiplications with an addition
 * @param localSeconds of the reads from local memory, or the cache of a unit
 * @param memorySeconds of the bytes of the device's memory
 * @param latencySeconds of one group after the other that waits for its reads and then multiplies
 * @param launchSeconds of the launch
 */
public record LaunchTime(
        double productSeconds, double localSeconds, double memorySeconds, double latencySeconds, double launchSeconds) {

    /** The share of the rates of products and of local memory that tiles reach, as measured on an NVIDIA H200. */
    private static final double TILE_RATE = 0.65;

    /** Latencies that a round takes, with its barrier and its way through local memory, as measured on an NVIDIA H200. */
    private static final double ROUND_LATENCIES = 2.5;

    /** The part that decides how long a launch takes. */
    public enum Part {
        PRODUCTS,
        LOCAL_MEMORY,
        MEMORY,
        LATENCY,
        LAUNCH
    }

    /**
     * The time of some work on a GPU.
     *
     * <p>The unit with most to do has {@code ceil(groups / units)} groups, of which it holds as many at once as its
     * work-items, its local memory and its registers let it. Their work-items do one product in a cycle each, so that few of them leave
     * a part of the unit idle. A group waits for its next terms and multiplies them then; while it waits, others that the unit holds
     * multiply.
     */
    public static LaunchTime of(LaunchWork work, GpuFigures gpu) {
        double mine = Math.ceil((double) work.groups() / gpu.units());
        double held = Math.min(mine, heldGroups(work, gpu));
        double waits = work.rounds() * ROUND_LATENCIES * gpu.latencySeconds();
        double alone = Math.max(productSeconds(work, 1, 1, gpu), localSeconds(work, 1, gpu));
        return new LaunchTime(
                productSeconds(work, mine, held, gpu),
                localSeconds(work, mine, gpu),
                work.movedBytes() / gpu.memoryBytesPerSecond(),
                Math.ceil(mine / held) * (waits + alone),
                gpu.launchSeconds());
    }

    /** Seconds that a unit multiplies for so many groups, of which it holds some at once. */
    private static double productSeconds(LaunchWork work, double groups, double held, GpuFigures gpu) {
        double busy = Math.min(1, held * work.groupItems() / gpu.multiplyAdds());
        return groups * work.products() / (gpu.unitMultiplyAddsPerSecond() * busy * rate(work));
    }

    /** Seconds that the local memory of a unit is read for so many groups. */
    private static double localSeconds(LaunchWork work, double groups, GpuFigures gpu) {
        return groups * work.products() * work.readBytesPerProduct() / (gpu.localBytes() * gpu.clockHz() * rate(work));
    }

    private static double rate(LaunchWork work) {
        return work.tile().isPresent() ? TILE_RATE : 1;
    }

    /** Groups that a unit holds at once; one at least, since a group that does not fit is never launched. */
    private static double heldGroups(LaunchWork work, GpuFigures gpu) {
        long byItems = gpu.unitItems() / work.groupItems();
        long byMemory = work.localBytes() == 0 ? byItems : gpu.unitLocalBytes() / work.localBytes();
        long byRegisters = work.tile()
                .map(tile -> gpu.unitRegisters() / (work.groupItems() * tile.registers()))
                .orElse(byItems);
        return Math.max(1, Math.min(byItems, Math.min(byMemory, byRegisters)));
    }

    /** Seconds of the kernel, without the launch. */
    public double kernelSeconds() {
        return Math.max(computeSeconds(), Math.max(memorySeconds, latencySeconds));
    }

    /** Seconds in which the units are busy: the longer of products and reads for them. */
    public double computeSeconds() {
        return Math.max(productSeconds, localSeconds);
    }

    /** Seconds in all. */
    public double seconds() {
        return kernelSeconds() + launchSeconds;
    }

    /** The part of the kernel that takes longest, or the launch where that takes longer than the kernel. */
    public Part bound() {
        double kernel = kernelSeconds();
        if (launchSeconds > kernel) {
            return Part.LAUNCH;
        }
        if (kernel == productSeconds) {
            return Part.PRODUCTS;
        }
        return kernel == localSeconds ? Part.LOCAL_MEMORY : kernel == memorySeconds ? Part.MEMORY : Part.LATENCY;
    }
}
