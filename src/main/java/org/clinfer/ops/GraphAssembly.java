package org.clinfer.ops;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;

/** Names nodes and values of a finished construction, and hands them to a graph builder. */
final class GraphAssembly {

    private final GraphBuilder builder;
    private final Set<String> valueNames;
    private final Set<String> nodeNames;
    private final Map<String, Integer> counters = new HashMap<>();
    private final Map<Edge, String> names = new HashMap<>();

    /**
     * Names that are in use already stay so.
     *
     * @param valueNames the names of inputs, constants and outputs
     */
    GraphAssembly(GraphBuilder builder, Set<String> valueNames, Set<String> nodeNames) {
        this.builder = builder;
        this.valueNames = valueNames;
        this.nodeNames = nodeNames;
    }

    Graph assemble(List<OpCall> calls, Map<String, Edge> outputs) {
        List<OpCall> all = new ArrayList<>(calls);
        outputs.forEach((name, edge) -> {
            builder.output(name);
            if (edge.producer() != null && !names.containsKey(edge)) {
                names.put(edge, name);
            } else if (!edge.sourceName().equals(name)) {
                all.add(copy(edge, name));
            }
        });
        all.forEach(this::name);
        all.forEach(call -> builder.node(
                call.name(),
                call.op(),
                OpCall.names(call.inputs(), names),
                OpCall.names(call.outputs(), names),
                call.params()));
        return builder.build();
    }

    /** A second name for a value is a node of its own. */
    private OpCall copy(Edge edge, String name) {
        OpCall copy = new OpCall("Identity");
        copy.inputs().put(0, edge);
        Edge output = Edge.output(edge.ops(), copy, 0);
        copy.outputs().put(0, output);
        names.put(output, name);
        return copy;
    }

    private void name(OpCall call) {
        if (call.name().isEmpty()) {
            String op = call.op().substring(0, 1).toLowerCase(Locale.ROOT)
                    + call.op().substring(1);
            call.rename(fresh(op + "_", nodeNames));
        }
        call.outputs().forEach((position, edge) -> {
            if (!names.containsKey(edge)) {
                names.put(edge, valueName(call, position));
            }
        });
    }

    private String valueName(OpCall call, int position) {
        String name = call.outputs().size() == 1 ? call.name() : call.name() + ":" + position;
        return valueNames.add(name) ? name : fresh(name + "#", valueNames);
    }

    private String fresh(String stem, Set<String> taken) {
        String name;
        do {
            name = stem + counters.merge(stem, 1, Integer::sum);
        } while (!taken.add(name));
        return name;
    }
}
