package org.clinfer.importer.tfjs;

import org.clinfer.DeviceChoice;
import org.clinfer.Placement;
import org.clinfer.check.Verdict;

final class CpuBrainchopTest extends BrainchopContract {

    CpuBrainchopTest() {
        super(new DeviceChoice.Cpu(), Verdict.FALLS_BACK, Placement.Target.CPU);
    }
}
