package org.clinfer.importer.tensorflow;

import org.clinfer.DeviceChoice;
import org.clinfer.opencl.RequiresOpenCl;

@RequiresOpenCl
final class OpenClOperatorTest extends OperatorContract {

    OpenClOperatorTest() {
        super(new DeviceChoice.FirstOpenCl());
    }
}
