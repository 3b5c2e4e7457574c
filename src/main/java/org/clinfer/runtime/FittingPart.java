package org.clinfer.runtime;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.clinfer.infer.CheckedNode;
import org.clinfer.plan.ExecutionPlan;

/**
 * The part of a network that fits the memory of a device: as many of its first nodes as fit, or of its last, whichever are
 * more work; none that has no multiplications worth counting, where the network has. One piece, so that values go between device and host once; the first nodes of a classifier have large values,
 * the last ones large weights.
 */
final class FittingPart {

    private final List<CheckedNode> nodes;
    private final Function<Map<String, String>, Optional<ExecutionPlan>> planning;

    /**
     * A search.
     *
     * @param nodes in the order in which they run
     * @param planning the plan with these nodes on the CPU, for a reason each; empty where it does not fit
     */
    FittingPart(List<CheckedNode> nodes, Function<Map<String, String>, Optional<ExecutionPlan>> planning) {
        this.nodes = nodes;
        this.planning = planning;
    }

    /** A plan, and the first nodes, or else the last ones, that it leaves on the device. */
    private record Found(ExecutionPlan plan, List<CheckedNode> onDevice) {

        double work() {
            return FittingPart.work(onDevice);
        }
    }

    /**
     * The plan; empty where nothing fits that is worth it.
     *
     * @param reason why not all do
     */
    Optional<ExecutionPlan> plan(String reason) {
        Optional<Found> first = longest(reason, count -> nodes.subList(0, count));
        Optional<Found> last = longest(reason, count -> nodes.subList(nodes.size() - count, nodes.size()));
        boolean hasWork = work(nodes) > 0;
        return Stream.of(first, last)
                .flatMap(Optional::stream)
                .filter(found -> !hasWork || found.work() > 0)
                .max(Comparator.comparingDouble(Found::work))
                .map(Found::plan);
    }

    private static double work(List<CheckedNode> nodes) {
        return nodes.stream().mapToDouble(node -> node.multiplyAdds().orElse(0)).sum();
    }

    /** The plan with as many nodes as fit, found by halving: fewer nodes hardly ever need more. */
    private Optional<Found> longest(String reason, Function<Integer, List<CheckedNode>> part) {
        Optional<Found> best = Optional.empty();
        int fits = 0;
        int exceeds = nodes.size();
        while (exceeds - fits > 1) {
            int count = (fits + exceeds) / 2;
            List<CheckedNode> onDevice = part.apply(count);
            Optional<ExecutionPlan> plan = planning.apply(others(onDevice, reason));
            if (plan.isPresent()) {
                best = plan.map(found -> new Found(found, onDevice));
                fits = count;
            } else {
                exceeds = count;
            }
        }
        return best;
    }

    private Map<String, String> others(List<CheckedNode> onDevice, String reason) {
        Map<String, String> hosted = new HashMap<>();
        nodes.forEach(node -> hosted.put(node.node().name(), reason));
        onDevice.forEach(node -> hosted.remove(node.node().name()));
        return hosted;
    }
}
