package org.clinfer;

import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;

/** Carried values that change on a device that may use the host's memory. */
@RequiresOpenCl
class OpenClUpdatedStateTest extends UpdatedStateContract {

    private final CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);

    @Override
    Engine open() {
        return Engine.open(
                EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl()), () -> OpenCl.over(counting.api()));
    }

    @Override
    void closed() {
        counting.assertAllReleased();
    }

    @Override
    boolean isInPlace() {
        return true;
    }
}
