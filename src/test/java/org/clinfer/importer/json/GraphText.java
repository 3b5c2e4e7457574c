package org.clinfer.importer.json;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.tensor.Tensor;

/** Everything a graph consists of, bit for bit, except where it comes from; equal graphs give equal lines. */
public final class GraphText {

    private GraphText() {}

    /** The lines of a graph. */
    public static List<String> of(Graph graph) {
        List<String> lines = new ArrayList<>();
        lines.add("name " + graph.name());
        graph.inputs().forEach(input -> lines.add("input " + input));
        graph.outputs().forEach(output -> lines.add("output " + output));
        new TreeMap<>(graph.constants()).forEach((name, tensor) -> lines.add("constant " + name + " " + bits(tensor)));
        for (Node node : graph.nodes()) {
            lines.add(line(node));
            node.bodies().forEach((name, body) -> {
                lines.add("body " + name);
                lines.addAll(of(body).subList(1, of(body).size())); // the name of a body means nothing
            });
        }
        return lines;
    }

    private static String bits(Tensor tensor) {
        ByteBuffer memory = tensor.bytes();
        byte[] bytes = new byte[memory.remaining()];
        memory.get(bytes);
        return tensor.type() + " " + HexFormat.of().formatHex(bytes);
    }

    /** An argument left out behind the last one given is the same as none. */
    private static List<String> trimmed(List<String> names) {
        int size = names.size();
        while (size > 0 && names.get(size - 1).isEmpty()) {
            size--;
        }
        return names.subList(0, size);
    }

    private static String line(Node node) {
        TreeMap<String, String> params = new TreeMap<>();
        node.params().forEach((name, value) -> params.put(name, value.getClass().getSimpleName() + " " + kinds(value)));
        return "node " + node.name() + " " + node.op() + " " + trimmed(node.inputs()) + " " + trimmed(node.outputs())
                + " " + params;
    }

    private static String kinds(Attribute value) {
        if (value instanceof Attribute.ListValue list) {
            return list.values().stream()
                    .map(each -> each.getClass().getSimpleName() + " " + each)
                    .toList()
                    .toString();
        }
        return value.toString();
    }
}
