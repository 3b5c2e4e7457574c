package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.LayerTranslator;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.OpaqueLayers;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.importer.UntypedException;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;

/**
 * One network's way from its definition to a graph. A blob that is changed in place is a value for each layer that gives it;
 * the network's outputs are the blobs that no layer takes.
 */
final class CaffeTranslation {

    static final LayerTable<CaffeLayerCall> LAYERS = LayerTable.of(
            CaffeActivationLayers::addTo,
            CaffeArithmeticLayers::addTo,
            CaffeConvolutionLayers::addTo,
            CaffeCoreLayers::addTo,
            CaffeDetectionLayers::addTo,
            FlowLayers::addTo,
            CaffeNormalizationLayers::addTo,
            CaffePoolingLayers::addTo,
            CaffeRecurrentLayers::addTo,
            PriorBoxLayers::addTo,
            PyramidPooling::addTo,
            PythonLayers::addTo,
            ReductionLayers::addTo,
            CaffeResizingLayers::addTo,
            ScaleLayers::addTo,
            CaffeShapeLayers::addTo);

    /** Layers that compare with what should come out; without them, what they compare is the network's output. */
    private static final Pattern OF_TRAINING =
            Pattern.compile("(?:.*Loss|.*Accuracy|SoftmaxWithLoss|DetectionEvaluate|HDF5Output)");

    private final SourceRef source;
    private final CaffeWeights weights;
    private final OpCatalog catalog;
    private final NamedGraph graph;

    /** True for layers that only look on, which belong to a program or a viewer: what they take is the network's output. */
    private static boolean givesNothing(CaffeLayer layer) {
        return layer.tops().isEmpty()
                && !layer.type().isEmpty()
                && (layer.type().equals(PythonLayers.TYPE)
                        || LAYERS.find(layer.type()).isEmpty());
    }

    /** The value that each blob is at this point. */
    private final Map<String, Value> blobs = new HashMap<>();

    /** States after the last step, by the names that they have as outputs. */
    private final Map<String, Value> lastStates = new LinkedHashMap<>();

    private final BlobNames names = new BlobNames();
    private boolean isUnrolled;
    private final OpaqueLayers opaque;

    CaffeTranslation(String name, CaffeWeights weights, SourceRef source, OpCatalog catalog) {
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
    Graph translate(Definition definition, UnsupportedLayers unsupported) {
        opaque.begin(unsupported);
        List<CaffeLayer> layers = definition.layers().stream()
                .filter(layer -> !OF_TRAINING.matcher(layer.type()).matches() && !givesNothing(layer))
                .toList();
        definition.inputs().forEach(input -> names.given(input.blob()));
        layers.forEach(names::layer);
        names.reserveIn(graph);
        isUnrolled = layers.stream().anyMatch(layer -> CaffeRecurrentLayers.TYPES.contains(layer.type()));
        definition.inputs().forEach(input -> input(input.blob(), input.shape(), source));
        layers.forEach(this::layer);
        opaque.finish();
        outputs();
        return graph.build();
    }

    private void input(String blob, Shape shape, SourceRef at) {
        if (blobs.containsKey(blob)) {
            throw new GraphException(at, "the blob '" + Printable.shortened(blob) + "' is given twice");
        }
        TensorType type = new TensorType(DType.FLOAT32, shape);
        if (isUnrolled) {
            graph.fixedInput(blob, type);
        } else {
            graph.input(blob, type);
        }
        names.next(blob);
        blobs.put(blob, new Value(blob, shape));
    }

    private void layer(CaffeLayer layer) {
        if (Sources.isSource(layer)) {
            List<Shape> shapes = Sources.shapes(layer);
            for (int i = 0; i < layer.tops().size(); i++) {
                String top = layer.tops().get(i);
                if (names.isUsed(top)) {
                    input(top, shapes.get(i), layer.source());
                }
            }
            return;
        }
        for (String bottom : layer.bottoms()) {
            if (!blobs.containsKey(bottom)) {
                throw new GraphException(
                        layer.source(),
                        "its bottom '" + Printable.shortened(bottom) + "' is given by no layer before it"
                                + definition(layer.source().file()));
            }
        }
        List<Value> inputs = layer.bottoms().stream().map(this::value).toList();
        List<Boolean> own = layer.tops().stream().map(names::next).toList();
        try {
            translated(
                    layer,
                    inputs,
                    own,
                    LAYERS.find(layer.type(), catalog, CaffeDescribedLayer::new)
                            .orElseThrow(() -> LayerTable.unknown(layer.type(), layer.source())));
        } catch (GraphException refused) {
            opaque.refuse(opaque(layer, inputs, own), refused);
        } catch (UntypedException follows) {
            opaque.skip(opaque(layer, inputs, own));
        }
    }

    /** The advice where weights alone are read, which often hold the network for training, without its inputs. */
    private static String definition(String file) {
        return file.endsWith(".caffemodel")
                ? "; name the .prototxt with the inputs, which takes its weights from the .caffemodel beside it"
                : "";
    }

    /** The layer as the file has it, whose tops are values of no known type. */
    private OpaqueLayers.Layer opaque(CaffeLayer layer, List<Value> inputs, List<Boolean> own) {
        List<Value> outputs = new ArrayList<>();
        for (int i = 0; i < own.size(); i++) {
            String top = layer.tops().get(i);
            Value value = Value.untyped(own.get(i) ? top : graph.freeName(layer.name()));
            outputs.add(value);
            blobs.put(top, value);
        }
        return new OpaqueLayers.Layer(layer.name(), layer.type(), layer.source(), inputs, outputs);
    }

    /** @param own whether the value of a top has the name of the blob */
    private void translated(
            CaffeLayer layer, List<Value> inputs, List<Boolean> own, LayerTranslator<CaffeLayerCall> translator) {
        CaffeLayerCall call = new CaffeLayerCall(layer, inputs, graph, weights);
        List<Value> results = translator.translate(call);
        call.requireAllRead();
        if (results.size() != layer.tops().size()) {
            throw call.malformed("it gives " + results.size() + " tops, but names "
                    + layer.tops().size());
        }
        for (int i = 0; i < results.size(); i++) {
            String top = layer.tops().get(i);
            boolean ownName = own.get(i);
            Value value = call.renamed(results.get(i), () -> ownName ? top : graph.freeName(layer.name()));
            blobs.put(top, value);
        }
        call.finish();
        lastStates.putAll(call.lastStates());
    }

    private Value value(String blob) {
        Value value = blobs.get(blob);
        if (value == null) {
            throw new GraphException(source, "the blob '" + Printable.shortened(blob) + "' is given by no layer");
        }
        return value;
    }

    private void outputs() {
        if (names.outputs().isEmpty()) {
            throw new GraphException(source, "the network has no outputs");
        }
        for (String blob : names.outputs()) {
            graph.output(value(blob).name(), blob);
        }
        lastStates.forEach((name, state) -> graph.output(state.name(), name));
    }
}
