package org.clinfer.check;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.TensorType;

/**
 * The capability report of a network on one device.
 *
 * @param model the model's name
 * @param device the device it was checked for, as people call it; {@code cpu} if none
 * @param profile short name of the device's profile; empty where a device that is there was asked
 * @param inputs type of every graph input it was checked with
 * @param nodes one report per node, in execution order
 * @param summary figures of the whole network
 */
public record CheckReport(
        String model,
        String device,
        String profile,
        Map<String, TensorType> inputs,
        List<NodeReport> nodes,
        Summary summary) {

    /**
     * What was found at one node.
     *
     * @param node the node's name
     * @param op its canonical operator
     * @param source where it comes from
     * @param verdict where it can run
     * @param variant kernel variant on the device, or empty
     * @param findings everything that speaks against the device, or against the node itself
     * @param inputs what it reads; an optional input that is left out has an empty name
     * @param outputs what it gives
     * @param work what it takes to run it
     */
    public record NodeReport(
            String node,
            String op,
            SourceRef source,
            Verdict verdict,
            String variant,
            List<Finding> findings,
            List<Value> inputs,
            List<Value> outputs,
            Work work) {
        public NodeReport {
            findings = List.copyOf(findings);
            inputs = List.copyOf(inputs);
            outputs = List.copyOf(outputs);
        }
    }

    /**
     * A value of the graph: what one node gives under a name, others read under the same name.
     *
     * @param type empty where it could not be inferred
     */
    public record Value(String name, Optional<TensorType> type) {}

    /**
     * What a node takes.
     *
     * @param multiplyAdds empty where not known
     * @param weightBytes bytes of its constant inputs
     */
    public record Work(OptionalLong multiplyAdds, long weightBytes) {}

    /**
     * Figures of the whole network; empty where not known.
     *
     * @param nodesOnDevice nodes with the verdict on-device
     * @param multiplyAddsOnDevice of the nodes on the device
     * @param multiplyAdds of all nodes
     * @param partitions connected runs of nodes on the device
     * @param crossingBytes bytes of the values that cross between device and host
     * @param weightBytes bytes of all weights
     * @param peakActivationBytes most bytes of values that are needed at one time
     * @param memoryBytes bytes that the device needs
     */
    public record Summary(
            long nodesOnDevice,
            OptionalLong multiplyAddsOnDevice,
            OptionalLong multiplyAdds,
            int partitions,
            OptionalLong crossingBytes,
            long weightBytes,
            OptionalLong peakActivationBytes,
            OptionalLong memoryBytes) {}

    public CheckReport {
        inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
        nodes = List.copyOf(nodes);
    }

    /** How many nodes have each verdict; verdicts that do not occur count 0. */
    public Map<Verdict, Long> counts() {
        Map<Verdict, Long> counts = new EnumMap<>(Verdict.class);
        for (Verdict verdict : Verdict.values()) {
            counts.put(
                    verdict,
                    nodes.stream().filter(node -> node.verdict() == verdict).count());
        }
        return counts;
    }
}
