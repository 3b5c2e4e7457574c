package org.clinfer.importer.tensorflow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.errors.Printable;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Opaque;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.MissingWeights;
import org.clinfer.importer.OpaqueLayers;
import org.clinfer.importer.Refusals;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.importer.tensorflow.proto.GraphDef;
import org.clinfer.importer.tensorflow.savedmodel.FrozenModel;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** One graph's way from the parsed file to a graph of ours: what its outputs need, each node after those it reads. */
final class TfTranslation {

    /** An opaque node has no more outputs. */
    private static final int MOST_PORTS = 1024;

    private final SourceRef source;
    private final Optional<FrozenModel> signature;
    private final TfNetwork network;
    private final Leftovers leftovers;
    private final TfTranslatorTable table;
    private final TfGraphWriter graph;
    private final Set<String> functions;
    private final Map<Ref, TfValue> values = new HashMap<>();
    private final Map<String, TfValue> converted = new HashMap<>();
    private final Set<String> done = new HashSet<>();
    private final Set<String> dead = new HashSet<>();
    private final Refusals refusals;
    private UnsupportedLayers unsupported = UnsupportedLayers.REFUSED;

    /** Values whose type an opaque node would tell. */
    private final Set<String> undetermined = new HashSet<>();

    private Optional<GraphException> cycle = Optional.empty();

    /** The translation of a graph whose inputs and outputs follow from its nodes. */
    TfTranslation(GraphDef proto, String file, OpCatalog catalog) {
        this(proto, file, file, Optional.empty(), catalog);
    }

    /** The translation of a signature of a SavedModel, as a network of this name. */
    TfTranslation(FrozenModel model, String name, String file, OpCatalog catalog) {
        this(model.graph(), name, file, Optional.of(model), catalog);
    }

    private TfTranslation(
            GraphDef proto, String name, String file, Optional<FrozenModel> signature, OpCatalog catalog) {
        this.signature = signature;
        this.source = new SourceRef(file, "");
        this.refusals = new Refusals(source, "nodes");
        this.functions = proto.getLibrary().getFunctionList().stream()
                .map(function -> function.getSignature().getName())
                .collect(Collectors.toSet());
        this.network = new TfNetwork(proto, file, signature);
        this.leftovers = new Leftovers(network);
        this.table = new TfTranslatorTable(network, catalog);
        this.graph = new TfGraphWriter(name, source, catalog);
    }

    /**
     * The graph.
     *
     * @throws UnsupportedException naming every node that cannot be used, if they are refused
     */
    Graph translate(UnsupportedLayers unsupported) {
        this.unsupported = unsupported;
        List<TfNode> outputs = network.outputs();
        signature.ifPresent(model ->
                model.inputs().forEach(input -> visit(network.find(input).orElseThrow())));
        outputs.forEach(this::visit);
        refusals.finish(unsupported);
        if (cycle.isPresent() && refusals.isEmpty()) {
            throw cycle.get();
        }
        int given = 0;
        for (TfNode node : outputs) {
            given += addOutputs(node);
        }
        if (given == 0) {
            throw new GraphException(source, "no node gives an output at inference");
        }
        return graph.build();
    }

    private int addOutputs(TfNode node) {
        if (dead.contains(node.name())) {
            return 0;
        }
        if (signature.isPresent()) {
            graph.output(Objects.requireNonNull(values.get(new Ref(node.name(), 0))), node.name(), node);
            return 1;
        }
        int given = 0;
        for (int port = 0; values.containsKey(new Ref(node.name(), port)); port++) {
            Ref ref = new Ref(node.name(), port);
            TfValue value = values.get(ref);
            boolean statistic = port > 0 && node.op().startsWith("FusedBatchNorm");
            if (value != null && !value.equals(TfValue.DEAD) && !statistic) {
                graph.output(value, ref.toString(), node);
                given++;
            }
        }
        return given;
    }

    /** Translates a node after all that it needs; iterative, so that deep graphs do not exhaust the stack. */
    private void visit(TfNode root) {
        Deque<TfNode> stack = new ArrayDeque<>();
        Set<String> open = new HashSet<>();
        stack.push(root);
        while (!stack.isEmpty()) {
            TfNode node = stack.peek();
            if (done.contains(node.name())) {
                stack.pop();
            } else if (open.add(node.name())) {
                for (TfNode read : reads(node)) {
                    if (open.contains(read.name()) && !done.contains(read.name())) {
                        noteCycle(node, read);
                    } else if (!done.contains(read.name())) {
                        stack.push(read);
                    }
                }
            } else {
                stack.pop();
                done.add(node.name());
                translate(node);
            }
        }
    }

    private void noteCycle(TfNode node, TfNode read) {
        if (cycle.isEmpty()) {
            cycle = Optional.of(node.malformed("the graph has a cycle through '" + read.name() + "'"));
        }
    }

    /** The nodes that a node needs; of one that is left over from training only what it passes on. */
    private List<TfNode> reads(TfNode node) {
        Optional<Ref> dropped = leftovers.dropped(node);
        if (dropped.isPresent()) {
            return List.of(network.node(dropped.get()));
        }
        List<TfNode> read = new ArrayList<>();
        for (int i = node.inputs().size() - 1; i >= 0; i--) {
            read.add(network.node(node.inputs().get(i)));
        }
        node.controls().stream()
                .flatMap(name -> network.find(name).stream())
                .filter(this::isBranch)
                .forEach(read::add);
        return read;
    }

    private void translate(TfNode node) {
        Optional<Ref> dropped = leftovers.dropped(node);
        if (dropped.isPresent()) {
            values.put(new Ref(node.name(), 0), value(dropped.get(), node));
            return;
        }
        if (network.isInput(node)) {
            try {
                addInput(node);
            } catch (UnsupportedException unsupported) {
                refuse(node, List.of(), unsupported);
            }
            return;
        }
        if (signature.isPresent() && signature.get().missing().containsKey(node.name())) {
            addMissing(node);
            return;
        }
        List<TfValue> inputs = new ArrayList<>();
        for (Ref input : node.inputs()) {
            inputs.add(value(input, node));
        }
        if (isDead(node, inputs)) {
            dead.add(node.name());
            return;
        }
        try {
            TfTranslator translator = translator(node);
            translateOrSkip(node, inputs, translator);
        } catch (GraphException refused) {
            refuse(node, inputs, refused);
        }
    }

    /** A use that is refused where the type of an input is not known may be a right one. */
    private void translateOrSkip(TfNode node, List<TfValue> inputs, TfTranslator translator) {
        if (inputs.contains(TfValue.CYCLIC)) {
            skip(node, inputs);
            return;
        }
        if (inputs.stream().noneMatch(input -> undetermined.contains(input.name()))) {
            translate(node, inputs, translator);
            return;
        }
        try {
            translate(node, inputs, translator);
            outputs(node)
                    .filter(output -> output.type().shape().isEmpty())
                    .forEach(output -> undetermined.add(output.name()));
        } catch (UnsupportedException unknown) {
            skip(node, inputs);
        }
    }

    private Stream<TfValue> outputs(TfNode node) {
        return IntStream.range(0, ports(node))
                .mapToObj(port -> new Ref(node.name(), port))
                .flatMap(ref -> Optional.ofNullable(values.get(ref)).stream());
    }

    private void refuse(TfNode node, List<TfValue> inputs, GraphException why) {
        opaque(node, inputs, refusals.cause(why, node.source(), unsupported), why.reason());
    }

    private void skip(TfNode node, List<TfValue> inputs) {
        opaque(node, inputs, Opaque.Cause.UNDETERMINED, OpaqueLayers.UNDETERMINED);
    }

    private void opaque(TfNode node, List<TfValue> inputs, Opaque.Cause cause, String reason) {
        List<TfValue> outputs = graph.opaque(node, inputs, ports(node), cause, reason);
        for (int port = 0; port < outputs.size(); port++) {
            values.put(new Ref(node.name(), port), outputs.get(port));
            undetermined.add(outputs.get(port).name());
        }
    }

    /** As many outputs as other nodes read, within reason. */
    private int ports(TfNode node) {
        int last = network.readers(node).stream()
                .flatMap(reader -> reader.inputs().stream())
                .filter(input -> input.node().equals(node.name()))
                .mapToInt(Ref::port)
                .max()
                .orElse(0);
        return Math.min(last + 1, MOST_PORTS);
    }

    private TfTranslator translator(TfNode node) {
        if (functions.contains(node.op())) {
            throw new UnsupportedException(
                    node.source(),
                    "function " + Printable.shortened(node.op()),
                    "it calls the function " + Printable.shortened(node.op()) + " of the graph's own");
        }
        return table.find(node).orElseThrow(node::unsupportedOperator);
    }

    private void translate(TfNode node, List<TfValue> inputs, TfTranslator translator) {
        Call call = new Call(node, inOnePrecision(node, inputs), graph, values);
        translator.translate(call);
        call.outputs().forEach((port, value) -> values.put(new Ref(node.name(), port), value));
    }

    /**
     * Converters store weights in 16 bits, and say so of the operators or not, but not of the inputs. Each operator gets its
     * values in the precision that it has itself.
     */
    private List<TfValue> inOnePrecision(TfNode node, List<TfValue> inputs) {
        Optional<DType> wanted = precision(node, "T");
        if (wanted.isEmpty()) {
            return inputs;
        }
        Optional<DType> statistics = precision(node, "U");
        List<TfValue> result = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            result.add(inPrecision(inputs.get(i), i > 0 ? statistics.or(() -> wanted) : wanted, node));
        }
        return result;
    }

    /** Operators of values of several types have a list of them. */
    private static Optional<DType> precision(TfNode node, String attribute) {
        return node.singleType(attribute)
                .flatMap(TfElementTypes::find)
                .filter(type -> type == DType.FLOAT16 || type == DType.FLOAT32);
    }

    private TfValue inPrecision(TfValue value, Optional<DType> wanted, TfNode node) {
        DType to = wanted.orElseThrow();
        DType other = to == DType.FLOAT16 ? DType.FLOAT32 : DType.FLOAT16;
        if (!value.dtype().equals(Optional.of(other))) {
            return value;
        }
        String key = value.name() + "^" + to.label();
        TfValue known = converted.get(key);
        if (known == null) {
            Optional<Tensor> tensor = graph.constant(value);
            known = tensor.isPresent()
                    ? graph.constant(graph.freshName(value.name()), tensor.get().to(to))
                    : graph.converted(value, to, node);
            converted.put(key, known);
        }
        return known;
    }

    /** A node runs only if all that it reads or waits for did; Merge takes what there is. */
    private boolean isDead(TfNode node, List<TfValue> inputs) {
        if (node.op().equals("Merge")) {
            return !inputs.isEmpty() && inputs.stream().allMatch(TfValue.DEAD::equals);
        }
        return inputs.contains(TfValue.DEAD) || node.controls().stream().anyMatch(dead::contains);
    }

    /** Whether a node marks a branch of a condition: it passes on the output of a switch. */
    private boolean isBranch(TfNode node) {
        return node.op().equals("Identity")
                && node.inputs().size() == 1
                && network.node(node.inputs().get(0)).op().equals("Switch");
    }

    private TfValue value(Ref ref, TfNode reader) {
        if (dead.contains(ref.node())) {
            return TfValue.DEAD;
        }
        TfValue value = values.get(ref);
        if (value != null) {
            return value;
        }
        boolean translated = values.containsKey(new Ref(ref.node(), 0));
        if (translated) {
            throw reader.malformed("input '" + ref + "' is an output that node '" + ref.node() + "' does not have");
        }
        return TfValue.CYCLIC;
    }

    /** A variable whose file is missing. */
    private void addMissing(TfNode node) {
        Optional<DType> dtype = node.type("dtype").flatMap(TfElementTypes::find);
        Optional<Shape> shape =
                node.shape("shape").flatMap(InputShape::declared).filter(Shape::isKnown);
        Optional<TensorType> type = dtype.flatMap(known -> shape.map(sizes -> new TensorType(known, sizes)))
                .filter(TensorType::fits);
        Optional<Tensor> weights = type.flatMap(MissingWeights::of);
        if (weights.isPresent()) {
            values.put(new Ref(node.name(), 0), graph.constant(node.name(), weights.get()));
        } else {
            opaque(node, List.of(), Opaque.Cause.UNDETERMINED, MissingWeights.REASON);
        }
    }

    private void addInput(TfNode node) {
        OpAttributes.check(node);
        DType dtype = node.dtype("dtype").orElseThrow();
        Optional<Shape> shape = InputShape.of(node, network);
        TensorType type = new TensorType(dtype, shape.orElse(Shape.SCALAR));
        if (!type.fits()) {
            throw node.malformed("its type " + type + " is too large");
        }
        values.put(new Ref(node.name(), 0), graph.input(node.name(), new KnownType(Optional.of(dtype), shape)));
    }
}
