package org.clinfer.importer.tfjs;

import org.clinfer.DeviceChoice;
import org.clinfer.opencl.RequiresOpenCl;

@RequiresOpenCl
final class OpenClLayerTest extends LayerContract {

    OpenClLayerTest() {
        super(new DeviceChoice.FirstOpenCl());
    }
}
