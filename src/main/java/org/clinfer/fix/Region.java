package org.clinfer.fix;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.AttributeValues;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.tensor.Tensor;

/** A checked network, or a part of one, with who gives and who reads each value. */
final class Region {

    private final CheckedGraph checked;
    private final Map<String, CheckedNode> nodes = new HashMap<>();
    private final Map<String, CheckedNode> givers = new HashMap<>();
    private final Map<String, List<Node>> readers = new HashMap<>();
    private final Set<String> outputs;

    Region(CheckedGraph checked) {
        this.checked = checked;
        this.outputs = new HashSet<>(checked.graph().outputs());
        for (CheckedNode node : checked.nodes()) {
            nodes.put(node.node().name(), node);
            node.node().outputs().forEach(output -> givers.put(output, node));
        }
        for (Node node : checked.walked()) {
            new HashSet<>(node.inputs())
                    .forEach(input -> readers.computeIfAbsent(input, name -> new ArrayList<>())
                            .add(node));
        }
    }

    CheckedGraph checked() {
        return checked;
    }

    Graph graph() {
        return checked.graph();
    }

    Optional<CheckedNode> node(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    /** The node that gives a value; empty for an input or a constant. */
    Optional<CheckedNode> giver(String value) {
        return Optional.ofNullable(givers.get(value));
    }

    /** The number of nodes that read a value, and one more where it is an output. */
    int readers(String value) {
        return readers.getOrDefault(value, List.of()).size() + (outputs.contains(value) ? 1 : 0);
    }

    /** The node that alone reads a value, which is no output; empty where there is no such node. */
    Optional<CheckedNode> onlyReader(String value) {
        List<Node> all = readers.getOrDefault(value, List.of());
        return outputs.contains(value) || all.size() != 1
                ? Optional.empty()
                : node(all.get(0).name());
    }

    /** The value that is known beforehand. */
    Optional<Tensor> constant(String value) {
        return Optional.ofNullable(checked.constants().get(value));
    }

    /** The node with all of its parameters as attributes: those of a part of a composed operator come from the composition. */
    Node written(Node node) {
        CheckedNode known = nodes.get(node.name());
        if (known == null || !checked.wholes().containsKey(node.name())) {
            return node;
        }
        return new Node(
                node.name(),
                node.op(),
                node.inputs(),
                node.outputs(),
                AttributeValues.attributes(known.binding().params()),
                node.source());
    }

    /** Some of the nodes as a network of their own, whose outputs are what others read of them. */
    Graph part(Set<CheckedNode> members) {
        List<Node> part = checked.nodes().stream()
                .filter(members::contains)
                .map(node -> written(node.node()))
                .toList();
        Set<String> own = new HashSet<>();
        part.forEach(node -> own.add(node.name()));
        Set<String> given = new LinkedHashSet<>();
        for (Node node : part) {
            for (String output : node.outputs()) {
                boolean isRead = readers.getOrDefault(output, List.of()).stream()
                        .anyMatch(reader -> !own.contains(reader.name()));
                if (!output.isEmpty() && (isRead || outputs.contains(output))) {
                    given.add(output);
                }
            }
        }
        return checked.part(part, given);
    }

    /** Some of the nodes as a network of their own, of which only the last one's output is read. */
    Graph chain(List<CheckedNode> members) {
        List<Node> part = members.stream().map(node -> written(node.node())).toList();
        return checked.part(part, part.get(part.size() - 1).outputs());
    }
}
