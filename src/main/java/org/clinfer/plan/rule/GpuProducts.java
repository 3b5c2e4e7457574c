package org.clinfer.plan.rule;

import org.clinfer.kernel.KernelVariant;
import org.clinfer.place.PlacedNode;

/** The kernels by which GPUs compute convolutions and matrix products: in tiles of work-groups, or by matrix units. */
final class GpuProducts {

    private static final String TILES = "groups";
    private static final String UNITS = "units";

    private GpuProducts() {}

    /** Whether such a kernel computes a node of many rows and columns. */
    static boolean compute(PlacedNode node) {
        return node.variant()
                .map(KernelVariant::name)
                .filter(name -> name.equals(TILES) || name.startsWith(UNITS))
                .isPresent();
    }
}
