package org.clinfer.importer.openvino;

import org.clinfer.DeviceChoice;
import org.clinfer.opencl.RequiresOpenCl;

@RequiresOpenCl
final class OpenClSampleNetTest extends SampleNetContract {

    OpenClSampleNetTest() {
        super(new DeviceChoice.FirstOpenCl());
    }
}
