package org.clinfer.importer.darknet;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.Refusals;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/** One network's way from its sections to a graph; each layer takes what the one before gives, unless it says otherwise. */
final class DarknetTranslation {

    static final LayerTable<DarknetLayerCall> LAYERS = LayerTable.of(
            Convolutions::addTo, Heads::addTo, LocalLayers::addTo, PictureLayers::addTo, RouteLayers::addTo);

    private static final String INPUT = "data";

    private final SourceRef source;
    private final DarknetWeights weights;
    private final NamedGraph graph;

    /** The picture, and the output of each layer. */
    private final List<Value> values = new ArrayList<>();

    DarknetTranslation(DarknetWeights weights, String name, SourceRef source, OpCatalog catalog) {
        this.source = source;
        this.weights = weights;
        this.graph = new NamedGraph(name, source, catalog);
    }

    /**
     * The graph.
     *
     * @throws UnsupportedException naming every type of layers that is not supported, or the first use
     */
    Graph translate(Cfg cfg) {
        requireKnown(cfg.layers());
        Section net = cfg.net();
        Shape shape = Shape.of(1, net.size("channels", 3, 1), net.size("height", 0, 1), net.size("width", 0, 1));
        TensorType type = new TensorType(DType.FLOAT32, shape);
        if (shape.elements() == 0 || !type.fits()) {
            throw new GraphException(net.source(), "it has no height and width of a picture");
        }
        graph.input(INPUT, type);
        values.add(new Value(INPUT, type));
        for (int i = 0; i < cfg.layers().size(); i++) {
            values.add(translated(cfg.layers().get(i), i));
        }
        weights.requireEnd(source);
        outputs();
        return graph.build();
    }

    private void requireKnown(List<Section> layers) {
        Refusals<String> refusals = new Refusals<>(source);
        for (Section layer : layers) {
            if (LAYERS.find(layer.type()).isEmpty()) {
                refusals.add(LayerTable.unknown(layer.type(), layer.source()), List.of());
            }
        }
        refusals.requireNone();
    }

    private Value translated(Section layer, int number) {
        DarknetLayerCall call = new DarknetLayerCall(layer, number, values, graph, weights);
        Value result = LAYERS.find(layer.type()).orElseThrow().translate(call).get(0);
        layer.ignore("activation"); // means nothing where it is not read
        layer.requireAllRead();
        Value named = call.renamed(result, () -> graph.freeName(DarknetLayerCall.name(layer, number)));
        call.finish();
        return named;
    }

    /** The values that no layer takes, and that of the last one, which may be an earlier value by way of a route. */
    private void outputs() {
        if (values.size() == 1) {
            throw new GraphException(source, "the network has no outputs");
        }
        Set<String> outputs = new LinkedHashSet<>();
        for (Value value : values.subList(1, values.size())) {
            if (!graph.isTaken(value.name())) {
                outputs.add(value.name());
            }
        }
        outputs.add(values.get(values.size() - 1).name());
        outputs.forEach(output -> graph.output(output, output));
    }
}
