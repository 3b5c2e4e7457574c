package org.clinfer.opencl;

import java.util.Optional;

/**
 * The outcome of a command. Times of the host are of {@link System#nanoTime()}.
 *
 * @param mark what {@link CommandLog#mark} said when it was queued
 * @param name of the kernel, or the kind of transfer
 * @param isKernel whether it is the launch of a kernel
 * @param bytes of a transfer
 * @param callNanos begin of the host's call
 * @param returnNanos its end
 * @param device when it ran; empty where the driver has no times of it
 */
public record CommandTimes(
        int mark,
        String name,
        boolean isKernel,
        long bytes,
        long callNanos,
        long returnNanos,
        Optional<OnDevice> device) {

    /** By the device's clock, in nanoseconds. */
    public record OnDevice(long queuedNanos, long startNanos, long endNanos) {}

    /** The time that it ran on the device; 0 where that is not known. */
    public long deviceNanos() {
        return device.map(times -> times.endNanos() - times.startNanos()).orElse(0L);
    }
}
