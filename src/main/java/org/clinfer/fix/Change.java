package org.clinfer.fix;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.clinfer.graph.Graph;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * A region after some steps.
 *
 * @param graph the region as it is now
 * @param steps what was done, in order
 * @param choices the positions of these replacements among all that there were at their node
 * @param looked what follows from its types; empty until somebody looks
 */
record Change(Graph graph, List<String> steps, List<Integer> choices, Optional<Looked> looked) {

    /**
     * The smaller first, and of those with as many nodes the one that took fewer steps; then those that nobody has looked at,
     * and of the others the one with the fewest multiply-adds.
     */
    static final Comparator<Change> ORDER = Comparator.<Change>comparingInt(
                    change -> change.graph.nodes().size())
            .thenComparingInt(change -> change.steps.size())
            .thenComparingLong(change -> change.looked.map(Looked::multiplyAdds).orElse(-1L))
            .thenComparingLong(change -> change.looked.map(Looked::bytes).orElse(-1L));

    Change {
        steps = List.copyOf(steps);
        choices = List.copyOf(choices);
    }

    /** The region before any step. */
    static Change none(Graph region) {
        return new Change(region, List.of(), List.of(), Optional.empty());
    }

    /** The region after one more step. */
    Change then(Graph region, String step, int choice) {
        List<String> allSteps = new ArrayList<>(steps);
        allSteps.add(step);
        List<Integer> allChoices = new ArrayList<>(choices);
        allChoices.add(choice);
        return new Change(region, allSteps, allChoices, Optional.empty());
    }

    Change lookedAt(CheckedGraph checked) {
        return new Change(graph, steps, choices, Optional.of(Looked.of(checked)));
    }

    /**
     * A region with its types, and how large it is.
     *
     * @param multiplyAdds of all nodes; the most that there is where a node has too many to count
     * @param bytes of all that nodes give, and of the constants
     */
    record Looked(CheckedGraph checked, long multiplyAdds, long bytes) {

        private static Looked of(CheckedGraph checked) {
            long multiplyAdds = 0;
            long bytes = 0;
            for (CheckedNode node : checked.nodes()) {
                multiplyAdds = saturated(multiplyAdds, node.multiplyAdds().orElse(Long.MAX_VALUE));
                for (TensorType type : node.outputTypes()) {
                    bytes = saturated(bytes, type.shape().isKnown() ? type.bytes() : Long.MAX_VALUE);
                }
            }
            for (Tensor constant : checked.graph().constants().values()) {
                bytes = saturated(bytes, constant.type().bytes());
            }
            return new Looked(checked, multiplyAdds, bytes);
        }

        private static long saturated(long a, long b) {
            return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
        }
    }
}
