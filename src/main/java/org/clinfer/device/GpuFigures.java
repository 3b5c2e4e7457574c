package org.clinfer.device;

/**
 * Figures of a GPU by which the time of kernels is predicted and kernels are chosen. A unit is what runs a work-group.
 *
 * @param units units that run work-groups side by side
 * @param clockHz cycles in a second
 * @param multiplyAdds multiplications with an addition of float32 that a unit does in a cycle, each for a work-item
 * @param unitItems work-items that a unit holds at once
 * @param unitLocalBytes local memory of a unit, which its work-groups share
 * @param unitRegisters registers of 32 bits of a unit, which its work-items share
 * @param itemRegisters the most of them that a work-item may have
 * @param localBytes bytes that local memory gives to the work-items of a unit in a cycle
 * @param memoryBytesPerSecond bytes that the device's own memory moves in a second
 * @param latencySeconds seconds until a read beyond the unit is answered
 * @param launchSeconds seconds from the end of a kernel to the start of the next in the queue
 */
public record GpuFigures(
        int units,
        double clockHz,
        double multiplyAdds,
        long unitItems,
        long unitLocalBytes,
        long unitRegisters,
        long itemRegisters,
        double localBytes,
        double memoryBytesPerSecond,
        double latencySeconds,
        double launchSeconds) {

    public GpuFigures {
        if (units < 1
                || unitItems < 1
                || !(clockHz > 0)
                || !(multiplyAdds > 0)
                || !(localBytes > 0)
                || !(memoryBytesPerSecond > 0)) {
            throw new IllegalArgumentException("figures of a GPU must be above 0");
        }
    }

    /** {@return multiplications with an addition that all units do in a second} */
    public double multiplyAddsPerSecond() {
        return units * unitMultiplyAddsPerSecond();
    }

    /** {@return the same of one unit} */
    public double unitMultiplyAddsPerSecond() {
        return multiplyAdds * clockHz;
    }
}
