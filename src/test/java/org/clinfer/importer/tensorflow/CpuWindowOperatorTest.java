package org.clinfer.importer.tensorflow;

import org.clinfer.DeviceChoice;

final class CpuWindowOperatorTest extends WindowOperatorContract {

    CpuWindowOperatorTest() {
        super(new DeviceChoice.Cpu());
    }
}
