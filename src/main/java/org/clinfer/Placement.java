package org.clinfer;

import java.util.List;
import org.clinfer.graph.SourceRef;

/**
 * Where each node of a planned network runs, and why.
 *
 * @param device name of the OpenCL device, or empty if the CPU does everything
 * @param nodes in the order in which they run; those that run as part of another one follow it
 */
public record Placement(String device, List<Entry> nodes) {

    /** Where a node runs. */
    public enum Target {
        DEVICE,
        CPU
    }

    /**
     * One node.
     *
     * @param node the node's name
     * @param op its canonical operator
     * @param source where it comes from
     * @param target where it runs
     * @param variant the kernel variant on the device, {@code view} for a node that only renames memory, else empty
     * @param fusedInto the node as part of which it runs; empty where it runs by itself
     * @param reasons why each better choice was refused; for a CPU node: why it is not on the device
     */
    public record Entry(
            String node,
            String op,
            SourceRef source,
            Target target,
            String variant,
            String fusedInto,
            List<String> reasons) {
        public Entry {
            reasons = List.copyOf(reasons);
        }
    }

    public Placement {
        nodes = List.copyOf(nodes);
    }

    /** How many nodes run at {@code target}. */
    public long count(Target target) {
        return nodes.stream().filter(entry -> entry.target() == target).count();
    }
}
