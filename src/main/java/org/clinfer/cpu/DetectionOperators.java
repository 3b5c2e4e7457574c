package org.clinfer.cpu;

import java.util.Map;

/** Operators that find boxes and look at parts of pictures. */
final class DetectionOperators {

    private DetectionOperators() {}

    static Map<String, CpuOperator> all() {
        return Map.of(
                "DetectionOutput", new DetectionOutput(),
                "Proposal", new Proposal(),
                "NonMaxSuppression", new NonMaxSuppression(),
                "RoiPool", new RegionPool(false),
                "PsRoiPool", new RegionPool(true));
    }
}
