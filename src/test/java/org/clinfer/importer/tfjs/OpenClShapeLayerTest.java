package org.clinfer.importer.tfjs;

import org.clinfer.DeviceChoice;
import org.clinfer.opencl.RequiresOpenCl;

@RequiresOpenCl
final class OpenClShapeLayerTest extends ShapeLayerContract {

    OpenClShapeLayerTest() {
        super(new DeviceChoice.FirstOpenCl());
    }
}
