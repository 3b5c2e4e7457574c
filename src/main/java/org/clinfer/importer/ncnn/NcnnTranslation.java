package org.clinfer.importer.ncnn;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.LayerTranslator;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.OpaqueLayers;
import org.clinfer.importer.Params;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.importer.UntypedException;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;

/** One network's way from its layers to a graph, whose outputs are the blobs that no layer takes. */
final class NcnnTranslation {

    static final LayerTable<NcnnLayerCall> LAYERS = LayerTable.of(
            NcnnActivationLayers::addTo,
            NcnnArithmeticLayers::addTo,
            NcnnAttentionLayers::addTo,
            NcnnConvolutionLayers::addTo,
            NcnnDetectionLayers::addTo,
            NcnnMatrixLayers::addTo,
            NcnnMovementLayers::addTo,
            NcnnNormalizationLayers::addTo,
            NcnnPoolingLayers::addTo,
            NcnnPriorBoxLayers::addTo,
            NcnnRecurrentLayers::addTo,
            NcnnRegionLayers::addTo,
            NcnnResizingLayers::addTo,
            NcnnSamplingLayers::addTo,
            NcnnShapeLayers::addTo,
            NcnnSpectra::addTo);

    private static final String INPUT = "Input";

    private final SourceRef source;
    private final OpCatalog catalog;
    private final NamedGraph graph;
    private final Map<String, Value> blobs = new HashMap<>();
    private final OpaqueLayers opaque;

    /** Empty after a refusal: how many numbers the layer has is not known, so neither is where those of the next one are. */
    private NcnnWeights weights;

    NcnnTranslation(String name, NcnnWeights weights, SourceRef source, OpCatalog catalog) {
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
    Graph translate(List<NcnnLayer> layers, UnsupportedLayers unsupported) {
        opaque.begin(unsupported);
        Set<String> untaken = new LinkedHashSet<>();
        for (NcnnLayer layer : layers) {
            layer.outputs().forEach(graph::reserve);
            untaken.removeAll(layer.inputs());
            if (!layer.type().equals(INPUT)) {
                untaken.addAll(layer.outputs());
            }
        }
        Inputs inputs = new Inputs(layers);
        for (NcnnLayer layer : layers) {
            if (layer.type().equals(INPUT)) {
                input(layer, inputs);
            } else {
                layer(layer);
            }
        }
        opaque.finish();
        weights.requireEnd(source);
        if (untaken.isEmpty()) {
            throw new GraphException(source, "the network has no outputs");
        }
        for (String blob : untaken) {
            graph.output(value(blob).name(), blob);
        }
        return graph.build();
    }

    private void input(NcnnLayer layer, Inputs inputs) {
        if (layer.outputs().size() != 1 || !layer.inputs().isEmpty()) {
            throw new GraphException(layer.source(), "an input takes no blob and gives one");
        }
        String blob = layer.outputs().get(0);
        try {
            TensorType type = new TensorType(DType.FLOAT32, inputs.shape(layer));
            graph.input(blob, type);
            blobs.put(blob, new Value(blob, type));
        } catch (UnsupportedException unsupported) {
            refuse(layer, List.of(), unsupported);
        }
    }

    private void layer(NcnnLayer layer) {
        for (String input : layer.inputs()) {
            if (!blobs.containsKey(input)) {
                throw new GraphException(
                        layer.source(),
                        "its input '" + Printable.shortened(input) + "' is given by no layer before it");
            }
        }
        List<Value> inputs = layer.inputs().stream().map(this::value).toList();
        try {
            LayerTranslator<NcnnLayerCall> translator = LAYERS.find(layer.type(), catalog, NcnnTranslation::described)
                    .orElseThrow(() -> LayerTable.unknown(layer.type(), layer.source()));
            translated(layer, inputs, translator);
        } catch (GraphException refused) {
            refuse(layer, inputs, refused);
        } catch (UntypedException follows) {
            opaque.skip(opaque(layer, inputs));
            weights = NcnnWeights.none();
        }
    }

    /** Operators that a user has described have no parameters here. */
    private static LayerTranslator<NcnnLayerCall> described(OpDescription op) {
        return call -> call.addAll(op.optype(), call.inputs(0, Integer.MAX_VALUE), new Params(), call.outputs());
    }

    private void refuse(NcnnLayer layer, List<Value> inputs, GraphException why) {
        opaque.refuse(opaque(layer, inputs), why);
        weights = NcnnWeights.none();
    }

    /** The layer as the file has it, whose blobs are values of no known type. */
    private OpaqueLayers.Layer opaque(NcnnLayer layer, List<Value> inputs) {
        List<Value> outputs = layer.outputs().stream().map(Value::untyped).toList();
        outputs.forEach(output -> blobs.put(output.name(), output));
        return new OpaqueLayers.Layer(layer.name(), layer.type(), layer.source(), inputs, outputs);
    }

    private void translated(NcnnLayer layer, List<Value> inputs, LayerTranslator<NcnnLayerCall> translator) {
        NcnnLayerCall call = new NcnnLayerCall(layer, inputs, graph, weights);
        List<Value> results = translator.translate(call);
        call.requireAllRead();
        if (results.size() != layer.outputs().size()) {
            throw call.malformed("it gives " + results.size() + " blobs, but names "
                    + layer.outputs().size());
        }
        List<Value> named = call.finish(results);
        for (int i = 0; i < named.size(); i++) {
            blobs.put(layer.outputs().get(i), named.get(i));
        }
    }

    private Value value(String blob) {
        Value value = blobs.get(blob);
        if (value == null) {
            throw new GraphException(source, "the blob '" + Printable.shortened(blob) + "' is given by no layer");
        }
        return value;
    }
}
