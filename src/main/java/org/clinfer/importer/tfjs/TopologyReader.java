package org.clinfer.importer.tfjs;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;

/** Reads networks, functional ones and sequential ones, and the networks inside them. */
final class TopologyReader {

    private static final int LONGEST_NAME = 250;
    private static final Set<String> FUNCTIONAL = Set.of("Functional", "Model");
    private static final String SEQUENTIAL = "Sequential";

    /** The fields that state the shape of an input, in the order in which it counts; the last is Keras 3's name. */
    static final List<String> SHAPES = List.of("batch_input_shape", "batch_shape");

    private final String file;

    /** @param file the file's name, for messages */
    TopologyReader(String file) {
        this.file = file;
    }

    /** The network of a file. */
    Topology read(Json.Obj model) {
        SourceRef source = new SourceRef(file, "");
        String kind = kind(new TfjsFields(model, source, ModelDocument.TOPOLOGY));
        if (!isNetwork(kind)) {
            throw new GraphException(
                    source, "its class must be Functional, Model or Sequential, but is " + new Json.Text(kind).shown());
        }
        return network(kind, model, source, "");
    }

    private static boolean isNetwork(String kind) {
        return kind.equals(SEQUENTIAL) || FUNCTIONAL.contains(kind);
    }

    private static String kind(TfjsFields fields) {
        String kind = fields.text("class_name")
                .orElseThrow(() -> new GraphException(fields.source(), "field 'class_name' is missing"));
        requireShort(kind, fields.source());
        return kind;
    }

    private static void requireShort(String name, SourceRef source) {
        if (name.isEmpty() || name.length() > LONGEST_NAME) {
            throw new GraphException(source, "a name of " + name.length() + " characters");
        }
    }

    /** @param place what sources of its layers begin with */
    private Topology network(String kind, Json.Obj model, SourceRef source, String place) {
        Json config = model.fields().getOrDefault("config", Json.Nothing.NULL);
        boolean listAlone = config instanceof Json.Arr && kind.equals(SEQUENTIAL);
        TfjsFields fields = listAlone
                ? new TfjsFields(new Json.Obj(Map.of("layers", config)), source, "config")
                : TfjsFields.of(config, source, "config");
        List<Json> elements =
                fields.list("layers").orElseThrow(() -> new GraphException(source, "field 'config.layers' is missing"));
        String name = fields.text("name").orElse("");
        if (kind.equals(SEQUENTIAL)) {
            return sequential(name, elements, fields, place);
        }
        List<TfjsLayer> layers = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Json element : elements) {
            TfjsLayer layer = layer(element, layers.size(), place, true);
            if (!names.add(layer.name())) {
                throw new GraphException(layer.source(), "the name is used twice");
            }
            layers.add(layer);
        }
        return new Topology(
                name,
                List.copyOf(layers),
                TensorRefs.read(fields.required("input_layers"), source, "input_layers"),
                TensorRefs.read(fields.required("output_layers"), source, "output_layers"));
    }

    private TfjsLayer layer(Json element, int index, String place, boolean calls) {
        SourceRef number = new SourceRef(file, place + "layer " + index);
        TfjsFields fields = TfjsFields.of(element, number, "");
        String kind = kind(fields);
        Json.Obj config = fields.find("config")
                .filter(Json.Obj.class::isInstance)
                .map(Json.Obj.class::cast)
                .orElse(new Json.Obj(Map.of()));
        Json.Obj whole = (Json.Obj) element;
        String name = fields.text("name")
                .or(() -> new TfjsFields(config, number, "config").text("name"))
                .orElse(kind.toLowerCase(Locale.ROOT) + "_" + index);
        requireShort(name, number);
        SourceRef source = new SourceRef(file, number.element() + " '" + name + "' (" + kind + ")");
        List<TfjsLayer.Call> uses = new ArrayList<>();
        if (calls) {
            for (Json call : fields.list("inbound_nodes").orElse(List.of())) {
                uses.add(TensorRefs.readCall(call, source, "inbound_nodes"));
            }
        }
        Optional<Topology> network =
                isNetwork(kind) ? Optional.of(network(kind, whole, source, source.element() + ": ")) : Optional.empty();
        return new TfjsLayer(name, kind, config, List.copyOf(uses), network, source);
    }

    /** Every layer takes the output of the one before it; the first may say the shape of the input. */
    private Topology sequential(String name, List<Json> elements, TfjsFields fields, String place) {
        Map<String, TfjsLayer> layers = new LinkedHashMap<>();
        String last = "";
        for (int index = 0; index < elements.size(); index++) {
            TfjsLayer layer = layer(elements.get(index), index, place, false);
            if (index == 0 && !layer.isInput()) {
                last = addInput(layer, fields, layers);
            }
            TfjsLayer.Call call = new TfjsLayer.Call(List.of(new TfjsLayer.TensorRef(last, 0, 0)), Optional.empty());
            TfjsLayer chained = new TfjsLayer(
                    layer.name(),
                    layer.kind(),
                    layer.config(),
                    layer.isInput() ? List.of() : List.of(call),
                    layer.network(),
                    layer.source());
            if (index > 0 && layer.isInput()) {
                throw new GraphException(layer.source(), "an input after the first layer");
            }
            if (layers.put(layer.name(), chained) != null) {
                throw new GraphException(layer.source(), "the name is used twice");
            }
            last = layer.name();
        }
        if (layers.isEmpty()) {
            throw new GraphException(fields.source(), "it has no layers");
        }
        String first = layers.keySet().iterator().next();
        return new Topology(
                name,
                List.copyOf(layers.values()),
                List.of(new TfjsLayer.TensorRef(first, 0, 0)),
                List.of(new TfjsLayer.TensorRef(last, 0, 0)));
    }

    /** The input layer that a sequential network does not write; its shape is that of the first layer which has one. */
    private static String addInput(TfjsLayer first, TfjsFields network, Map<String, TfjsLayer> layers) {
        String name = first.name() + "_input";
        Map<String, Json> config = new LinkedHashMap<>();
        Optional<Json.Obj> given = inputConfig(first);
        given.flatMap(TopologyReader::shape)
                .or(() -> network.find("build_input_shape"))
                .ifPresent(shape -> config.put(SHAPES.get(0), shape));
        given.flatMap(input -> Optional.ofNullable(input.fields().get("dtype")))
                .ifPresent(dtype -> config.put("dtype", dtype));
        SourceRef source = new SourceRef(first.source().file(), "input '" + name + "'");
        layers.put(
                name, new TfjsLayer(name, TfjsLayer.INPUT, new Json.Obj(config), List.of(), Optional.empty(), source));
        return name;
    }

    /** The configuration of the layer that says the shape: the layer itself, or the input of the network that it is. */
    private static Optional<Json.Obj> inputConfig(TfjsLayer layer) {
        if (layer.network().isEmpty() || shape(layer.config()).isPresent()) {
            return Optional.of(layer.config());
        }
        Topology inner = layer.network().get();
        return inner.inputs().stream()
                .limit(1)
                .flatMap(input ->
                        inner.layers().stream().filter(each -> each.name().equals(input.layer())))
                .findFirst()
                .flatMap(TopologyReader::inputConfig);
    }

    private static Optional<Json> shape(Json.Obj config) {
        return SHAPES.stream()
                .flatMap(field -> Optional.ofNullable(config.fields().get(field)).stream())
                .filter(value -> value != Json.Nothing.NULL)
                .findFirst();
    }
}
