package org.clinfer.importer.onnx;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.Opaque;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.Specializations;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Inference;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.MissingFileException;
import org.clinfer.importer.MissingWeights;
import org.clinfer.importer.OpaqueLayers;
import org.clinfer.importer.Refusals;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.OperatorSetIdProto;
import org.clinfer.importer.onnx.proto.SparseTensorProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** One model's way from the parsed file to a graph. */
final class OnnxTranslation {

    private static final String INITIALIZER = "Initializer";

    /**
     * A run that a graph is written for.
     *
     * @param inputs that it is given
     * @param constants initializers that have been read before, among others
     */
    record Run(Map<String, Tensor> inputs, Map<String, Tensor> constants) {}

    private final ModelProto model;
    private final GraphProto proto;
    private final List<LocalFunctions.Placed> nodes;
    private final String file;
    private final OnnxTensorReader tensors;
    private final OnnxTranslatorTable table;
    private final OpCatalog catalog;
    private final OnnxGraphWriter graph;
    private final ControlFlowTranslation controlFlow;
    private final Set<String> initializers = new HashSet<>();
    private final UnsupportedLayers unsupported;
    private final Refusals refusals;
    private final Optional<Run> run;

    /** Tells whether a run decides more, of sequences and optional values. */
    private final boolean hasSpecializations;

    private boolean isOpen;

    /**
     * The way of a model.
     *
     * @param catalog the operators there are, among them perhaps some that ONNX does not have
     * @param run the run that the graph is for; empty if it is for any
     */
    OnnxTranslation(
            ModelProto model,
            String file,
            OnnxTensorReader tensors,
            OpCatalog catalog,
            UnsupportedLayers unsupported,
            Optional<Run> run) {
        this.unsupported = unsupported;
        this.run = run;
        this.hasSpecializations =
                run.isEmpty() && !DeclaredTypes.kinds(model.getGraph()).isEmpty();
        this.refusals = new Refusals(new SourceRef(file, ""), "parts of the model");
        this.model = model;
        this.proto = model.getGraph();
        this.nodes = OnnxOrder.sorted(LocalFunctions.inlined(model, file), file);
        this.file = file;
        this.tensors = tensors;
        this.catalog = catalog;
        this.table = new OnnxTranslatorTable(tensors, model.getProducerName());
        GraphBuilder builder = new GraphBuilder(proto.getName(), new SourceRef(file, ""));
        this.graph = new OnnxGraphWriter(builder, usedValues(), madeValues(), new Inference(catalog));
        if (hasSpecializations) {
            graph.leaveToRuns();
        }
        graph.addJoinable(JoinedSequences.of(nodes, proto, file));
        this.controlFlow = new ControlFlowTranslation(graph, tensors, this::translate);
    }

    /**
     * The graph.
     *
     * @throws UnsupportedException naming everything that is not supported, if it is refused
     */
    Graph translate() {
        try {
            write();
        } catch (GraphException consequence) {
            refusals.finish(unsupported);
            throw consequence;
        }
        refusals.finish(unsupported);
        Graph built = graph.build();
        return built.withMetadata(OnnxMetadata.of(model, built.nodes()));
    }

    /** {@return whether only a run tells what some nodes mean} */
    boolean isOpen() {
        return isOpen;
    }

    /** The inputs of the run on whose elements the graph depends. */
    Set<String> deciding() {
        return graph.deciding();
    }

    private void write() {
        List<OnnxNode> known = nodes();
        addInitializers();
        known.stream().filter(OnnxTranslation::isConstant).forEach(node -> translate(node, graph));
        addInputs();
        proto.getValueInfoList().forEach(this::declare);
        proto.getOutputList().forEach(this::declare);
        known.stream().filter(node -> !isConstant(node)).forEach(node -> translate(node, graph));
        addOutputs();
    }

    private Set<String> usedValues() {
        Set<String> used = new HashSet<>();
        for (LocalFunctions.Placed placed : nodes) {
            used.addAll(placed.node().getInputList());
            SourceRef source = OnnxNode.sourceOf(placed.node(), placed.index(), file);
            ControlFlowTranslation.addUsed(placed.node(), source, used);
        }
        proto.getOutputList().forEach(output -> used.add(output.getName()));
        return used;
    }

    private Set<String> madeValues() {
        Set<String> made = new HashSet<>();
        nodes.forEach(placed -> made.addAll(placed.node().getOutputList()));
        return made;
    }

    private List<OnnxNode> nodes() {
        return nodes.stream()
                .map(placed -> {
                    NodeProto node = placed.node();
                    SourceRef source = OnnxNode.sourceOf(node, placed.index(), file);
                    long version = isDefault(node.getDomain())
                            ? opset(placed.operatorSets(), source)
                            : version(placed.operatorSets(), node.getDomain());
                    return new OnnxNode(node, placed.index(), version, file);
                })
                .toList();
    }

    private static boolean isDefault(String domain) {
        return OnnxNode.isStandard(domain);
    }

    /** The version of the default operator set; files older than the declaration are of version 1. */
    private long opset(List<OperatorSetIdProto> operatorSets, SourceRef source) {
        for (OperatorSetIdProto set : operatorSets) {
            if (isDefault(set.getDomain())) {
                if (set.getVersion() < 1) {
                    throw new GraphException(source, "operator set version " + set.getVersion() + " does not exist");
                }
                return set.getVersion();
            }
        }
        if (model.getIrVersion() >= 3) {
            throw new GraphException(source, "the model does not say which version of the operator set it uses");
        }
        return 1;
    }

    /** The version of a custom operator set, 1 where the model does not say. */
    private static long version(List<OperatorSetIdProto> operatorSets, String domain) {
        return operatorSets.stream()
                .filter(set -> set.getDomain().equals(domain))
                .mapToLong(OperatorSetIdProto::getVersion)
                .findFirst()
                .orElse(1);
    }

    private void addInitializers() {
        for (TensorProto tensor : proto.getInitializerList()) {
            addInitializer(tensor.getName(), tensor, source -> tensors.read(tensor, source));
        }
        for (SparseTensorProto tensor : proto.getSparseInitializerList()) {
            addInitializer(tensor.getValues().getName(), tensor.getValues(), source -> tensors.read(tensor, source));
        }
    }

    private void addInitializer(String name, TensorProto tensor, Function<SourceRef, Tensor> reader) {
        SourceRef source = new SourceRef(file, "initializer '" + name + "'");
        if (!initializers.add(name)) {
            throw new GraphException(source, "it is defined twice");
        }
        if (!graph.isUsed(name)) {
            return;
        }
        try {
            Optional<Tensor> before = run.flatMap(given -> Optional.ofNullable(given.constants.get(name)));
            graph.addConstant(name, before.orElseGet(() -> reader.apply(source)));
        } catch (MissingFileException missing) {
            if (unsupported == UnsupportedLayers.REFUSED) {
                throw missing;
            }
            addMissing(name, OnnxTensorReader.type(tensor, source), source);
        } catch (GraphException refused) {
            refuse(name, INITIALIZER, source, refused);
        }
    }

    private void addMissing(String name, TensorType type, SourceRef source) {
        MissingWeights.of(type)
                .ifPresentOrElse(
                        weights -> graph.addConstant(name, weights),
                        () -> graph.addOpaque(Node.opaque(
                                name, INITIALIZER, List.of(), List.of(name), MissingWeights.opaque(type), source)));
    }

    /** Initializers that are listed as inputs too are constants unless a run supplies them. */
    private void addInputs() {
        DeclaredTypes declared = new DeclaredTypes(proto, file, graph.types());
        for (ValueInfoProto input : proto.getInputList()) {
            if (initializers.contains(input.getName())) {
                graph.addDefault(input.getName());
                continue;
            }
            try {
                addInput(input, declared);
            } catch (UnsupportedException refused) {
                SourceRef source = new SourceRef(file, "input '" + input.getName() + "'");
                refuse(input.getName(), "Input", source, refused);
            }
        }
    }

    private void addInput(ValueInfoProto input, DeclaredTypes declared) {
        String name = input.getName();
        TensorType type = declared.inputType(input);
        if (run.isPresent() && addGiven(input, type, declared, run.get())) {
            return;
        }
        KnownType known = DeclaredTypes.declared(input).or(KnownType.NOTHING.withDtype(type.dtype()));
        graph.addInput(name, type, type.shape().rank() == 0 ? known : KnownType.of(type));
        if (DeclaredTypes.isSequence(input)) {
            graph.addStack(name, KnownType.NOTHING);
        }
    }

    /** Adds an input as the run has it, or an optional value that holds nothing. */
    private boolean addGiven(ValueInfoProto input, TensorType type, DeclaredTypes declared, Run given) {
        String name = input.getName();
        GivenInputs inputs = new GivenInputs(given.inputs, graph, file);
        boolean isAdded = DeclaredTypes.isSequence(input)
                ? inputs.addSequence(name, type, declared.valueType(input))
                : inputs.add(name, type);
        if (!isAdded && input.getType().hasOptionalType() && !given.inputs.containsKey(name)) {
            graph.addNothing(name);
            return true;
        }
        return isAdded;
    }

    /** Lets an opaque node give an input or initializer of a type that Clinfer does not have. */
    private void refuse(String value, String what, SourceRef source, GraphException why) {
        Opaque.Cause cause = refusals.cause(why, source, unsupported);
        Opaque opaque = new Opaque(cause, why.reason(), List.of(Optional.empty()));
        graph.addOpaque(Node.opaque(value, what, List.of(), List.of(value), opaque, source));
    }

    private void addOutputs() {
        DeclaredTypes declared = new DeclaredTypes(proto, file, graph.types());
        for (ValueInfoProto output : proto.getOutputList()) {
            try {
                declared.checkOutput(output);
            } catch (UnsupportedException refused) {
                refusals.add(refused);
            }
            Optional<List<String>> values = graph.sequence(output.getName());
            if (values.isPresent()) {
                addOutputs(output, values.get());
            } else if (!graph.isNothing(output.getName())) {
                graph.addOutput(output.getName());
            }
        }
    }

    /** An output for each value of a sequence; where there is none, a tensor of none. */
    private void addOutputs(ValueInfoProto output, List<String> values) {
        String sequence = output.getName();
        SourceRef source = new SourceRef(file, "output '" + sequence + "'");
        if (values.isEmpty()) {
            DType dtype = DeclaredTypes.ofValues(output)
                    .or(graph.types().of(sequence))
                    .dtype()
                    .orElseThrow(() -> new UnsupportedException(
                            source, "empty sequence", "it is an empty sequence whose data type is not known"));
            if (run.filter(given -> given.inputs.containsKey(sequence)).isEmpty()) {
                graph.addConstant(sequence, Tensor.allocate(dtype, 0));
            }
            graph.addOutput(sequence);
        }
        for (int i = 0; i < values.size(); i++) {
            String name = Specializations.value(sequence, i);
            if (!values.get(i).equals(name)) {
                graph.add(new Node(name, "Identity", List.of(values.get(i)), List.of(name), Map.of(), source));
            }
            graph.addOutput(name);
        }
    }

    private void declare(ValueInfoProto value) {
        graph.declare(value.getName(), DeclaredTypes.declared(value));
    }

    private static boolean isConstant(OnnxNode node) {
        return node.isStandard() && node.op().equals("Constant");
    }

    /**
     * Translates a node, or lets an opaque one stand for it. A use that is refused where the type of an input is not known may be
     * a right one.
     *
     * @param to the graph, or that of a branch or body
     */
    private void translate(OnnxNode node, OnnxGraphWriter to) {
        int size = to.size();
        boolean open = to.isAnyUndetermined(node.inputs());
        try {
            translated(node, to);
            if (open) {
                to.addUndetermined(node.outputs());
            }
        } catch (GraphException refused) {
            boolean missing =
                    !ControlFlowTranslation.has(node) && translator(node).isEmpty();
            boolean isLeft = hasSpecializations
                    && !missing
                    && (open || (refused instanceof UnsupportedException && SequenceTranslators.takes(node)));
            if (isLeft) {
                isOpen = true;
                to.addOpaque(node, size, Opaque.Cause.UNDETERMINED, refused.reason());
            } else if (refused instanceof UnsupportedException && open && !missing) {
                to.addOpaque(node, size, Opaque.Cause.UNDETERMINED, OpaqueLayers.UNDETERMINED);
            } else {
                to.addOpaque(node, size, refusals.cause(refused, node.source(), unsupported), refused.reason());
            }
        }
    }

    private void translated(OnnxNode node, OnnxGraphWriter to) {
        node.requireDistinctAttributes();
        if (isConstant(node) && to.constant(node.output()).isPresent()) {
            throw node.malformed("value '" + node.output() + "' is defined twice");
        }
        if (ControlFlowTranslation.has(node)) {
            controlFlow.translate(node);
            return;
        }
        OnnxTranslator translator = translator(node).orElseThrow(node::unsupportedOperator);
        if (!SequenceTranslators.takes(node) && !node.inputs().stream().allMatch(to::isTensor)) {
            throw node.unsupportedUse("a sequence or an optional value");
        }
        translator.translate(node, to);
        node.requireAllConsumed();
    }

    /** ONNX's own operators are never taken for others. */
    private Optional<OnnxTranslator> translator(OnnxNode node) {
        return node.isStandard()
                ? table.find(node.op()).or(() -> OnnxDescribedTranslator.find(catalog, node.op()))
                : ofForeignDomain(node.domain(), node.op());
    }

    /** A user's description stands above an operator of ONNX Runtime. */
    private Optional<OnnxTranslator> ofForeignDomain(String domain, String operator) {
        return OnnxDescribedTranslator.find(catalog, operator).or(() -> table.find(domain, operator));
    }
}
