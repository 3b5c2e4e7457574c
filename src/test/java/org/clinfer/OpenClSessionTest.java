package org.clinfer;

import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;

/** Sessions on an OpenCL device, whose handles are all given back. */
@RequiresOpenCl
class OpenClSessionTest extends SessionContract {

    private final CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);

    @Override
    Engine open() {
        return Engine.open(
                EngineOptions.defaults()
                        .withDevice(new DeviceChoice.FirstOpenCl())
                        .withThreads(2),
                () -> OpenCl.over(counting.api()));
    }

    @Override
    void closed() {
        counting.assertAllReleased();
    }
}
