package org.clinfer.importer.onnx;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.Node;
import org.clinfer.graph.Opaque;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.Inference;
import org.clinfer.importer.Integers;
import org.clinfer.importer.KnownElements;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;
import org.jspecify.annotations.Nullable;

/** The graph while it is written: what translators add, and what they may ask of the values so far. */
final class OnnxGraphWriter {

    /** Constants of more elements are not compared. */
    private static final int MOST_SHARED = 64;

    /** The computation of a node. */
    private record Step(String op, List<String> inputs, Map<String, Attribute> params) {}

    /** A constant by its elements. */
    private record Literal(TensorType type, ByteBuffer bytes) {}

    private final GraphBuilder builder;
    private final Set<String> usedValues;
    private final Set<String> madeValues;
    private final Map<String, Tensor> constants = new HashMap<>();
    private final Map<String, Integers> given = new HashMap<>();
    private boolean leavesToRuns;
    private final Map<Step, String> steps = new HashMap<>();
    private final Map<Literal, String> literals = new HashMap<>();
    private final Map<String, List<String>> sequences = new HashMap<>();
    private final Set<String> nothings = new HashSet<>();
    private final Set<String> stacks = new HashSet<>();
    private final Map<String, Long> joinable = new HashMap<>();
    private final Map<String, Long> joined = new HashMap<>();
    private final Map<String, Long> filled = new HashMap<>();
    private final Set<String> own = new HashSet<>();
    private final Set<String> captured = new LinkedHashSet<>();
    private final @Nullable OnnxGraphWriter outer;
    private final boolean repeated;
    private final Inference inference;
    private final Set<String> defaults = new LinkedHashSet<>();
    private final Set<String> decisive = new HashSet<>();
    private final KnownTypes types;
    private final KnownElements elements;
    private final Map<String, KnownType> declared = new HashMap<>();
    private final Set<String> undetermined = new HashSet<>();

    /**
     * @param usedValues the values that some node or the caller reads
     * @param madeValues the values that the nodes of the file give
     */
    OnnxGraphWriter(GraphBuilder builder, Set<String> usedValues, Set<String> madeValues, Inference inference) {
        this(builder, usedValues, madeValues, inference, null, false);
    }

    private OnnxGraphWriter(
            GraphBuilder builder,
            Set<String> usedValues,
            Set<String> madeValues,
            Inference inference,
            @Nullable OnnxGraphWriter outer,
            boolean repeated) {
        this.builder = builder;
        this.usedValues = usedValues;
        this.madeValues = madeValues;
        this.inference = inference;
        this.outer = outer;
        this.repeated = repeated;
        this.types = new KnownTypes(inference, constants, this::integers, defaults);
        this.elements = new KnownElements(types::of, this::constantElements);
    }

    /** The graph of a branch, or of a body that repeats; what it takes of this one it says by {@link #take}. */
    OnnxGraphWriter inner(String name, SourceRef source, boolean repeats) {
        return new OnnxGraphWriter(
                new GraphBuilder(name, source), new HashSet<>(), new HashSet<>(), inference, this, repeated || repeats);
    }

    /** True if a run computes the nodes of this graph more than once. */
    boolean isRepeated() {
        return repeated;
    }

    /** Makes a value of the graphs around this one, which a node reads, one of this too: a constant, else an input. */
    void take(String value, OnnxNode reader) {
        if (outer == null || value.isEmpty() || own.contains(value)) {
            return;
        }
        outer.take(value, reader);
        own.add(value);
        if (outer.nothings.contains(value)) {
            nothings.add(value);
            return;
        }
        Optional<List<String>> sequence = outer.sequence(value);
        if (sequence.isPresent()) {
            sequence.get().forEach(element -> take(element, reader));
            sequences.put(value, sequence.get());
            types.declare(value, outer.types.of(value));
            return;
        }
        Optional<Tensor> constant = outer.constant(value);
        if (constant.isPresent()) {
            addConstant(value, constant.get());
            return;
        }
        KnownType type = outer.types().of(value);
        DType dtype = type.dtype()
                .orElseThrow(() -> reader.unsupportedUse(
                        "value '" + value + "' of the graph around it, whose data type is not known"));
        addInput(value, dtype, type);
        captured.add(value);
        if (outer.isStack(value)) {
            stacks.add(value);
        }
        if (outer.undetermined.contains(value)) {
            undetermined.add(value);
        }
    }

    /** Says that a value is a sequence of these. */
    void addSequence(String value, List<String> elements) {
        own.add(value);
        sequences.put(value, List.copyOf(elements));
        use(elements);
    }

    /** The values of a sequence; empty for what is none. */
    Optional<List<String>> sequence(String value) {
        return Optional.ofNullable(sequences.get(value));
    }

    /** Says that an optional value holds nothing. */
    void addNothing(String value) {
        own.add(value);
        nothings.add(value);
    }

    boolean isNothing(String value) {
        return nothings.contains(value);
    }

    /** Says that a tensor is a {@link Stack}, and what its type is at least. */
    void addStack(String value, KnownType type) {
        stacks.add(value);
        types.declare(value, type);
    }

    boolean isStack(String value) {
        return stacks.contains(value);
    }

    /** Says which sequences of the file may be {@link JoinedSequences}, each with its axis. */
    void addJoinable(Map<String, Long> axes) {
        joinable.putAll(axes);
    }

    Optional<Long> joinable(String value) {
        return Optional.ofNullable(joinable.get(value));
    }

    /** Says that a tensor has the values of a sequence along an axis. */
    void addJoined(String value, long axis) {
        joined.put(value, axis);
    }

    /** The axis along which a tensor has the values of a sequence; empty for another value. */
    Optional<Long> joined(String value) {
        return Optional.ofNullable(joined.get(value));
    }

    /** Says that all elements of a value are this integer. */
    void addFilled(String value, long element) {
        filled.put(value, element);
    }

    /** The integer that all elements of a value are, if that is known. */
    Optional<Long> filled(String value) {
        return Optional.ofNullable(filled.get(value));
    }

    /** {@return whether a value is a sequence, of as many values as are known or not} */
    boolean isSequence(String value) {
        return sequences.containsKey(value) || isStack(value) || joined.containsKey(value);
    }

    /** {@return whether a value is no sequence and holds something} */
    boolean isTensor(String value) {
        return !isSequence(value) && !isNothing(value);
    }

    /** The values of the graphs around this one that it takes. */
    List<String> captured() {
        return List.copyOf(captured);
    }

    /** Adds an input of which all is known that is known of a value; where that is no number of axes, it may have any. */
    void addInput(String value, DType dtype, KnownType known) {
        own.add(value);
        Shape shape = known.shape().orElse(Shape.SCALAR); // a declared scalar takes any shape
        builder.input(value, new TensorType(dtype, shape.isKnown() ? shape : KnownType.anyShape(shape.rank())));
        types.declare(value, known.withDtype(dtype));
    }

    private Optional<Integers> constantElements(String value) {
        return Optional.ofNullable(constants.get(value))
                .flatMap(Integers::of)
                .or(() -> Optional.ofNullable(given.get(value)));
    }

    /** Lets a node be refused that means another thing in a run than in any: each run has a graph of its own then. */
    void leaveToRuns() {
        leavesToRuns = true;
    }

    boolean leavesToRuns() {
        return leavesToRuns;
    }

    /** Says what elements an input has in all runs of this graph. */
    void addElements(String input, Integers elements) {
        given.put(input, elements);
    }

    /** The inputs with such elements on which what is written depends. */
    Set<String> deciding() {
        Set<String> deciding = new HashSet<>(given.keySet());
        deciding.retainAll(decisive);
        return deciding;
    }

    /** Elements decide what is written once somebody has asked for them. */
    private Optional<Integers> integers(String value) {
        decisive.add(value);
        return elements.of(value);
    }

    /** The elements of a scalar or vector of integers or bools, truths being 0 and 1, if all are known. */
    Optional<long[]> elements(String value) {
        return integers(value).flatMap(Integers::all);
    }

    /** The only element of a value, if it is known. */
    Optional<Long> element(String value) {
        return elements(value).filter(all -> all.length == 1).map(all -> all[0]);
    }

    KnownTypes types() {
        return types;
    }

    /** Says that somebody reads values which the file does not name so. */
    void use(List<String> names) {
        usedValues.addAll(names);
    }

    /** {@return whether some node or the caller reads the value} */
    boolean isUsed(String value) {
        return !value.isEmpty() && usedValues.contains(value);
    }

    /** {@return whether the node has an output of this number that somebody reads} */
    boolean isOutputUsed(OnnxNode node, int index) {
        return index < node.outputs().size() && isUsed(node.outputs().get(index));
    }

    /** The constant of this name, whose elements decide what is written from here on. */
    Optional<Tensor> constant(String value) {
        decisive.add(value);
        return Optional.ofNullable(constants.get(value));
    }

    void addConstant(String value, Tensor tensor) {
        own.add(value);
        constants.put(value, tensor);
        builder.constant(value, tensor);
    }

    /** @param known what is known of it, which may be less than a type says */
    void addInput(String value, TensorType type, KnownType known) {
        builder.input(value, type);
        types.declare(value, known);
    }

    /** Says that a caller may supply a constant of the same type, unless what is written depends on its elements. */
    void addDefault(String value) {
        if (constants.containsKey(value)) {
            defaults.add(value);
        }
    }

    void addOutput(String value) {
        builder.output(value);
    }

    /** Makes a value another one, which may be a sequence, too. */
    void addSame(OnnxNode from, String value, String output) {
        Optional<List<String>> sequence = sequence(value);
        if (sequence.isPresent()) {
            addSequence(output, sequence.get());
            types.declare(output, types.of(value));
        } else if (isNothing(value)) {
            addNothing(output);
        } else {
            addStep(from, from.name(), "Identity", List.of(value), List.of(output), new Params());
            if (isStack(value)) {
                addStack(output, types.of(value));
            }
        }
    }

    /** A name that no value of the file has, not even one of a node that is translated later. */
    String freshName(String stem) {
        if (outer != null) {
            return outer.freshName(stem);
        }
        String name = builder.freshName(stem);
        while (usedValues.contains(name) || madeValues.contains(name)) {
            name = builder.freshName(stem);
        }
        return name;
    }

    /** Adds the canonical node that an ONNX node stands for, with its first output. */
    void add(OnnxNode from, String op, List<String> inputs, Params params) {
        add(from, op, inputs, List.of(from.output()), params);
    }

    void add(OnnxNode from, String op, List<String> inputs, List<String> outputs, Params params) {
        Node node = new Node(from.name(), op, trimmed(inputs), outputs, params.map(), from.source());
        add(node);
    }

    /** Adds a node that no ONNX node stands for alone; the result is the name of its output. */
    String addStep(OnnxNode from, String op, List<String> inputs, Params params) {
        String stem = from.outputs().stream()
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse(from.name());
        String output = freshName(stem);
        addStep(from, op, inputs, output, params);
        return output;
    }

    /** As {@link #addStep}; where a node of the same operator, inputs and parameters was added so before, its output. */
    String addSharedStep(OnnxNode from, String op, List<String> inputs, Params params) {
        Step step = new Step(op, List.copyOf(trimmed(inputs)), Map.copyOf(params.map()));
        String known = steps.get(step);
        if (known != null) {
            return known;
        }
        String output = addStep(from, op, inputs, params);
        steps.put(step, output);
        return output;
    }

    /** A constant that steps have in common with others of the same type and elements. */
    String addSharedConstant(String stem, Tensor tensor) {
        return tensor.elements() > MOST_SHARED
                ? addNamed(stem, tensor)
                : literals.computeIfAbsent(
                        new Literal(tensor.type(), tensor.bytes()), literal -> addNamed(stem, tensor));
    }

    private String addNamed(String stem, Tensor tensor) {
        String name = freshName(stem);
        addConstant(name, tensor);
        return name;
    }

    /** Adds a node that no ONNX node stands for alone, with the name of its output. */
    void addStep(OnnxNode from, String op, List<String> inputs, String output, Params params) {
        String name = from.name() + "/" + op;
        Node node = new Node(name, op, trimmed(inputs), List.of(output), params.map(), from.source());
        add(node);
    }

    /** Adds one of several nodes that an ONNX node stands for, with a name and outputs of its own. */
    void addStep(OnnxNode from, String name, String op, List<String> inputs, List<String> outputs, Params params) {
        Node node = new Node(name, op, trimmed(inputs), outputs, params.map(), from.source());
        add(node);
    }

    /** Adds a node that runs graphs, with the types that it gives. */
    void addControl(Node node, List<KnownType> given) {
        for (int i = 0; i < node.outputs().size(); i++) {
            if (!node.outputs().get(i).isEmpty()) {
                types.declare(node.outputs().get(i), given.get(i));
            }
        }
        add(node);
    }

    void add(Node node) {
        own.addAll(node.outputs());
        builder.node(node);
        if (!node.isControl()) {
            types.note(node);
            elements.follow(node).ifPresent(known -> decisive.addAll(node.inputs()));
        }
    }

    /** The number of nodes so far. */
    int size() {
        return builder.size();
    }

    /**
     * Adds a node of which nothing is known but what it takes and what the file says of its outputs, in the place of those
     * that were written for it.
     *
     * @param size the number of nodes before them
     */
    void addOpaque(OnnxNode from, int size, Opaque.Cause cause, String reason) {
        builder.truncate(size);
        List<String> taken = new ArrayList<>();
        for (String input : from.inputs()) {
            taken.addAll(isNothing(input) ? List.of("") : sequence(input).orElse(List.of(input)));
        }
        addOpaque(Node.opaque(
                from.name(),
                Printable.shortened(from.qualifiedOp()),
                taken,
                from.outputs(),
                new Opaque(
                        cause,
                        reason,
                        from.outputs().stream().map(this::declared).toList()),
                from.source()));
    }

    private Optional<TensorType> declared(String value) {
        KnownType known = declared.getOrDefault(value, KnownType.NOTHING);
        return known.dtype().flatMap(dtype -> known.shape().map(shape -> new TensorType(dtype, shape)));
    }

    /** Notes what the file says of a value. */
    void declare(String value, KnownType type) {
        declared.put(value, type);
        types.declare(value, type);
    }

    /** Adds a node of which nothing more is known. */
    void addOpaque(Node opaque) {
        own.addAll(opaque.outputs());
        undetermined.addAll(opaque.outputs());
        builder.node(opaque);
    }

    /** {@return whether the type or the elements of one of these values would be known if no node were opaque} */
    boolean isAnyUndetermined(List<String> values) {
        return !undetermined.isEmpty() && values.stream().anyMatch(undetermined::contains);
    }

    /** Says that the elements of values depend on an opaque node, and their types where these are not known. */
    void addUndetermined(List<String> values) {
        values.stream()
                .filter(value -> !value.isEmpty() && types.of(value).shape().isEmpty())
                .forEach(undetermined::add);
    }

    private static List<String> trimmed(List<String> names) {
        int size = names.size();
        while (size > 0 && names.get(size - 1).isEmpty()) {
            size--;
        }
        return names.subList(0, size);
    }

    Graph build() {
        defaults.stream()
                .filter(value -> !decisive.contains(value))
                .forEach(value -> builder.defaultInput(
                        value, Objects.requireNonNull(constants.get(value)).type()));
        return builder.build();
    }
}
