package org.clinfer.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.clinfer.graph.Graph;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.trace.TraceEvent;

/** The events of a plan that was made, for listeners. */
final class PlanEvents {

    private PlanEvents() {}

    /**
     * The plan, and the nodes that fall back to the CPU.
     *
     * @param device its name; empty without one
     */
    static List<TraceEvent> of(
            Graph graph, ExecutionPlan plan, Signature signature, String device, TraceEvent.Time time) {
        List<TraceEvent> events = new ArrayList<>();
        List<PlacedNode> onCpu = plan.graph().nodes().stream()
                .filter(node -> node.target() == PlacedNode.Target.CPU)
                .toList();
        events.add(new TraceEvent.Plan(
                graph.name(),
                device,
                new TreeMap<>(signature.types())
                        .entrySet().stream()
                                .map(each -> each.getKey() + "=" + each.getValue())
                                .collect(Collectors.joining(" ")),
                plan.graph().nodes().size() - onCpu.size(),
                onCpu.size(),
                plan.launches(),
                sum(plan.deviceArena().chunkBytes()),
                sum(plan.hostArena().chunkBytes()),
                time));
        if (!device.isEmpty()) {
            TraceEvent.Time now = new TraceEvent.Time(time.endNanos(), 0);
            onCpu.forEach(node -> events.add(new TraceEvent.Fallback(
                    graph.name(), node.written().name(), node.written().op(), node.reasons(), now)));
        }
        return events;
    }

    private static long sum(List<Long> bytes) {
        return bytes.stream().mapToLong(Long::longValue).sum();
    }
}
