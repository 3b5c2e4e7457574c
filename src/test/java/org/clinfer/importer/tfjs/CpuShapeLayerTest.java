package org.clinfer.importer.tfjs;

import org.clinfer.DeviceChoice;

final class CpuShapeLayerTest extends ShapeLayerContract {

    CpuShapeLayerTest() {
        super(new DeviceChoice.Cpu());
    }
}
