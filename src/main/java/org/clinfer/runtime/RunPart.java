package org.clinfer.runtime;

import java.util.Optional;
import org.clinfer.device.DeviceFacts;
import org.clinfer.graph.Node;
import org.clinfer.plan.ExecutionPlan;

/** A part of a network as it runs: a plan, or a node that the host itself carries out. */
public sealed interface RunPart {

    /**
     * Nodes that are planned together.
     *
     * @param device the OpenCL device; empty if the CPU does everything
     */
    record Planned(ExecutionPlan plan, Optional<DeviceFacts> device) implements RunPart {}

    /**
     * A node of control flow, whose graphs are parts of their own.
     *
     * @param reason why it is not on the device
     */
    record Control(Node node, String reason) implements RunPart {}
}
