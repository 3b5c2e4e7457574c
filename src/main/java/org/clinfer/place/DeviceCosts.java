package org.clinfer.place;

import org.clinfer.costs.MachineCosts;
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
     * Costs of a device by its kind.
     *
     * @param chain whether kernels that follow one another are one launch; all are taken to be able to
     */
    static DeviceCosts of(MachineCosts costs, DeviceFacts facts, boolean chain) {
        MachineCosts.Device device = facts.kind() == DeviceFacts.Kind.CPU ? costs.cpuDevice() : costs.gpuDevice();
        boolean sharesHost = facts.limit("host_unified_memory", 0) != 0;
        return new DeviceCosts(
                device.startNanos(),
                chain ? device.chainedNanos() : device.launchNanos(),
                device.crossingNanos(),
                sharesHost ? device.sharedByteNanos() : device.crossingByteNanos(),
                device.workFactor());
    }

    long transfer(long bytes) {
        return crossing + (long) (crossingByte * bytes);
    }
}
