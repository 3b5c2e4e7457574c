package org.clinfer.place;

import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.clinfer.infer.CheckedNode;
import org.clinfer.tensor.TensorType;

/** The facts on which the time of a node depends, as one line that people can read: operator, types, parameters. */
public final class NodeConfiguration {

    private NodeConfiguration() {}

    /**
     * The configuration of a node; equal for nodes that a kernel variant takes the same time for.
     *
     * @param constants names of the values that are known before the run
     */
    public static String of(CheckedNode node, Set<String> constants) {
        StringJoiner inputs = new StringJoiner(", ");
        for (int i = 0; i < node.inputTypes().size(); i++) {
            TensorType type = node.inputTypes().get(i);
            boolean constant = constants.contains(node.node().inputs().get(i));
            inputs.add(type == null ? "-" : constant ? "const " + type : type.toString());
        }
        StringJoiner outputs = new StringJoiner(", ");
        node.outputTypes().forEach(type -> outputs.add(type.toString()));
        StringJoiner params = new StringJoiner(" ");
        Map<String, Object> sorted = new TreeMap<>(node.binding().params());
        sorted.forEach((name, value) -> params.add(name + "=" + value));
        return node.node().op() + "(" + inputs + ") -> " + outputs + " " + params;
    }
}
