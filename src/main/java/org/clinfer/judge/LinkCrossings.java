package org.clinfer.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.check.CheckReport;
import org.clinfer.infer.CheckedGraph;

/** The values that cross between a device and its host. */
final class LinkCrossings {

    /** One value, and the side that needs it. */
    record Crossed(CheckReport.Value value, boolean isToDevice) {}

    private LinkCrossings() {}

    /**
     * The crossings, each value once, in the order in which they are needed.
     *
     * @param nodes those that run, in execution order
     * @param withEnds whether the network's own inputs and outputs cross as well
     */
    static List<Crossed> of(CheckedGraph checked, List<CheckReport.NodeReport> nodes, boolean withEnds) {
        Map<String, CheckReport.NodeReport> producers = new HashMap<>();
        nodes.forEach(node -> node.outputs().forEach(output -> producers.put(output.name(), node)));
        Set<String> seen = new HashSet<>();
        List<Crossed> crossed = new ArrayList<>();
        for (CheckReport.NodeReport node : nodes) {
            for (CheckReport.Value input : node.inputs()) {
                CheckReport.NodeReport producer = producers.get(input.name());
                boolean crosses = producer == null
                        ? withEnds && node.isOnDevice() && checked.inputTypes().containsKey(input.name())
                        : producer.isOnDevice() != node.isOnDevice();
                if (crosses && seen.add(input.name())) {
                    crossed.add(new Crossed(input, node.isOnDevice()));
                }
            }
        }
        for (String output : withEnds ? checked.graph().outputs() : List.<String>of()) {
            CheckReport.NodeReport producer = producers.get(output);
            if (producer != null && producer.isOnDevice() && seen.add(output)) {
                producer.outputs().stream()
                        .filter(value -> value.name().equals(output))
                        .forEach(value -> crossed.add(new Crossed(value, false)));
            }
        }
        return crossed;
    }
}
