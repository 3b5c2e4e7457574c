package org.clinfer.importer.openvino;

import org.clinfer.DeviceChoice;

final class CpuSampleNetTest extends SampleNetContract {

    CpuSampleNetTest() {
        super(new DeviceChoice.Cpu());
    }
}
