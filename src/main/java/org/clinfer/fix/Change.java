package org.clinfer.fix;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.clinfer.check.CheckedGraph;
import org.clinfer.check.CheckedNode;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * A region after some steps.
 *
 * @param checked the region as it is now
 * @param steps what was done, in order
 * @param choices the positions of these replacements among all that there were at their node
 * @param size how large it is
 */
record Change(CheckedGraph checked, List<String> steps, List<Integer> choices, Size size) {

    /** The smaller first, and of those with as many nodes the one that took fewer steps. */
    static final Comparator<Change> ORDER = Comparator.<Change>comparingLong(change -> change.size.nodes)
            .thenComparingInt(change -> change.steps.size())
            .thenComparingLong(change -> change.size.multiplyAdds)
            .thenComparingLong(change -> change.size.bytes);

    Change {
        steps = List.copyOf(steps);
        choices = List.copyOf(choices);
    }

    /** The region before any step. */
    static Change none(CheckedGraph region) {
        return new Change(region, List.of(), List.of(), Size.of(region));
    }

    /** The region after one more step. */
    Change then(CheckedGraph region, Replacement step, int choice) {
        List<String> allSteps = new ArrayList<>(steps);
        allSteps.add(step.step());
        List<Integer> allChoices = new ArrayList<>(choices);
        allChoices.add(choice);
        return new Change(region, allSteps, allChoices, Size.of(region));
    }

    Graph graph() {
        return checked.graph();
    }

    /**
     * The size of a region, by which the smallest change is chosen.
     *
     * @param nodes the number of nodes
     * @param multiplyAdds of all of them; the most that there is where a node has too many to count
     * @param bytes of all that nodes give, and of the constants
     */
    record Size(long nodes, long multiplyAdds, long bytes) {

        static Size of(CheckedGraph checked) {
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
            return new Size(checked.nodes().size(), multiplyAdds, bytes);
        }

        private static long saturated(long a, long b) {
            return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
        }
    }
}
