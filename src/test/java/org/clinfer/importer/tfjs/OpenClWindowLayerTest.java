package org.clinfer.importer.tfjs;

import org.clinfer.DeviceChoice;
import org.clinfer.opencl.RequiresOpenCl;

@RequiresOpenCl
final class OpenClWindowLayerTest extends WindowLayerContract {

    OpenClWindowLayerTest() {
        super(new DeviceChoice.FirstOpenCl());
    }
}
