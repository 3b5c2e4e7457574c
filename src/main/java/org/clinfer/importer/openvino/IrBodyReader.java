package org.clinfer.importer.openvino;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.text.Printable;

/** The parts of a layer's body, which stand one after another in any order. */
final class IrBodyReader {

    private static final int MOST_PORTS = 10_000;

    private final SourceRef source;
    private final List<OpenVinoLayer> layers = new ArrayList<>();
    private final List<OpenVinoBody.Mapped> inputs = new ArrayList<>();
    private final List<OpenVinoBody.Mapped> outputs = new ArrayList<>();
    private final Map<String, String> backEdges = new HashMap<>();

    /** @param source the layer */
    IrBodyReader(SourceRef source) {
        this.source = source;
    }

    void add(List<OpenVinoLayer> more) {
        if (!layers.isEmpty()) {
            throw new GraphException(source, "it has two bodies of one name");
        }
        layers.addAll(more);
    }

    /**
     * Adds an entry of a map of ports.
     *
     * @param kind whether it is an input or an output
     * @param attributes an attribute's value by its name, or what is given instead
     */
    void map(String kind, BinaryOperator<String> attributes) {
        OpenVinoBody.Mapped entry = new OpenVinoBody.Mapped(
                attributes.apply("external_port_id", "-1"),
                attributes.apply("internal_layer_id", ""),
                slices(attributes),
                attributes.apply("purpose", ""));
        if (inputs.size() + outputs.size() >= MOST_PORTS) {
            throw new GraphException(source, "it maps more than " + MOST_PORTS + " ports");
        }
        switch (kind) {
            case "input" -> inputs.add(entry);
            case "output" -> outputs.add(entry);
            default -> throw new GraphException(source, "it maps a port by <" + Printable.shortened(kind) + ">");
        }
    }

    private Optional<OpenVinoBody.Slices> slices(BinaryOperator<String> attributes) {
        if (attributes.apply("axis", "").isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new OpenVinoBody.Slices(
                number("axis", "0", attributes),
                number("start", "0", attributes),
                number("end", "-1", attributes),
                number("stride", "1", attributes),
                number("part_size", "1", attributes)));
    }

    private long number(String name, String otherwise, BinaryOperator<String> attributes) {
        String word = attributes.apply(name, otherwise);
        try {
            return Long.parseLong(word);
        } catch (NumberFormatException none) {
            throw new GraphException(
                    source, "'" + name + "': expected a whole number, found '" + Printable.shortened(word) + "'");
        }
    }

    /** Adds that a parameter takes a result of the iteration before. */
    void backEdge(String result, String parameter) {
        if (backEdges.put(parameter, result) != null) {
            throw new GraphException(source, "two back edges lead to " + Printable.shortened(parameter));
        }
    }

    OpenVinoBody body() {
        return new OpenVinoBody(List.copyOf(layers), List.copyOf(inputs), List.copyOf(outputs), Map.copyOf(backEdges));
    }
}
