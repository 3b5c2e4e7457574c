package org.clinfer.importer.json;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.JsonTokens;

/** One document's way to a graph. */
final class GraphAssembly {

    private final OpCatalog catalog;
    private final String file;
    private final Constants constants;
    private final Set<String> opNames = new HashSet<>();
    private final Set<String> values = new HashSet<>();
    private final Set<String> outputs = new HashSet<>();
    private Optional<String> name = Optional.empty();
    private Optional<GraphBuilder> builder = Optional.empty();
    private int count;

    GraphAssembly(OpCatalog catalog, String file, WeightFiles weights) {
        this.catalog = catalog;
        this.file = file;
        this.constants = new Constants(weights);
    }

    /** Reads the document. */
    void read(JsonTokens tokens) {
        tokens.object("a model", field -> {
            switch (field) {
                case "name" -> name = Optional.of(tokens.string("a string"));
                case "ops" -> {
                    GraphBuilder graph = new GraphBuilder("", new SourceRef(file, ""));
                    builder = Optional.of(graph);
                    tokens.list("a list of operators", () -> add(OpEntry.read(tokens, file, count++), graph));
                }
                default -> throw tokens.unknownField(field, "name, ops");
            }
        });
    }

    /** The graph. */
    Graph build() {
        Graph graph = builder.orElseThrow(() -> new GraphException(new SourceRef(file, ""), "field 'ops' is missing"))
                .build();
        return new Graph(
                name.orElseGet(() -> stem(file)),
                graph.inputs(),
                graph.outputs(),
                graph.nodes(),
                graph.constants(),
                graph.source());
    }

    private static String stem(String file) {
        int dot = file.lastIndexOf('.');
        return dot <= 0 ? file : file.substring(0, dot);
    }

    private void add(OpEntry op, GraphBuilder graph) {
        if (!opNames.add(op.name())) {
            throw new GraphException(op.source(), "the name '" + op.name() + "' is used twice");
        }
        switch (op.optype()) {
            case Placeholders.INPUT -> graph.input(define(Placeholders.output(op), op), Placeholders.inputType(op));
            case Placeholders.CONST -> graph.constant(define(Placeholders.output(op), op), constants.read(op));
            case Placeholders.OUTPUT -> {
                String value = Placeholders.input(op);
                if (!outputs.add(value)) {
                    throw new GraphException(op.source(), "value '" + value + "' is an output already");
                }
                graph.output(value);
            }
            default -> graph.node(node(op));
        }
    }

    private String define(String value, OpEntry op) {
        if (!value.isEmpty() && !values.add(value)) {
            throw new GraphException(op.source(), "value '" + value + "' is defined twice");
        }
        return value;
    }

    private Node node(OpEntry op) {
        OpDescription description = catalog.meant(op.optype())
                .orElseThrow(() -> new UnsupportedException(
                        op.source(), "operator " + op.optype(), "Clinfer has no operator " + op.optype()));
        List<String> inputs = ArgumentNames.inputs(description).positions(op.inputs(), op.source());
        List<String> produced = ArgumentNames.outputs(description).positions(op.outputs(), op.source());
        produced.forEach(value -> define(value, op));
        Map<String, Attribute> params = new HashMap<>();
        op.params()
                .forEach((param, written) ->
                        params.put(param, Attributes.read(description.param(param), written, param, op.source())));
        return new Node(op.name(), description.optype(), inputs, produced, params, op.source());
    }
}
