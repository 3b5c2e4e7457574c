package org.clinfer.importer.tfjs;

import org.clinfer.DeviceChoice;

final class CpuLayerTest extends LayerContract {

    CpuLayerTest() {
        super(new DeviceChoice.Cpu());
    }
}
