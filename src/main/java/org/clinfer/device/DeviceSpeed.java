package org.clinfer.device;

/**
 * The most that a device was seen to do.
 *
 * @param gflops billions of float32 operations a second, a multiplication with an addition being two
 * @param gigabytes read and written in a second, in billions of bytes, by a copy between buffers too large for caches
 */
public record DeviceSpeed(double gflops, double gigabytes) {}
