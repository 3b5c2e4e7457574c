package org.clinfer.run;

/**
 * The times of a run.
 *
 * @param runNanos by the host's clock
 * @param kernelNanos its kernels, by the device's clock
 */
public record RunTimes(long runNanos, long kernelNanos) {}
