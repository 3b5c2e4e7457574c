package org.clinfer.importer.tfjs;

import org.clinfer.DeviceChoice;
import org.clinfer.Placement;
import org.clinfer.check.Verdict;
import org.clinfer.opencl.RequiresOpenCl;

@RequiresOpenCl
final class OpenClBrainchopTest extends BrainchopContract {

    OpenClBrainchopTest() {
        super(new DeviceChoice.FirstOpenCl(), Verdict.ON_DEVICE, Placement.Target.DEVICE);
    }
}
