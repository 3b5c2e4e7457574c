package org.clinfer.importer.tensorflow;

import org.clinfer.DeviceChoice;

final class CpuRecordedOperatorTest extends TfRecordedOperatorContract {

    CpuRecordedOperatorTest() {
        super(new DeviceChoice.Cpu());
    }
}
