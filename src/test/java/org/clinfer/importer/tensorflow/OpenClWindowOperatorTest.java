package org.clinfer.importer.tensorflow;

import org.clinfer.DeviceChoice;
import org.clinfer.opencl.RequiresOpenCl;

@RequiresOpenCl
final class OpenClWindowOperatorTest extends WindowOperatorContract {

    OpenClWindowOperatorTest() {
        super(new DeviceChoice.FirstOpenCl());
    }
}
