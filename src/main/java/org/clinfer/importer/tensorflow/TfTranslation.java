package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.clinfer.describe.OpCatalog;
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
import org.clinfer.importer.tensorflow.savedmodel.FrozenControl;
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
    private final OpCatalog catalog;
    private final Optional<FrozenModel> signature;
    private final Map<String, FrozenControl> control;
    private final TfNetwork network;
    private final Leftovers leftovers;
    private final TfOrder order;
    private final TfTranslatorTable table;
    private final TfGraphWriter graph;
    private final OnePrecision precision;
    private final Map<String, TfValue> given;
    private final Map<Ref, TfValue> values = new HashMap<>();
    private final Set<String> dead = new HashSet<>();
    private final Refusals refusals;
    private UnsupportedLayers unsupported = UnsupportedLayers.REFUSED;

    /** Values whose type an opaque node would tell. */
    private final Set<String> undetermined = new HashSet<>();

    /** The translation of a graph whose inputs and outputs follow from its nodes. */
    TfTranslation(TfNetwork network, String file, OpCatalog catalog) {
        this(network, Map.of(), new SourceRef(file, ""), Optional.empty(), catalog, file);
    }

    /** The translation of such a graph that has control flow. */
    static TfTranslation ofNodes(FrozenModel model, String file, OpCatalog catalog) {
        TfNetwork network = new TfNetwork(model.graph(), file);
        return new TfTranslation(network, model.control(), new SourceRef(file, ""), Optional.empty(), catalog, file);
    }

    /** The translation of a signature of a SavedModel, as a network of this name. */
    TfTranslation(FrozenModel model, String name, String file, OpCatalog catalog) {
        this(
                new TfNetwork(model.graph(), file, Optional.of(model)),
                model.control(),
                new SourceRef(file, ""),
                Optional.of(model),
                catalog,
                name);
    }

    private TfTranslation(
            TfNetwork network,
            Map<String, FrozenControl> control,
            SourceRef source,
            Optional<FrozenModel> signature,
            OpCatalog catalog,
            String name) {
        this(network, control, source, signature, catalog, new TfGraphWriter(name, source, catalog), Map.of());
    }

    private TfTranslation(
            TfNetwork network,
            Map<String, FrozenControl> control,
            SourceRef source,
            Optional<FrozenModel> signature,
            OpCatalog catalog,
            TfGraphWriter graph,
            Map<String, TfValue> given) {
        this.control = control;
        this.signature = signature;
        this.source = source;
        this.catalog = catalog;
        this.refusals = new Refusals(source, "nodes");
        this.network = network;
        this.leftovers = new Leftovers(network);
        this.order = new TfOrder(network, leftovers);
        this.table = new TfTranslatorTable(network, catalog);
        this.graph = graph;
        this.given = given;
        this.precision = new OnePrecision(graph);
    }

    /**
     * The translation of a graph that a node of this one has.
     *
     * @param into the graph that its nodes are written to
     * @param given the values that it is fed, by the names of the nodes that stand for them
     * @param doubtful those of them whose type is not known
     */
    TfTranslation of(FrozenModel inner, TfGraphWriter into, Map<String, TfValue> given, Set<String> doubtful) {
        TfNetwork network = new TfNetwork(inner.graph(), source.file(), Optional.of(inner));
        TfTranslation translation =
                new TfTranslation(network, inner.control(), source, Optional.of(inner), catalog, into, given);
        translation.unsupported = unsupported;
        translation.undetermined.addAll(doubtful);
        return translation;
    }

    /** Writes the nodes of such a graph; what it gives. */
    List<TfValue> place() {
        List<TfNode> outputs = network.outputs();
        outputs.forEach(output -> order.visit(output, this::translate));
        requireNoCycle();
        List<TfValue> results = new ArrayList<>();
        for (TfNode node : outputs) {
            TfValue value = values.get(new Ref(node.name(), 0));
            if (value == null || value.equals(TfValue.DEAD)) {
                throw node.unsupportedUse("a value that is not computed");
            }
            results.add(value);
        }
        return results;
    }

    /** {@return whether the type of a value is not known because of a node that is not translated} */
    boolean isDoubtful(TfValue value) {
        return undetermined.contains(value.name());
    }

    /** Says so of a value. */
    void doubt(TfValue value) {
        undetermined.add(value.name());
    }

    /** Takes over what was refused in a graph that a node of this one has. */
    void adopt(TfTranslation inner) {
        refusals.addAll(inner.refusals);
    }

    /** The graph that this writes to. */
    TfGraphWriter graph() {
        return graph;
    }

    /** A call of a node of this graph. */
    TfCall call(TfNode node, List<TfValue> inputs) {
        return new TfCall(node, inputs, graph, values);
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
                model.inputs().forEach(input -> order.visit(network.find(input).orElseThrow(), this::translate)));
        outputs.forEach(output -> order.visit(output, this::translate));
        refusals.finish(unsupported);
        requireNoCycle();
        int given = 0;
        for (TfNode node : outputs) {
            given += addOutputs(node);
        }
        if (given == 0) {
            throw new GraphException(source, "no node gives an output at inference");
        }
        return graph.build();
    }

    private void requireNoCycle() {
        if (order.cycle().isPresent() && refusals.isEmpty()) {
            throw order.cycle().get();
        }
    }

    private int addOutputs(TfNode node) {
        if (dead.contains(node.name())) {
            return 0;
        }
        if (signature.isPresent()) {
            TfValue value = Objects.requireNonNull(values.get(new Ref(node.name(), 0)));
            graph.output(settled(value), node.name(), node);
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

    private void translate(TfNode node) {
        Optional<Ref> dropped = leftovers.dropped(node);
        if (dropped.isPresent()) {
            values.put(new Ref(node.name(), 0), value(dropped.get(), node));
            return;
        }
        TfValue fed = given.get(node.name());
        if (fed != null) {
            values.put(new Ref(node.name(), 0), fed);
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
            refuseLists(node, inputs);
            refuseComplex(node, inputs);
            translateOrSkip(node, inputs, translator(node, inputs));
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

    /** The graph gives no complex numbers, and control flow takes none. */
    private void refuseComplex(TfNode node, List<TfValue> inputs) {
        boolean taken = inputs.stream().anyMatch(graph::isComplex);
        boolean given =
                TfComplexTranslators.gives(node, taken) && network.outputs().contains(node);
        if (given || (taken && control.containsKey(node.name()))) {
            throw node.unsupportedUse("complex numbers");
        }
    }

    /** Operators of tensors take no lists of them. */
    private void refuseLists(TfNode node, List<TfValue> inputs) {
        for (int i = 0; i < inputs.size(); i++) {
            boolean taken = TfControl.OPERATORS.contains(node.op())
                    || TfElementTranslators.ALIASES.contains(node.op())
                    || (i == 0 && TensorListTranslators.READERS.contains(node.op()));
            if (!taken && graph.lists().isList(inputs.get(i))) {
                throw node.unsupportedUse("a list of tensors");
            }
        }
    }

    /**
     * Lets the node that reserves a list be one that is not translated, if the list is none that has a value.
     *
     * @return the list as it is then
     */
    TfValue settled(TfValue list) {
        Optional<TensorLists.Reserved> reserved = graph.lists().reserved(list);
        if (reserved.isEmpty()) {
            return list;
        }
        graph.lists().forget(list);
        TfNode node = reserved.get().node();
        refuse(node, reserved.get().inputs(), node.unsupportedUse("elements whose shape is not known"));
        return Objects.requireNonNull(values.get(new Ref(node.name(), 0)));
    }

    private void opaque(TfNode node, List<TfValue> given, Opaque.Cause cause, String reason) {
        List<TfValue> inputs = given.stream().map(this::settled).toList();
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

    private TfTranslator translator(TfNode node, List<TfValue> inputs) {
        if (inputs.stream().anyMatch(graph::isComplex) && !TfElementTranslators.ALIASES.contains(node.op())) {
            return table.findOfComplex(node).orElseThrow(() -> node.unsupportedUse("complex numbers"));
        }
        FrozenControl graphs = control.get(node.name());
        if (graphs != null) {
            return call -> new TfControl(this, call).translate(graphs);
        }
        if (TfControl.OPERATORS.contains(node.op())) {
            throw node.malformed("it has no branches");
        }
        return table.find(node).orElseThrow(node::unsupportedOperator);
    }

    private void translate(TfNode node, List<TfValue> inputs, TfTranslator translator) {
        TfCall call = call(node, precision.of(node, inputs));
        translator.translate(call);
        call.outputs().forEach((port, value) -> values.put(new Ref(node.name(), port), value));
    }

    /** A node runs only if all that it reads or waits for did; Merge takes what there is. */
    private boolean isDead(TfNode node, List<TfValue> inputs) {
        if (node.op().equals("Merge")) {
            return !inputs.isEmpty() && inputs.stream().allMatch(TfValue.DEAD::equals);
        }
        return inputs.contains(TfValue.DEAD) || node.controls().stream().anyMatch(dead::contains);
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
