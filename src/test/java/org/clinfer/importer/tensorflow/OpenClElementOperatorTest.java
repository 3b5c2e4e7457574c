package org.clinfer.importer.tensorflow;

import org.clinfer.DeviceChoice;
import org.clinfer.opencl.RequiresOpenCl;

@RequiresOpenCl
final class OpenClElementOperatorTest extends ElementOperatorContract {

    OpenClElementOperatorTest() {
        super(new DeviceChoice.FirstOpenCl());
    }
}
