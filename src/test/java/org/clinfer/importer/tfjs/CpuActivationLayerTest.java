package org.clinfer.importer.tfjs;

import org.clinfer.DeviceChoice;

final class CpuActivationLayerTest extends ActivationLayerContract {

    CpuActivationLayerTest() {
        super(new DeviceChoice.Cpu());
    }
}
