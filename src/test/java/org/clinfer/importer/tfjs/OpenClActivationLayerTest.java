package org.clinfer.importer.tfjs;

import org.clinfer.DeviceChoice;
import org.clinfer.opencl.RequiresOpenCl;

@RequiresOpenCl
final class OpenClActivationLayerTest extends ActivationLayerContract {

    OpenClActivationLayerTest() {
        super(new DeviceChoice.FirstOpenCl());
    }
}
