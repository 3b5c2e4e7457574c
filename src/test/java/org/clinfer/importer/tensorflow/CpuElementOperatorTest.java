package org.clinfer.importer.tensorflow;

import org.clinfer.DeviceChoice;

final class CpuElementOperatorTest extends ElementOperatorContract {

    CpuElementOperatorTest() {
        super(new DeviceChoice.Cpu());
    }
}
