package org.clinfer;

import org.clinfer.opencl.ClStatus;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.options.ClBinding;

/** A real device until it is to be lost, for tests of other packages. */
public final class LosingDevice {

    private final CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);

    /** An engine on it. */
    public Engine open(EngineOptions options) {
        return Engine.open(options, () -> OpenCl.over(counting.api()));
    }

    /** Lets every command fail from now on. */
    public void lose() {
        counting.failFrom("clFinish", 1, ClStatus.CL_OUT_OF_RESOURCES);
    }
}
