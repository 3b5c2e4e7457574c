package org.clinfer.importer.tensorflow;

import org.clinfer.DeviceChoice;

class CpuOperatorTest extends OperatorContract {

    CpuOperatorTest() {
        super(new DeviceChoice.Cpu());
    }
}
