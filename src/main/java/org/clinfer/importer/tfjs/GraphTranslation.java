package org.clinfer.importer.tfjs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Refusals;

/** One model's way from what the file says to a graph. */
final class GraphTranslation {

    /** Uses of layers at most, as the nodes of a graph are bounded. */
    private static final int MOST_CALLS = 200_000;

    /** Refusals of one message at most. */
    private static final int MOST_REFUSALS = 8;

    /** Fields of a layer's configuration that change nothing at inference. */
    private static final Pattern NO_MATTER = Pattern.compile("name|trainable|dtype|batch_input_shape|batch_shape"
            + "|input_shape|batch_size|input_dtype|autocast|implementation|module|registered_name|build_config"
            + "|.*_(initializer|regularizer|constraint)");

    private final ModelDocument document;
    private final SourceRef source;
    private final Weights weights;
    private final LayerTable table;
    private final GraphWriter graph;
    private final List<UnsupportedException> refusals = new ArrayList<>();
    /** Values that stand for what a refused layer would give. */
    private final Set<String> refused = new HashSet<>();

    private int calls;

    GraphTranslation(ModelDocument document, Weights weights, SourceRef source, String name, OpCatalog catalog) {
        this.document = document;
        this.source = source;
        this.weights = weights;
        this.table = new LayerTable(catalog);
        this.graph = new GraphWriter(name, source);
    }

    /**
     * The graph.
     *
     * @throws UnsupportedException naming every layer that is not supported
     */
    Graph translate(Topology topology) {
        List<Value> inputs = new ArrayList<>();
        for (Layer.TensorRef input : topology.inputs()) {
            InputDeclaration declaration = InputDeclaration.of(topology, input, source);
            graph.input(declaration.name(), declaration.type());
            inputs.add(Value.of(declaration.name(), declaration.type().shape().rank()));
        }
        List<Value> outputs = network(topology, List.of(), "", inputs, source);
        refuse();
        for (int i = 0; i < outputs.size(); i++) {
            graph.output(outputs.get(i), topology.outputs().get(i).layer());
        }
        return graph.build();
    }

    private void refuse() {
        if (!refusals.isEmpty()) {
            throw Refusals.together(refusals, "layers", MOST_REFUSALS, source);
        }
    }

    /**
     * Adds the operators of a network for some inputs.
     *
     * @param path the names of the networks around it, and its own; none for the outermost
     * @param prefix what the names of its values begin with
     * @return its outputs
     */
    private List<Value> network(Topology topology, List<String> path, String prefix, List<Value> inputs, SourceRef at) {
        if (inputs.size() != topology.inputs().size()) {
            throw new GraphException(
                    at, "it takes " + topology.inputs().size() + " inputs, but is given " + inputs.size());
        }
        CallOrder order = new CallOrder(topology, at);
        order.give(inputs);
        for (Optional<CallOrder.Use> next = order.next(); next.isPresent(); next = order.next()) {
            CallOrder.Use use = next.get();
            order.done(use, outputs(use, path, prefix));
        }
        return order.outputs();
    }

    private List<Value> outputs(CallOrder.Use use, List<String> path, String prefix) {
        if (++calls > MOST_CALLS) {
            throw new GraphException(source, "the network uses layers more than " + MOST_CALLS + " times");
        }
        Layer layer = use.layer();
        List<String> ownPath = new ArrayList<>(path);
        ownPath.add(layer.name());
        String output = prefix + layer.name() + (use.call() == 0 ? "" : ":" + use.call());
        try {
            Optional<String> argument = layer.calls().get(use.call()).unsupported();
            if (argument.isPresent()) {
                String feature = "layer " + layer.kind() + " with the argument " + argument.get();
                throw new UnsupportedException(layer.source(), feature, feature + " is not supported");
            }
            if (layer.network().isPresent()) {
                return network(layer.network().get(), ownPath, output + "/", use.inputs(), layer.source());
            }
            LayerCall.Context context =
                    new LayerCall.Context(graph, weights, document.origin(), List.copyOf(ownPath), output);
            return List.of(translate(new LayerCall(layer, use.inputs(), context)));
        } catch (UnsupportedException unsupported) {
            boolean follows = use.inputs().stream().map(Value::name).anyMatch(refused::contains);
            if (!follows || !unsupported.feature().endsWith(LayerCall.UNKNOWN_RANK)) {
                refusals.add(unsupported);
            }
            Value nothing = new Value(graph.freshName(output), OptionalInt.empty());
            refused.add(nothing.name());
            int count = layer.network().map(inner -> inner.outputs().size()).orElse(1);
            return Collections.nCopies(count, nothing);
        }
    }

    private Value translate(LayerCall call) {
        Value result = table.find(call.kind())
                .orElseThrow(() -> {
                    String feature = "layer " + call.kind();
                    return new UnsupportedException(call.source(), feature, "Clinfer has no " + feature);
                })
                .translate(call);
        for (String field : call.config().unread()) {
            if (!NO_MATTER.matcher(field).matches()) {
                throw call.unsupportedUse("'" + field + "'");
            }
        }
        return call.finish(result);
    }
}
