package org.clinfer.importer.openvino;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.graph.WorkBudget;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.LayerTranslator;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.OpaqueLayers;
import org.clinfer.importer.Params;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.importer.UntypedException;
import org.clinfer.importer.Value;
import org.clinfer.importer.openvino.OpenVinoLayer.Port;
import org.clinfer.importer.openvino.OpenVinoLayer.PortRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;

/** One network's way from its layers to a graph. */
final class OpenVinoTranslation {

    static final LayerTable<OpenVinoLayerCall> LAYERS = LayerTable.of(
            ComposedLayers::addTo,
            OpenVinoActivationLayers::addTo,
            OpenVinoArithmeticLayers::addTo,
            OpenVinoConvolutionLayers::addTo,
            OpenVinoDetectionLayers::addTo,
            OpenVinoEmbeddingLayers::addTo,
            OpenVinoFourierLayers::addTo,
            OpenVinoMatrixLayers::addTo,
            OpenVinoNormalizationLayers::addTo,
            OpenVinoPoolingLayers::addTo,
            OpenVinoPriorBoxLayers::addTo,
            OpenVinoRecurrentLayers::addTo,
            OpenVinoResizingLayers::addTo,
            SelectionLayers::addTo,
            OpenVinoShapeLayers::addTo,
            SliceLayers::addTo,
            TextDecoding::addTo);

    /** A definition alone, which may say anything, takes no more memory than this for bits that it does not have. */
    private static final long MOST_UNKNOWN_BYTES = 64L << 20;

    /** Layers at most of all the networks that layers run, each counted as often as it is written. */
    private static final int MOST_PLACED = 200_000;

    /** Networks within others, so deep. */
    private static final int MAX_DEPTH = 32;

    private static final String INPUT = "Parameter";
    private static final String OUTPUT = "Result";
    static final String CONSTANT = "Const";

    private final List<OpenVinoLayer> layers;
    private final Map<String, OpenVinoLayer> byId = new HashMap<>();
    private final OpenVinoWeights weights;
    private final SourceRef source;
    private final OpCatalog catalog;
    private final NamedGraph graph;
    private final Set<PortRef> read = new HashSet<>();

    /** The names of values whose elements a file would tell that is not there. */
    private final Set<String> unknown = new HashSet<>();

    private final Map<PortRef, Value> values = new HashMap<>();
    private final Set<String> inputNames = new HashSet<>();
    private final OpaqueLayers opaque;
    private final OpenVinoVariables variables;
    private final WorkBudget budget;
    private final int depth;
    private long unknownBytes;

    OpenVinoTranslation(IrReader.Network network, OpenVinoWeights weights, SourceRef source, OpCatalog catalog) {
        this.layers = network.layers();
        this.weights = weights;
        this.source = source;
        this.catalog = catalog;
        this.graph = new NamedGraph(network.name(), source, catalog);
        this.opaque = new OpaqueLayers(graph, source);
        this.variables = new OpenVinoVariables(graph);
        this.budget = WorkBudget.of(MOST_PLACED);
        this.depth = 0;
        layers.forEach(layer -> byId.put(layer.id(), layer));
    }

    private OpenVinoTranslation(OpenVinoTranslation around, List<OpenVinoLayer> layers, NamedGraph graph) {
        this.layers = layers;
        this.weights = around.weights;
        this.source = around.source;
        this.catalog = around.catalog;
        this.graph = graph;
        this.opaque = around.opaque.within(graph);
        this.variables = around.variables;
        this.budget = around.budget;
        this.depth = around.depth + 1;
        layers.forEach(layer -> byId.put(layer.id(), layer));
    }

    /**
     * Writes a network that a layer runs into a graph.
     *
     * @param stem what stands in front of the names of its layers there
     * @param given the values of its parameters, by their ids
     * @return the values of its results, by their ids
     */
    Map<String, Value> place(List<OpenVinoLayer> inner, NamedGraph into, String stem, Map<String, Value> given) {
        if (depth == MAX_DEPTH) {
            throw new GraphException(source, "networks are within each other more than " + MAX_DEPTH + " deep");
        }
        if (!budget.spend(inner.size())) {
            throw new GraphException(
                    source, "the networks that layers run have more than " + budget.limit() + " layers");
        }
        List<OpenVinoLayer> named = inner.stream()
                .map(layer -> layer.named(stem + "/" + layer.name()))
                .toList();
        return new OpenVinoTranslation(this, named, into).placed(given);
    }

    private Map<String, Value> placed(Map<String, Value> given) {
        for (OpenVinoLayer layer : layers) {
            if (OpenVinoVariables.TYPES.contains(layer.type())) {
                throw new OpenVinoLayerCall(layer, List.of(), graph, read, unknown)
                        .unsupportedUse("a variable in a network that a layer runs");
            }
        }
        for (OpenVinoLayer parameter : of(INPUT)) {
            Value value = given.get(parameter.id());
            if (value == null || parameter.outputs().size() != 1) {
                throw new GraphException(parameter.source(), "nothing is mapped to it");
            }
            values.put(port(parameter, 0), value);
        }
        List<OpenVinoLayer> needed = needed(of(OUTPUT));
        needed.forEach(layer -> read.addAll(layer.inputs()));
        needed.forEach(this::layer);
        Map<String, Value> results = new HashMap<>();
        for (OpenVinoLayer result : of(OUTPUT)) {
            if (result.inputs().size() != 1) {
                throw new GraphException(result.source(), "a result has one input");
            }
            Value value = value(result.inputs().get(0));
            if (value.equals(Value.NONE)) {
                throw new MissingValues(0);
            }
            results.put(result.id(), value);
        }
        return results;
    }

    NamedGraph graph() {
        return graph;
    }

    OpCatalog catalog() {
        return catalog;
    }

    /** A layer whose operators stand in a graph: this one, or one within it. */
    OpenVinoLayerCall call(OpenVinoLayer layer, NamedGraph in) {
        List<Value> inputs = layer.inputs().stream().map(this::value).toList();
        return new OpenVinoLayerCall(layer, inputs, in, read, unknown);
    }

    /**
     * The graph.
     *
     * @throws UnsupportedException naming every layer that is not supported, if they are refused
     */
    Graph translate(UnsupportedLayers unsupported) {
        opaque.begin(unsupported);
        List<OpenVinoLayer> outputs = of(OUTPUT);
        if (outputs.isEmpty()) {
            throw new GraphException(source, "the network has no outputs");
        }
        of(INPUT).forEach(this::input);
        List<OpenVinoLayer> kept = of(OpenVinoVariables.ASSIGN);
        List<OpenVinoLayer> needed =
                needed(Stream.concat(kept.stream(), outputs.stream()).toList());
        needed.forEach(layer -> read.addAll(layer.inputs()));
        needed.forEach(this::layer);
        opaque.finish();
        outputs.forEach(this::output);
        variables.finish();
        return graph.build();
    }

    private List<OpenVinoLayer> of(String type) {
        return layers.stream().filter(layer -> layer.type().equals(type)).toList();
    }

    private OpenVinoLayer giver(PortRef port) {
        OpenVinoLayer layer = byId.get(port.layer());
        if (layer == null) {
            throw new GraphException(source, "there is no layer " + Printable.shortened(port.layer()));
        }
        return layer;
    }

    private static List<PortRef> ports(OpenVinoLayer layer) {
        return layer.outputs().stream()
                .map(output -> new PortRef(layer.id(), output.id()))
                .toList();
    }

    private static PortRef port(OpenVinoLayer layer, int output) {
        return new PortRef(layer.id(), layer.outputs().get(output).id());
    }

    private void input(OpenVinoLayer layer) {
        try {
            if (layer.outputs().size() != 1 || !layer.inputs().isEmpty()) {
                throw new GraphException(layer.source(), "a parameter has no input and one output");
            }
            OpenVinoAttributes attributes = new OpenVinoAttributes(layer);
            DType dtype = attributes.type("element_type");
            Shape shape = layer.outputs().get(0).shape();
            if (attributes.has("shape")) {
                List<String> sizes = attributes.texts("shape");
                if (sizes.contains("...")) {
                    throw attributes.unsupported("shape");
                }
                List<Dim> dims = sizes.stream()
                        .map(size -> IrReader.dim(size, layer.source()))
                        .toList();
                shape = IrReader.shape(dims, layer.source());
            }
            requireAllRead(attributes);
            TensorType type = new TensorType(dtype, shape);
            if (!inputNames.add(layer.name())) {
                throw new GraphException(layer.source(), "there is a parameter of this name before it");
            }
            graph.fixedInput(layer.name(), type);
            values.put(port(layer, 0), new Value(layer.name(), type));
        } catch (UnsupportedException unsupported) {
            refuse(layer, unsupported);
        }
    }

    private void refuse(OpenVinoLayer layer, GraphException why) {
        opaque.refuse(opaque(layer), why);
    }

    /** The layer as the file has it, which says the types of all values. */
    private OpaqueLayers.Layer opaque(OpenVinoLayer layer) {
        List<Value> outputs = new ArrayList<>();
        for (int i = 0; i < layer.outputs().size(); i++) {
            Port port = layer.outputs().get(i);
            String name = graph.freeName(name(layer, i));
            Value value = OpenVinoElementTypes.find(port.precision())
                    .map(dtype -> new Value(name, new TensorType(dtype, port.shape())))
                    .orElseGet(() -> Value.untyped(name));
            outputs.add(value);
            values.put(port(layer, i), value);
        }
        List<Value> inputs = layer.inputs().stream().map(this::value).toList();
        return new OpaqueLayers.Layer(layer.name(), layer.type(), layer.source(), inputs, outputs);
    }

    private static void requireAllRead(OpenVinoAttributes attributes) {
        for (String unread : attributes.unread()) {
            throw attributes.unsupported(unread);
        }
    }

    /** The layers that some output needs, each behind those that it needs itself. */
    private List<OpenVinoLayer> needed(List<OpenVinoLayer> outputs) {
        List<OpenVinoLayer> order = new ArrayList<>();
        Set<String> done = new HashSet<>();
        Set<String> open = new HashSet<>();
        Deque<OpenVinoLayer> stack = new ArrayDeque<>();
        outputs.forEach(stack::push);
        while (!stack.isEmpty()) {
            OpenVinoLayer layer = stack.peek();
            if (done.contains(layer.id())) {
                stack.pop();
            } else if (open.add(layer.id())) {
                for (PortRef input : layer.inputs()) {
                    OpenVinoLayer giver = giver(input);
                    if (open.contains(giver.id()) && !done.contains(giver.id())) {
                        throw new GraphException(layer.source(), "it needs what it gives itself");
                    }
                    if (!done.contains(giver.id())) {
                        stack.push(giver);
                    }
                }
            } else {
                done.add(layer.id());
                stack.pop();
                order.add(layer);
            }
        }
        return order;
    }

    private void layer(OpenVinoLayer layer) {
        if (layer.type().equals(INPUT) || layer.type().equals(OUTPUT)) {
            return;
        }
        try {
            if (layer.type().equals(CONSTANT)) {
                constant(layer);
            } else {
                translated(layer);
            }
        } catch (MissingValues missing) {
            missing(layer, missing);
        } catch (GraphException refused) {
            refuse(layer, refused);
        } catch (UntypedException follows) {
            opaque.skip(opaque(layer));
        }
    }

    /** Whole numbers that cannot be computed are missing to who reads them, which the declared sizes may make good. */
    private void missing(OpenVinoLayer layer, MissingValues missing) {
        boolean whole = layer.outputs().stream()
                .allMatch(output -> OpenVinoElementTypes.find(output.precision())
                        .filter(type -> !type.isFloating())
                        .isPresent());
        if (whole) {
            ports(layer).forEach(port -> values.put(port, Value.NONE));
            return;
        }
        refuse(layer, missing(layer.source(), layer.type(), missing));
    }

    private UnsupportedException missing(SourceRef at, String type, MissingValues missing) {
        return new UnsupportedException(
                at,
                "layer " + Printable.shortened(type) + " without its constants",
                missing.getMessage() + " are in '" + Printable.shortened(weights.location()) + "', which is not there");
    }

    private void constant(OpenVinoLayer layer) {
        if (layer.outputs().size() != 1 || !layer.inputs().isEmpty()) {
            throw new GraphException(layer.source(), "a constant has no input and one output");
        }
        OpenVinoAttributes attributes = new OpenVinoAttributes(layer);
        DType dtype = attributes.type("element_type");
        List<Dim> dims = attributes.texts("shape").stream()
                .map(size -> IrReader.dim(size, layer.source()))
                .toList();
        TensorType type = new TensorType(dtype, IrReader.shape(dims, layer.source()));
        if (!type.shape().isKnown()) {
            throw new GraphException(layer.source(), "its shape " + type.shape() + " is open");
        }
        long offset = attributes.integer("offset");
        long size = attributes.integer("size");
        if (size != type.bytes() || offset < 0) {
            throw new GraphException(
                    layer.source(),
                    "its type " + type + " needs " + type.bytes() + " bytes, but it has " + size + " at offset "
                            + offset);
        }
        requireAllRead(attributes);
        values.put(port(layer, 0), weights.exist() ? stored(layer, type, offset) : unknown(layer, type));
    }

    private Value stored(OpenVinoLayer layer, TensorType type, long offset) {
        Tensor tensor = weights.read(type, offset, layer.source());
        return new Value(graph.constant(layer.name(), tensor), type);
    }

    /** NaN for what only the file would tell, so that no result looks like one; whole numbers have no such value. */
    private Value unknown(OpenVinoLayer layer, TensorType type) {
        if (!type.dtype().isFloating()) {
            return type.dtype() == DType.U1 ? zeros(layer, type) : Value.NONE;
        }
        OpenVinoLayerCall call = new OpenVinoLayerCall(layer, List.of(), graph, read, unknown);
        Value sizes = call.vector("shape", type.shape().sizes());
        Value value = call.weight("value", sizes, type, Double.NaN);
        call.finish();
        unknown.add(value.name());
        return value;
    }

    private Value zeros(OpenVinoLayer layer, TensorType type) {
        unknownBytes += type.bytes();
        if (type.bytes() > MOST_UNKNOWN_BYTES || unknownBytes > MOST_UNKNOWN_BYTES) {
            throw new GraphException(layer.source(), "its type " + type + " is too large to stand without its bits");
        }
        Value value = new Value(graph.constant(layer.name(), Tensor.allocate(type)), type);
        unknown.add(value.name());
        return value;
    }

    private void translated(OpenVinoLayer layer) {
        OpenVinoLayerCall call = call(layer, graph);
        if (OpenVinoControl.TYPES.contains(layer.type())) {
            List<Value> results = new OpenVinoControl(this, layer, call).translate();
            for (int i = 0; i < results.size(); i++) {
                values.put(port(layer, i), results.get(i));
            }
            return;
        }
        if (OpenVinoVariables.TYPES.contains(layer.type())) {
            Value value = variables.translate(call);
            ports(layer).forEach(port -> values.put(port, value));
            call.finish();
            return;
        }
        if (layer.opsetNumber() == 0 && LAYERS.find(layer.type()).isPresent()) {
            throw call.unsupportedUse("the operator set '" + Printable.shortened(layer.opset()) + "'");
        }
        List<Value> results = LAYERS.find(layer.type(), catalog, OpenVinoTranslation::described)
                .orElseThrow(() -> LayerTable.unknown(layer.type(), layer.source()))
                .translate(call);
        call.requireAllRead();
        for (int i = 0; i < layer.outputs().size(); i++) {
            if (i >= results.size() || results.get(i).equals(Value.NONE)) {
                if (call.isRead(i)) {
                    throw call.unsupportedUse("output " + i);
                }
                continue;
            }
            String wanted = name(layer, i);
            values.put(port(layer, i), call.renamed(results.get(i), () -> graph.freeName(wanted)));
        }
        call.finish();
    }

    /** Operators that a user has described have no parameters here. */
    private static LayerTranslator<OpenVinoLayerCall> described(OpDescription op) {
        return call -> call.addAll(op.optype(), call.inputs(), new Params(), call.outputCount());
    }

    static String name(OpenVinoLayer layer, int output) {
        return layer.outputs().size() == 1 ? layer.name() : layer.name() + "." + output;
    }

    private Value value(PortRef port) {
        Value value = values.get(port);
        if (value == null) {
            throw new GraphException(giver(port).source(), "it does not give port " + Printable.shortened(port.port()));
        }
        return value;
    }

    /** The name of a tensor is what the network was called by before; a layer's name may have been made up. */
    private void output(OpenVinoLayer layer) {
        if (layer.inputs().size() != 1) {
            throw new GraphException(layer.source(), "a result has one input");
        }
        requireAllRead(new OpenVinoAttributes(layer));
        PortRef from = layer.inputs().get(0);
        OpenVinoLayer giver = giver(from);
        int number = giver.output(from.port());
        Port port = giver.outputs().get(number);
        Value value = value(from);
        if (value.equals(Value.NONE)) {
            throw missing(layer.source(), layer.type(), new MissingValues(0));
        }
        graph.output(value.name(), port.tensor().isEmpty() ? name(giver, number) : port.tensor());
    }
}
