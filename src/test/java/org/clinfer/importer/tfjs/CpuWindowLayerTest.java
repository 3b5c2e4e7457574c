package org.clinfer.importer.tfjs;

import org.clinfer.DeviceChoice;

final class CpuWindowLayerTest extends WindowLayerContract {

    CpuWindowLayerTest() {
        super(new DeviceChoice.Cpu());
    }
}
