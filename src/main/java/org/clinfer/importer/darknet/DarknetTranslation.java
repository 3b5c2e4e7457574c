package org.clinfer.importer.darknet;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.LayerTranslator;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.NeighbourFiles;
import org.clinfer.importer.OpaqueLayers;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.importer.UntypedException;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/** One network's way from its sections to a graph; each layer takes what the one before gives, unless it says otherwise. */
final class DarknetTranslation {

    static final LayerTable<DarknetLayerCall> LAYERS = LayerTable.of(
            Convolutions::addTo,
            Heads::addTo,
            LocalLayers::addTo,
            PictureLayers::addTo,
            RecurrentLayers::addTo,
            RouteLayers::addTo);

    private static final String INPUT = "data";

    private final SourceRef source;
    private final NeighbourFiles files;
    private final NamedGraph graph;
    private final OpaqueLayers opaque;

    /** Empty after a refusal: how many numbers the layer has is not known, so neither is where those of the next one are. */
    private DarknetWeights weights;

    /** The picture, and the output of each layer. */
    private final List<Value> values = new ArrayList<>();

    private final Map<String, Value> lastStates = new LinkedHashMap<>();

    /** @param files those beside the definition, which are to be open as long as layers are read */
    DarknetTranslation(DarknetWeights weights, NeighbourFiles files, String name, SourceRef source, OpCatalog catalog) {
        this.source = source;
        this.files = files;
        this.weights = weights;
        this.graph = new NamedGraph(name, source, catalog);
        this.opaque = new OpaqueLayers(graph, source);
    }

    /**
     * The graph.
     *
     * @throws UnsupportedException naming every layer that is not supported, if they are refused
     */
    Graph translate(Cfg cfg, UnsupportedLayers unsupported) {
        opaque.begin(unsupported);
        values.add(input(cfg));
        for (int i = 0; i < cfg.layers().size(); i++) {
            values.add(layer(cfg.layers().get(i), i));
        }
        opaque.finish();
        weights.requireEnd(source);
        outputs();
        return graph.build();
    }

    /** The picture, or the vector of {@code inputs} numbers; of recurrent networks one for each step. */
    private Value input(Cfg cfg) {
        Section net = cfg.net();
        long steps = net.size("time_steps", 1, 1);
        long height = net.size("height", 0, 1);
        long width = net.size("width", 0, 1);
        Shape shape = (height == 0 || width == 0) && net.text("inputs").isPresent()
                ? Shape.of(steps, net.size("inputs", 0, 1))
                : Shape.of(steps, net.size("channels", 3, 1), height, width);
        TensorType type = new TensorType(DType.FLOAT32, shape);
        if (!type.fits()) {
            throw new GraphException(net.source(), "its input " + type + " is too large");
        }
        if (shape.elements() == 0) {
            throw new GraphException(net.source(), "it has neither height and width of a picture nor inputs");
        }
        long unrolled = cfg.layers().stream()
                .filter(layer -> RecurrentLayers.UNROLLED.contains(layer.type()))
                .count();
        if (unrolled * steps > RecurrentLayers.MOST_UNROLLED_STEPS) {
            throw net.wrong("time_steps", steps + " steps of " + unrolled + " layers are too many");
        }
        if (unrolled > 0) {
            graph.fixedInput(INPUT, type);
        } else {
            graph.input(INPUT, type);
        }
        return new Value(INPUT, type);
    }

    private Value layer(Section layer, int number) {
        try {
            return translated(layer, number);
        } catch (GraphException refused) {
            weights = DarknetWeights.none();
            return opaque.refuse(opaque(layer, number), refused).get(0);
        } catch (UntypedException follows) {
            weights = DarknetWeights.none();
            return opaque.skip(opaque(layer, number)).get(0);
        }
    }

    /** The layer as the file has it, which takes what the one before gives; its output is of no known type. */
    private OpaqueLayers.Layer opaque(Section layer, int number) {
        String name = DarknetLayerCall.name(layer, number);
        Value output = Value.untyped(graph.freeName(name));
        Value before = values.get(values.size() - 1);
        return new OpaqueLayers.Layer(name, layer.type(), layer.source(), List.of(before), List.of(output));
    }

    private Value translated(Section layer, int number) {
        LayerTranslator<DarknetLayerCall> translator =
                LAYERS.find(layer.type()).orElseThrow(() -> LayerTable.unknown(layer.type(), layer.source()));
        DarknetLayerCall call = new DarknetLayerCall(layer, number, values, graph, weights, files);
        Value result = translator.translate(call).get(0);
        layer.ignore("activation"); // means nothing where it is not read
        layer.ignore("stopbackward", "learning_rate", "dont_update", "onlyforward", "burnin_update", "train_only_bn");
        layer.requireAllRead();
        Value named = call.renamed(result, () -> graph.freeName(DarknetLayerCall.name(layer, number)));
        call.finish();
        lastStates.putAll(call.lastStates());
        return named;
    }

    /**
     * The values that no layer takes, and that of the last one, which may be an earlier value by way of a route; then the
     * states.
     */
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
        lastStates.forEach((name, state) -> graph.output(state.name(), name));
    }
}
