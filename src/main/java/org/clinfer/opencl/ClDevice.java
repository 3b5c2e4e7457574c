package org.clinfer.opencl;

import org.clinfer.device.DeviceFacts;

/**
 * One OpenCL device.
 *
 * @param platform handle of its platform
 * @param handle handle of the device; root devices are never released
 * @param facts names, extensions and limits
 */
public record ClDevice(long platform, long handle, DeviceFacts facts) {

    public String name() {
        return facts.name();
    }
}
