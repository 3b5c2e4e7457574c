package org.clinfer.importer.onnx.export;

import java.util.HashSet;
import java.util.Set;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;

/** The names of the nodes of a file, none of which ONNX Runtime takes twice; those of the network stay as they are. */
final class NodeNames {

    private final Set<String> own = new HashSet<>();
    private final Set<String> used = new HashSet<>();

    NodeNames(Graph graph) {
        addOwn(graph);
    }

    private void addOwn(Graph graph) {
        for (Node node : graph.nodes()) {
            own.add(node.name());
            node.bodies().values().forEach(this::addOwn);
        }
    }

    /** The name of a node of the network or of its part: this one, or with a number where another node has it. */
    String of(String name) {
        return name.isEmpty() || used.add(name) ? name : ofStep(name);
    }

    /** The name of a node that the network does not have. */
    String ofStep(String stem) {
        String name = stem;
        for (int i = 1; own.contains(name) || !used.add(name); i++) {
            name = stem + "_" + i;
        }
        return name;
    }
}
