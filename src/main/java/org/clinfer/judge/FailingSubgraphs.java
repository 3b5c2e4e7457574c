package org.clinfer.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.check.CheckReport;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.infer.CheckedGraph;

/** The subgraphs of a network that a device does not run, each a network of its own. */
public final class FailingSubgraphs {

    private final CheckedGraph checked;
    private final List<Node> failing = new ArrayList<>();
    private final Map<String, Node> producers = new HashMap<>();

    private FailingSubgraphs(CheckReport report, CheckedGraph checked) {
        this.checked = checked;
        Set<String> names = new HashSet<>();
        report.nodes().stream().filter(node -> !node.isOnDevice()).forEach(node -> names.add(node.node()));
        for (Node node : checked.walked()) {
            if (names.contains(node.name()) && !node.isControl()) {
                failing.add(node);
                node.outputs().forEach(output -> producers.put(output, node));
            }
        }
    }

    /**
     * {@return the subgraphs in execution order} Nodes of one subgraph hand values to each other; what comes from
     * elsewhere is an input and what goes elsewhere an output. Nodes of which no types are known are not among them.
     *
     * @param report the verdicts
     * @param checked the network
     */
    public static List<Graph> of(CheckReport report, CheckedGraph checked) {
        FailingSubgraphs subgraphs = new FailingSubgraphs(report, checked);
        List<Graph> graphs = new ArrayList<>();
        for (List<Node> nodes : subgraphs.connected()) {
            if (nodes.stream().allMatch(subgraphs::isTyped)) {
                graphs.add(checked.part(nodes, subgraphs.outputs(nodes)));
            }
        }
        return graphs;
    }

    /** In execution order, and so are the nodes of each. */
    private List<List<Node>> connected() {
        Map<Node, Integer> subgraphOf = new LinkedHashMap<>();
        for (Node node : failing) {
            int subgraph = subgraphOf.size();
            subgraphOf.put(node, subgraph);
            for (String input : node.inputs()) {
                Integer joined = subgraphOf.get(producers.get(input));
                if (joined != null) {
                    subgraphOf.replaceAll((each, old) -> old.equals(joined) ? subgraph : old);
                }
            }
        }
        Map<Integer, List<Node>> subgraphs = new LinkedHashMap<>();
        subgraphOf.forEach((node, subgraph) ->
                subgraphs.computeIfAbsent(subgraph, key -> new ArrayList<>()).add(node));
        return List.copyOf(subgraphs.values());
    }

    private boolean isTyped(Node node) {
        return node.inputs().stream().allMatch(name -> name.isEmpty() || isKnown(name));
    }

    private boolean isKnown(String value) {
        return checked.constants().containsKey(value)
                || checked.types().containsKey(value)
                || producers.containsKey(value);
    }

    /** The values that the subgraph makes and others, or the network's user, take. */
    private Set<String> outputs(List<Node> nodes) {
        Set<String> outputs = new LinkedHashSet<>();
        Set<Node> own = new HashSet<>(nodes);
        Set<String> taken = new HashSet<>(checked.graph().outputs());
        checked.walked().stream().filter(node -> !own.contains(node)).forEach(node -> taken.addAll(node.inputs()));
        nodes.forEach(node -> node.outputs().stream().filter(taken::contains).forEach(outputs::add));
        if (outputs.isEmpty()) {
            nodes.get(nodes.size() - 1).outputs().stream()
                    .filter(output -> !output.isEmpty())
                    .forEach(outputs::add);
        }
        return outputs;
    }
}
