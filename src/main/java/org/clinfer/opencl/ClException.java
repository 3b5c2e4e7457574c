package org.clinfer.opencl;

import org.clinfer.errors.DeviceException;

/** A failed OpenCL call: which call, on what, the status by name, the device, and what to do next. */
public class ClException extends DeviceException {

    private static final long serialVersionUID = 1L;

    private final String call;
    private final int code;
    private final String device;

    /**
     * @param call the OpenCL call, with its subject in brackets where there is one: {@code clCreateKernel(conv2d)}
     * @param code the status as OpenCL returned it
     * @param device name of the device
     */
    public ClException(String call, int code, String device) {
        this(call, code, device, "");
    }

    /** As above, with {@code detail} (a build log, say) on lines of its own. */
    ClException(String call, int code, String device, String detail) {
        super(call + " failed on " + device + ": " + ClStatus.describe(code) + "; "
                + ClStatus.of(code).nextStep() + (detail.isEmpty() ? "" : "\n" + detail));
        this.call = call;
        this.code = code;
        this.device = device;
    }

    public String call() {
        return call;
    }

    public ClStatus status() {
        return ClStatus.of(code);
    }

    /** The status as OpenCL returned it, also where it has no name. */
    public int code() {
        return code;
    }

    public String device() {
        return device;
    }
}
