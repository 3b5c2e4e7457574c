package org.clinfer.importer.tensorflow;

import org.clinfer.DeviceChoice;

final class CpuFrozenControlTest extends FrozenControlContract {

    CpuFrozenControlTest() {
        super(new DeviceChoice.Cpu());
    }
}
