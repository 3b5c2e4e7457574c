package org.clinfer.check;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.TensorType;

/**
 * The capability report of a network on one device.
 *
 * @param model the model's name
 * @param device the device it was checked for; {@code cpu} if none
 * @param inputs type of every graph input it was checked with
 * @param nodes one report per node, in execution order
 */
public record CheckReport(String model, String device, Map<String, TensorType> inputs, List<NodeReport> nodes) {

    /**
     * What was found at one node.
     *
     * @param node the node's name
     * @param op its canonical operator
     * @param source where it comes from
     * @param verdict where it can run
     * @param variant kernel variant on the device, or empty
     * @param findings everything that speaks against the device, or against the node itself
     * @param outputs the inferred types, as {@code y: 1x8x24x24:float32}
     */
    public record NodeReport(
            String node,
            String op,
            SourceRef source,
            Verdict verdict,
            String variant,
            List<Finding> findings,
            List<String> outputs) {
        public NodeReport {
            findings = List.copyOf(findings);
            outputs = List.copyOf(outputs);
        }
    }

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
