package org.clinfer.plan;

import org.clinfer.place.PlacedNode;

/** One thing an executor does; steps run in order. */
public sealed interface Step {

    /** Copies a value from host to device memory. */
    record Upload(String value) implements Step {}

    /** Copies a value from device to host memory. */
    record Download(String value) implements Step {}

    /** Runs a node's kernels. */
    record Launch(PlacedNode node) implements Step {}

    /** Runs a node's CPU implementation. */
    record HostCall(PlacedNode node) implements Step {}
}
