package org.clinfer;

import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;

/** Carried values that change on a device with memory of its own. */
@RequiresOpenCl
class SeparateMemoryUpdatedStateTest extends UpdatedStateContract {

    private final PinnedCalls pinned = new PinnedCalls(ClBinding.LWJGL);

    @Override
    Engine open() {
        return pinned.engine(EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl()));
    }

    @Override
    void closed() {
        pinned.counting().assertAllReleased();
    }

    @Override
    boolean isInPlace() {
        return false;
    }
}
