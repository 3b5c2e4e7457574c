package org.clinfer.fix;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.Node;
import org.clinfer.tensor.Tensor;

/** Puts the nodes of one graph into another one, under names that are free there. */
final class Splice {

    private final Set<String> taken = new HashSet<>();
    private final List<Node> nodes = new ArrayList<>();
    private final Map<String, Tensor> constants = new HashMap<>();

    private Splice() {}

    /**
     * The graph with some of its nodes replaced.
     *
     * @param into nodes, inputs and constants; the inputs and outputs stay
     * @param kept the nodes that stay
     * @param parts what comes in the place of the others, by the name of the first node that it replaces
     */
    static Graph of(Graph into, List<Node> kept, Map<String, Graph> parts) {
        Splice splice = new Splice();
        into.inputs().forEach(input -> splice.taken.add(input.name()));
        splice.constants.putAll(into.constants());
        splice.taken.addAll(into.constants().keySet());
        kept.forEach(splice::keep);
        parts.values().forEach(part -> splice.taken.addAll(part.outputs()));
        parts.forEach(splice::add);
        GraphBuilder builder = new GraphBuilder(into.name(), into.source());
        into.inputs().forEach(input -> builder.input(input.name(), input.type()));
        into.outputs().forEach(builder::output);
        splice.constants.forEach(builder::constant);
        splice.nodes.forEach(builder::node);
        return builder.build();
    }

    /** The names that the nodes of a part have then. */
    static Set<String> names(String prefix, Graph part) {
        Set<String> names = new HashSet<>();
        part.nodes().forEach(node -> names.add(name(prefix, node.name())));
        return names;
    }

    private void keep(Node node) {
        nodes.add(node);
        taken.addAll(node.outputs());
    }

    private void add(String prefix, Graph part) {
        Map<String, String> names = new HashMap<>();
        part.inputs().forEach(input -> names.put(input.name(), input.name()));
        part.outputs().forEach(output -> names.put(output, output));
        names.put("", "");
        part.constants().forEach((name, tensor) -> {
            String own = constants.get(name) == tensor ? name : fresh(prefix, name);
            names.put(name, own);
            constants.put(own, tensor);
        });
        for (Node node : part.nodes()) {
            node.outputs().forEach(output -> names.computeIfAbsent(output, name -> fresh(prefix, name)));
        }
        for (Node node : part.nodes()) {
            nodes.add(new Node(
                    name(prefix, node.name()),
                    node.op(),
                    node.inputs().stream().map(names::get).toList(),
                    node.outputs().stream().map(names::get).toList(),
                    node.params(),
                    node.source()));
        }
    }

    private static String name(String prefix, String own) {
        return own.equals(prefix) || own.startsWith(prefix + "/") ? own : prefix + "/" + own;
    }

    private String fresh(String prefix, String own) {
        String name = name(prefix, own);
        for (int i = 2; !taken.add(name); i++) {
            name = name(prefix, own) + "_" + i;
        }
        return name;
    }
}
