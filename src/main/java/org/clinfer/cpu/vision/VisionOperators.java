package org.clinfer.cpu.vision;

import java.util.LinkedHashMap;
import java.util.Map;
import org.clinfer.costs.CpuWork;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.vector.CpuPath;

/** The operators that pool and resample images, take regions of them, and find boxes. */
public final class VisionOperators {

    private VisionOperators() {}

    public static Map<String, CpuOperator> all(CpuPath path) {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.put("MaxPool", CpuOperator.of(CpuWork.MAXIMUM, Pooling.max(path)));
        all.put("AvgPool", CpuOperator.of(CpuWork.MEAN, Pooling.average(path)));
        all.put("Resize", new Resize());
        all.put("Upsample", new Resize());
        all.put("DeePhiDownsample", new Resize());
        all.put("GridSample", new GridSample());
        all.put("RoiAlign", new RoiAlign());
        all.put("DetectionOutput", new DetectionOutput());
        all.put("Proposal", new Proposal());
        all.put("NonMaxSuppression", new NonMaxSuppression());
        all.put("RoiPool", new RegionPool(false));
        all.put("PsRoiPool", new RegionPool(true));
        return all;
    }
}
