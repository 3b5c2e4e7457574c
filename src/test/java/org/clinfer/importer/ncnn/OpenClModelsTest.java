package org.clinfer.importer.ncnn;

import org.clinfer.DeviceChoice;
import org.clinfer.opencl.RequiresOpenCl;

@RequiresOpenCl
final class OpenClModelsTest extends ModelsContract {

    OpenClModelsTest() {
        super(new DeviceChoice.FirstOpenCl());
    }
}
