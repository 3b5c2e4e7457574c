package org.clinfer.opencl;

/** The calls on one device, counted, with the check that every status goes through. */
record DeviceCalls(ClApi api, ClDevice device, CommandCounter counter) {

    /**
     * Held while memory is made or given back, by all contexts: NVIDIA's driver 580 crashed in clReleaseMemObject when
     * several threads gave back sub-buffers.
     */
    static final Object MEMORY = new Object();

    void check(String call, int status) {
        if (status != 0) {
            throw failure(call, status);
        }
    }

    /** As above with the call's subject, put together only on failure. */
    void check(String call, String subject, int status) {
        if (status != 0) {
            throw failure(call + "(" + subject + ")", status);
        }
    }

    ClException failure(String call, int status) {
        return new ClException(call, status, device.name());
    }
}
