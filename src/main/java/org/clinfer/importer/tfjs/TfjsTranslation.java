package org.clinfer.importer.tfjs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.OpaqueLayers;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.importer.UntypedException;
import org.clinfer.importer.Value;

/** One model's way from what the file says to a graph. */
final class TfjsTranslation {

    static final LayerTable<TfjsLayerCall> LAYERS = LayerTable.of(
            TfjsActivationLayers::addTo,
            BatchNormalization::addTo,
            TfjsConvolutionLayers::addTo,
            TfjsCoreLayers::addTo,
            MergeLayers::addTo,
            TfjsNormalizationLayers::addTo,
            TfjsPoolingLayers::addTo,
            TfjsResizingLayers::addTo,
            TransposedConvolutionLayers::addTo);

    /** Uses of layers at most, as the nodes of a graph are bounded. */
    private static final int MOST_CALLS = 200_000;

    /** Nodes at most; networks inside networks, used many times, could multiply without end. */
    private static final int MOST_NODES = 200_000;

    /** Fields of a layer's configuration that change nothing at inference. */
    private static final Pattern NO_MATTER = Pattern.compile("name|trainable|dtype|batch_input_shape|batch_shape"
            + "|input_shape|batch_size|input_dtype|autocast|implementation|module|registered_name|build_config"
            + "|.*_(initializer|regularizer|constraint)");

    private final Origin origin;
    private final SourceRef source;
    private final TfjsWeights weights;
    private final OpCatalog catalog;
    private final NamedGraph graph;
    private final OpaqueLayers opaque;
    private int calls;

    TfjsTranslation(Origin origin, TfjsWeights weights, SourceRef source, String name, OpCatalog catalog) {
        this.origin = origin;
        this.source = source;
        this.weights = weights;
        this.catalog = catalog;
        this.graph = new NamedGraph(name, source, catalog);
        this.opaque = new OpaqueLayers(graph, source);
    }

    /**
     * The graph.
     *
     * @throws UnsupportedException naming every layer that is not supported, if they are refused
     */
    Graph translate(Topology topology, UnsupportedLayers unsupported) {
        opaque.begin(unsupported);
        List<Value> inputs = new ArrayList<>();
        for (TfjsLayer.TensorRef input : topology.inputs()) {
            InputDeclaration declaration = InputDeclaration.of(topology, input, source);
            graph.fixedInput(declaration.name(), declaration.type());
            inputs.add(new Value(declaration.name(), declaration.type()));
        }
        List<Value> outputs = network(topology, Place.OUTERMOST, inputs, source);
        opaque.finish();
        for (int i = 0; i < outputs.size(); i++) {
            Value output = outputs.get(i);
            graph.output(
                    output.name(),
                    inputs.contains(output) ? topology.outputs().get(i).layer() : output.name());
        }
        return graph.build();
    }

    /**
     * Adds the operators of a network for some inputs.
     *
     * @return its outputs
     */
    private List<Value> network(Topology topology, Place place, List<Value> inputs, SourceRef at) {
        if (inputs.size() != topology.inputs().size()) {
            throw new GraphException(
                    at, "it takes " + topology.inputs().size() + " inputs, but is given " + inputs.size());
        }
        CallOrder order = new CallOrder(topology, at);
        order.give(inputs);
        for (Optional<CallOrder.Use> next = order.next(); next.isPresent(); next = order.next()) {
            CallOrder.Use use = next.get();
            order.done(use, outputs(use, place.inside(use)));
        }
        return order.outputs();
    }

    private List<Value> outputs(CallOrder.Use use, Place place) {
        if (++calls > MOST_CALLS) {
            throw new GraphException(source, "the network uses layers more than " + MOST_CALLS + " times");
        }
        TfjsLayer layer = use.layer();
        try {
            Optional<String> argument = layer.calls().get(use.call()).unsupported();
            if (argument.isPresent()) {
                String feature = "layer " + layer.kind() + " with the argument " + argument.get();
                throw new UnsupportedException(layer.source(), feature, feature + " is not supported");
            }
            return layer.network().isPresent()
                    ? network(layer.network().get(), place, use.inputs(), layer.source())
                    : List.of(translated(new TfjsLayerCall(use, place, graph, weights, origin), place));
        } catch (GraphException refused) {
            return opaque.refuse(opaque(use, place), refused);
        } catch (UntypedException follows) {
            return opaque.skip(opaque(use, place));
        }
    }

    /** The use as the file has it, whose outputs are values of no known type. */
    private OpaqueLayers.Layer opaque(CallOrder.Use use, Place place) {
        TfjsLayer layer = use.layer();
        int count = layer.network().map(inner -> inner.outputs().size()).orElse(1);
        List<Value> outputs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            outputs.add(Value.untyped(graph.freeName(place.output())));
        }
        return new OpaqueLayers.Layer(place.output(), layer.kind(), layer.source(), use.inputs(), outputs);
    }

    private Value translated(TfjsLayerCall call, Place place) {
        Value result = LAYERS.find(call.type(), catalog, TfjsDescribedLayer::new)
                .orElseThrow(() -> LayerTable.unknown(call.type(), call.source()))
                .translate(call)
                .get(0);
        for (String field : call.config().unread()) {
            if (!NO_MATTER.matcher(field).matches()) {
                throw call.unsupportedUse("'" + field + "'");
            }
        }
        Value named = call.renamed(result, () -> graph.freeName(place.output()));
        call.finish();
        if (graph.size() > MOST_NODES) {
            throw new GraphException(source, "the network has more than " + MOST_NODES + " operators");
        }
        return named;
    }
}
