package org.clinfer.importer.tensorflow;

import org.clinfer.DeviceChoice;
import org.clinfer.opencl.RequiresOpenCl;

@RequiresOpenCl
final class OpenClFrozenControlTest extends FrozenControlContract {

    OpenClFrozenControlTest() {
        super(new DeviceChoice.FirstOpenCl());
    }
}
