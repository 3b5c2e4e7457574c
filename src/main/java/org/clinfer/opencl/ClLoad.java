package org.clinfer.opencl;

/** The result of looking for OpenCL: a runtime with at least one device, or the reason why there is none. */
public sealed interface ClLoad {

    /** OpenCL with at least one usable device. */
    record Available(OpenCl openCl) implements ClLoad {}

    /**
     * No usable device.
     *
     * @param reason one line: what is missing and what to install
     */
    record Missing(String reason) implements ClLoad {}
}
