package org.clinfer.run;

/**
 * How long a run takes.
 *
 * @param runNanos by the host's clock
 * @param kernelNanos its kernels, by the device's clock
 */
public record RunTimes(long runNanos, long kernelNanos) {}
