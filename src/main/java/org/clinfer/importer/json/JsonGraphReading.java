package org.clinfer.importer.json;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
import org.clinfer.graph.Metadata;
import org.clinfer.graph.Node;
import org.clinfer.graph.Opaque;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.JsonTokens;
import org.clinfer.importer.MissingFileException;
import org.clinfer.importer.MissingWeights;
import org.clinfer.importer.Refusals;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;
import org.clinfer.text.Spelling;

/** One document's way to a graph. */
final class JsonGraphReading {

    private final UnsupportedLayers unsupported;
    private final OpCatalog catalog;
    private final String file;
    private final JsonConstants constants;
    private final Set<String> opNames = new HashSet<>();

    /** The values of the whole file: names are unique in it, and graphs within others may have the same constant. */
    private final Set<String> values;

    private final Map<String, Tensor> tensors;
    private final boolean isBody;
    private final Refusals refusals;
    private final Set<String> outputs = new HashSet<>();
    private Optional<String> name = Optional.empty();
    private Metadata metadata = Metadata.NONE;
    private Optional<GraphBuilder> builder = Optional.empty();
    private int count;

    JsonGraphReading(OpCatalog catalog, String file, WeightFiles weights, UnsupportedLayers unsupported) {
        this.unsupported = unsupported;
        this.catalog = catalog;
        this.file = file;
        this.constants = new JsonConstants(weights);
        this.values = new HashSet<>();
        this.tensors = new HashMap<>();
        this.isBody = false;
        this.refusals = new Refusals(new SourceRef(file, ""), "operators");
    }

    /** A graph within another. */
    private JsonGraphReading(JsonGraphReading outer) {
        this.unsupported = outer.unsupported;
        this.catalog = outer.catalog;
        this.file = outer.file;
        this.constants = outer.constants;
        this.values = outer.values;
        this.tensors = outer.tensors;
        this.isBody = true;
        this.refusals = outer.refusals;
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
                case "metadata" -> metadata = MetadataEntry.read(tokens);
                default -> throw tokens.unknownField(field, "name, metadata, ops");
            }
        });
    }

    /**
     * The graph.
     *
     * @throws UnsupportedException naming every operator that there is not, if they are refused
     */
    Graph build() {
        refusals.finish(unsupported);
        Graph graph = builder.orElseThrow(() -> new GraphException(new SourceRef(file, ""), "field 'ops' is missing"))
                .build();
        return new Graph(
                        name.orElseGet(() -> stem(file)),
                        graph.inputs(),
                        graph.outputs(),
                        graph.nodes(),
                        graph.constants(),
                        graph.source())
                .withMetadata(metadata);
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
            case Placeholders.INPUT -> {
                String value = Placeholders.output(op);
                graph.input(isBody ? value : define(value, op), Placeholders.inputType(op));
            }
            case Placeholders.CONST -> addConstant(op, graph);
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

    private void addConstant(OpEntry op, GraphBuilder graph) {
        try {
            graph.constant(Placeholders.output(op), constant(op));
        } catch (MissingFileException missing) {
            if (unsupported == UnsupportedLayers.REFUSED) {
                throw missing;
            }
            String value = define(Placeholders.output(op), op);
            TensorType type = Placeholders.type(op, false);
            MissingWeights.of(type)
                    .ifPresentOrElse(
                            weights -> graph.constant(value, weights),
                            () -> graph.node(Node.opaque(
                                    op.name(),
                                    op.optype(),
                                    List.of(),
                                    List.of(value),
                                    MissingWeights.opaque(type),
                                    op.source())));
        }
    }

    private Tensor constant(OpEntry op) {
        String value = Placeholders.output(op);
        Tensor tensor = constants.read(op);
        Tensor known = tensors.putIfAbsent(value, tensor);
        if (known == null
                || !known.type().equals(tensor.type())
                || !known.bytes().equals(tensor.bytes())) {
            define(value, op);
            return tensor;
        }
        tensor.close();
        return known;
    }

    private String define(String value, OpEntry op) {
        if (!value.isEmpty() && !values.add(value)) {
            throw new GraphException(op.source(), "value '" + value + "' is defined twice");
        }
        return value;
    }

    private Node node(OpEntry op) {
        if (ControlOps.isControl(op.optype())) {
            return control(op);
        }
        if (!op.bodies().isEmpty()) {
            throw new GraphException(op.source(), op.optype() + " has no bodies");
        }
        Optional<OpDescription> found = catalog.meant(op.optype());
        try {
            return found.map(description -> node(op, description)).orElseThrow(() -> unknown(op));
        } catch (GraphException refused) {
            return opaque(op, refusals.cause(refused, op.source(), unsupported), refused.reason());
        }
    }

    private Node node(OpEntry op, OpDescription description) {
        List<String> inputs = ArgumentNames.inputs(description).positions(op.inputs(), op.source());
        List<String> produced = ArgumentNames.outputs(description).positions(op.outputs(), op.source());
        Map<String, Attribute> params = new HashMap<>();
        op.params()
                .forEach((param, written) ->
                        params.put(param, JsonAttributes.read(description.param(param), written, param, op.source())));
        produced.forEach(value -> define(value, op));
        return new Node(op.name(), description.optype(), inputs, produced, params, op.source());
    }

    private UnsupportedException unknown(OpEntry op) {
        String name = Printable.shortened(op.optype());
        List<String> known =
                catalog.operators().stream().map(OpDescription::optype).toList();
        return new UnsupportedException(
                op.source(),
                "operator " + name,
                "Clinfer has no operator " + name + Spelling.question(op.optype(), known));
    }

    /** An operator that cannot be used, whose arguments stand in the order of the file. */
    private Node opaque(OpEntry op, Opaque.Cause cause, String reason) {
        List<String> produced = op.outputs().stream().map(OpEntry.Arg::value).toList();
        produced.forEach(value -> define(value, op));
        return Node.opaque(
                op.name(),
                Printable.shortened(op.optype()),
                op.inputs().stream().map(OpEntry.Arg::value).toList(),
                produced,
                new Opaque(
                        cause,
                        reason,
                        produced.stream()
                                .map(value -> Optional.<TensorType>empty())
                                .toList()),
                op.source());
    }

    private Node control(OpEntry op) {
        Map<String, Graph> bodies = new LinkedHashMap<>();
        for (OpEntry.Body body : op.bodies()) {
            if (bodies.put(body.arg(), new JsonGraphReading(this).body(op, body)) != null) {
                throw new GraphException(op.source(), "the body '" + body.arg() + "' is given twice");
            }
        }
        Node node = ControlOps.read(op, bodies);
        node.outputs().forEach(value -> define(value, op));
        bodies.values().stream()
                .flatMap(body -> body.inputs().stream().limit(ControlOps.given(op)))
                .forEach(input -> define(input.name(), op));
        return node;
    }

    private Graph body(OpEntry owner, OpEntry.Body body) {
        SourceRef source = new SourceRef(file, owner.source().element() + ", " + body.arg());
        GraphBuilder graph = new GraphBuilder(owner.name() + "/" + body.arg(), source);
        body.ops().forEach(op -> add(op.within(source), graph));
        return graph.build();
    }
}
