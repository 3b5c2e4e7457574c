package org.clinfer.plan;

import org.clinfer.graph.Node;

/** Names for the outputs of a node, also for those nobody uses: kernels need memory for them all the same. */
public final class OutputNames {

    private OutputNames() {}

    public static String of(Node node, int position) {
        String name = node.outputs().get(position);
        return name.isEmpty() ? "unused output " + position + " of " + node.name() : name;
    }
}
