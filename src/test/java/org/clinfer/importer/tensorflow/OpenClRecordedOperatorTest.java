package org.clinfer.importer.tensorflow;

import org.clinfer.DeviceChoice;
import org.clinfer.opencl.RequiresOpenCl;

@RequiresOpenCl
final class OpenClRecordedOperatorTest extends TfRecordedOperatorContract {

    OpenClRecordedOperatorTest() {
        super(new DeviceChoice.FirstOpenCl());
    }
}
