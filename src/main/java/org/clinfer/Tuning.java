package org.clinfer;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.runtime.Tuner;

/**
 * The measurements of {@link Model#tune}.
 *
 * @param nodes the different uses of operators that the device can run in several ways, in execution order
 * @param kept whether the choices are on disk, for other engines on the same device; else this engine alone has them
 */
public record Tuning(List<Node> nodes, boolean kept) {

    /**
     * One use of an operator.
     *
     * @param node the first node of the network that is one
     * @param op the operator that runs
     * @param count how many nodes of the network are the same use
     * @param usual the unique name of the kernel variant that is used without tuning
     * @param chosen the one that is used from now on
     * @param micros the median time of each variant that was measured, in microseconds, in the order in which they are tried
     */
    public record Node(String node, String op, int count, String usual, String chosen, Map<String, Double> micros) {
        public Node {
            micros = Collections.unmodifiableMap(new LinkedHashMap<>(micros));
        }

        /** {@return whether another variant than the usual one is used from now on} */
        public boolean isChanged() {
            return !usual.equals(chosen);
        }
    }

    public Tuning {
        nodes = List.copyOf(nodes);
    }

    static Tuning of(Tuner.Measurements measurements) {
        return new Tuning(
                measurements.nodes().stream()
                        .map(node -> new Node(
                                node.first().written().name(),
                                node.first().op(),
                                node.count(),
                                node.usual(),
                                node.chosen(),
                                node.micros()))
                        .toList(),
                measurements.kept());
    }
}
