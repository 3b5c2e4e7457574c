package org.clinfer.place;

import org.clinfer.device.DeviceFacts;

/**
 * About how long a device takes beside computing, in nanoseconds.
 *
 * @param start from the host's first command until the device computes, and from its end until the host goes on
 * @param kernel one more kernel after the first
 * @param crossing one value that goes from the host to the device or back
 * @param crossingByte each of its bytes
 * @param work how much of the time that kernels take on a processor
 */
record DeviceCosts(long start, long kernel, long crossing, double crossingByte, double work) {

    /**
     * Of a device of this kind. A processor wakes its threads for every launch (measured: 30 to 50 microseconds on PoCL)
     * before it computes; others are taken to be behind a bus, quick at launching, and to
     * compute in no time beside the CPU.
     *
     * @param chain whether kernels that follow one another are one launch; all are taken to be able to
     */
    static DeviceCosts of(DeviceFacts facts, boolean chain) {
        boolean sharesHost = facts.limit("host_unified_memory", 0) != 0;
        return facts.kind() == DeviceFacts.Kind.CPU
                ? new DeviceCosts(35_000, chain ? 1_500 : 35_000, 1_000, sharesHost ? 0 : 0.1, 1)
                : new DeviceCosts(15_000, 5_000, 5_000, sharesHost ? 0.02 : 0.1, 0);
    }

    long transfer(long bytes) {
        return crossing + (long) (crossingByte * bytes);
    }
}
