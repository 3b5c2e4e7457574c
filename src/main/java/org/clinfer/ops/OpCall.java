package org.clinfer.ops;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.clinfer.graph.Attribute;

/** A node under construction. */
final class OpCall {

    private final String op;
    private final SortedMap<Integer, Edge> inputs = new TreeMap<>();
    private final Map<String, Attribute> params = new LinkedHashMap<>();
    private final SortedMap<Integer, Edge> outputs = new TreeMap<>();
    private String name = "";

    OpCall(String op) {
        this.op = op;
    }

    String op() {
        return op;
    }

    /** The name that was given, or empty. */
    String name() {
        return name;
    }

    void rename(String newName) {
        name = newName;
    }

    Map<String, Attribute> params() {
        return params;
    }

    /** The inputs by their position. */
    SortedMap<Integer, Edge> inputs() {
        return inputs;
    }

    /** The outputs that somebody may use, by their position. */
    SortedMap<Integer, Edge> outputs() {
        return outputs;
    }

    /** The names of edges by their position, {@code ""} where there is none. */
    static List<String> names(SortedMap<Integer, Edge> edges, Map<Edge, String> names) {
        List<String> listed = new ArrayList<>();
        edges.forEach((position, edge) -> {
            while (listed.size() < position) {
                listed.add("");
            }
            listed.add(names.getOrDefault(edge, edge.sourceName()));
        });
        return listed;
    }

    @Override
    public String toString() {
        return op + (name.isEmpty() ? "" : " '" + name + "'");
    }
}
