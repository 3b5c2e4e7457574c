package org.clinfer.importer.tensorflow;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.Opaque;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.WorkBudget;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.Inference;
import org.clinfer.importer.Inference.Operand;
import org.clinfer.importer.Integers;
import org.clinfer.importer.KnownElements;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.Params;
import org.clinfer.importer.tensorflow.proto.TensorProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;

/** The graph while it is written, what is known of its values, and both orders of their axes. */
final class TfGraphWriter {

    /** Nodes at most; an operator may stand for several. */
    private static final int MOST_NODES = 400_000;

    /** Elements of all constants together that are made for an operator, 64 MiB of float32. */
    private static final int MOST_MADE = 1 << 24;

    private final GraphBuilder builder;
    private final SourceRef source;
    private final Inference inference;
    private final WorkBudget made;
    private final boolean repeated;
    private final Map<String, Operand> operands = new HashMap<>();
    private final KnownElements elements = new KnownElements(this::type, this::constantElements);
    private final Map<String, TensorProto> codes = new HashMap<>();
    private final Map<String, String> turned = new HashMap<>();
    private final Set<String> produced = new HashSet<>();
    private final TensorLists lists = new TensorLists();
    private final Set<String> given = new HashSet<>();
    private final Set<String> complexes = new HashSet<>();
    private int nodes;

    TfGraphWriter(String name, SourceRef source, OpCatalog catalog) {
        this(name, source, new Inference(catalog), WorkBudget.of(MOST_MADE), false);
    }

    private TfGraphWriter(String name, SourceRef source, Inference inference, WorkBudget made, boolean repeated) {
        this.builder = new GraphBuilder(name, source);
        this.source = source;
        this.inference = inference;
        this.made = made;
        this.repeated = repeated;
    }

    /** The writer of a graph that a node of this one has, of a branch or a body that repeats. */
    TfGraphWriter inner(String name, TfNode node, boolean repeats) {
        return new TfGraphWriter(name, node.source(), inference, made, repeated || repeats);
    }

    /** {@return whether a run may compute the nodes of this graph more than once} */
    boolean isRepeated() {
        return repeated;
    }

    TensorLists lists() {
        return lists;
    }

    /** {@return whether a constant of so many elements may be made that do not stand in the file} */
    boolean mayMake(long elements) {
        return made.spend(elements);
    }

    /** Says that a value holds complex numbers, the parts of each along a last axis more. */
    void markComplex(TfValue value) {
        complexes.add(value.stored());
    }

    boolean isComplex(TfValue value) {
        return complexes.contains(value.stored());
    }

    /** Adds an input; one whose number of axes is not known is declared to have none. */
    TfValue input(String value, KnownType type) {
        builder.input(
                value, new TensorType(type.dtype().orElseThrow(), type.shape().orElse(Shape.SCALAR)));
        operands.put(value, Operand.of(type));
        return TfValue.plain(value, type);
    }

    /** Adds a constant in TensorFlow's order of axes. */
    TfValue constant(String value, Tensor tensor) {
        addConstant(value, tensor);
        return TfValue.plain(value, KnownType.of(tensor.type()));
    }

    private void addConstant(String value, Tensor tensor) {
        operands.put(value, Operand.of(tensor));
        builder.constant(value, tensor);
    }

    /** The tensor of a value that is known beforehand, in TensorFlow's order of axes. */
    Optional<Tensor> constant(TfValue value) {
        return value.second() ? Optional.empty() : constantOf(value.stored());
    }

    /** The tensor of a value of ours that is a constant or known beforehand. */
    Optional<Tensor> constantOf(String stored) {
        return Optional.ofNullable(operand(stored).data());
    }

    /** Adds a constant, if it is not there yet. */
    void constantOnce(String value, Tensor tensor) {
        if (operand(value).data() == null) {
            addConstant(value, tensor);
        }
    }

    private Optional<Integers> constantElements(String stored) {
        return Optional.ofNullable(operand(stored).data()).flatMap(Integers::of);
    }

    /** The known elements of a small vector or scalar of integers. */
    Optional<Integers> integers(TfValue value) {
        return elements.of(value.stored());
    }

    private Operand operand(String stored) {
        return operands.getOrDefault(stored, Operand.of(KnownType.NOTHING));
    }

    /** The type of a value of ours. */
    KnownType type(String stored) {
        return operand(stored).type();
    }

    /** Notes the shape of a value of ours that the description of its operator does not tell. */
    void declare(String stored, Shape shape) {
        Operand known = operand(stored);
        operands.put(stored, new Operand(known.type().withShape(Optional.of(shape)), known.data(), known.sizes()));
    }

    /** A value that one of ours holds, the channels second or last. */
    TfValue value(String name, String stored, boolean second) {
        KnownType type = type(stored);
        Optional<Shape> plain = type.shape()
                .map(shape -> second ? ChannelAxes.ordered(shape, ChannelAxes.toLast(shape.rank())) : shape);
        return new TfValue(name, type.withShape(plain), stored, second);
    }

    /** Notes a constant of quantized values that Clinfer has no type for. */
    TfValue codes(String value, TensorProto tensor, Shape shape) {
        codes.put(value, tensor);
        declare(value, shape);
        return value(value, value, false);
    }

    /** The quantized values that a value is, if it is such a constant. */
    Optional<TensorProto> codes(TfValue value) {
        return Optional.ofNullable(codes.get(value.stored()));
    }

    void node(Node node) {
        if (++nodes > MOST_NODES) {
            throw new GraphException(source, "the network has more than " + MOST_NODES + " operators");
        }
        produced.addAll(node.outputs());
        List<KnownType> types = inference.follow(node, this::operand);
        for (int i = 0; i < types.size(); i++) {
            operands.put(node.outputs().get(i), Operand.of(types.get(i)));
        }
        elements.follow(node).ifPresent(known -> know(node.outputs().get(0), known));
        builder.node(node);
    }

    /** Adds a node of control flow, of whose outputs this is known. */
    void control(Node node, List<KnownType> types) {
        for (int i = 0; i < types.size(); i++) {
            operands.put(node.outputs().get(i), Operand.of(types.get(i)));
        }
        produced.addAll(node.outputs());
        builder.node(node);
    }

    /** Makes a value an output of a graph that a node has, whose outputs need no names. */
    void innerOutput(TfValue value, TfNode node) {
        String held = plain(value, node);
        if (produced.contains(held) && given.add(held)) {
            builder.output(held);
            return;
        }
        String name = freshName(value.name());
        node(new Node(name, "Identity", List.of(held), List.of(name), Map.of(), node.source()));
        builder.output(name);
    }

    /** Adds a node of which nothing is known but what it takes, and gives its values. */
    List<TfValue> opaque(TfNode node, List<TfValue> inputs, int outputs, Opaque.Cause cause, String reason) {
        List<String> names = new ArrayList<>();
        for (int port = 0; port < outputs; port++) {
            String name = new Ref(node.name(), port).toString();
            names.add(produced.contains(name) ? freshName(name) : name);
        }
        List<String> taken = inputs.stream().map(TfValue::stored).toList();
        Opaque opaque = new Opaque(cause, reason, Collections.nCopies(outputs, Optional.empty()));
        String op = Printable.shortened(node.op());
        produced.addAll(names);
        builder.node(Node.opaque(node.name(), op, taken, names, opaque, node.source()));
        return names.stream()
                .map(name -> TfValue.plain(name, KnownType.NOTHING))
                .toList();
    }

    private void know(String stored, Integers known) {
        KnownType type = type(stored);
        DType dtype = type.dtype().orElseThrow();
        if (known.isKnown()) {
            operands.put(stored, Operand.of(known.tensor(dtype)));
        } else if (dtype != DType.BOOL) {
            operands.put(stored, new Operand(type, null, known.sizes()));
        }
    }

    String freshName(String stem) {
        return builder.freshName(stem);
    }

    /** The value of ours that holds a value in TensorFlow's order of axes; a constant if its elements are known. */
    String plain(TfValue value, TfNode reader) {
        Optional<Tensor> computed = constant(value).filter(tensor -> produced.contains(value.stored()));
        if (!value.second() && computed.isEmpty()) {
            return value.stored();
        }
        String known = turned.get(value.name());
        if (known != null) {
            return known;
        }
        String name = produced.contains(value.name()) ? freshName(value.name()) : value.name();
        if (computed.isPresent()) {
            addConstant(name, computed.get());
        } else {
            turn(value.stored(), name, ChannelAxes.toLast(value.rank().orElseThrow()), reader);
        }
        turned.put(value.name(), name);
        return name;
    }

    /** The value of ours that holds a value with the channels second; its number of axes is known. */
    String second(TfValue value, TfNode reader) {
        if (value.second()) {
            return value.stored();
        }
        String key = value.name() + "^second";
        String known = turned.get(key);
        if (known != null) {
            return known;
        }
        String name = freshName(value.name());
        long[] order = ChannelAxes.toSecond(value.rank().orElseThrow());
        Tensor tensor = operand(value.stored()).data();
        if (tensor != null) {
            addConstant(name, permuted(tensor, order));
        } else {
            turn(value.stored(), name, order, reader);
        }
        turned.put(key, name);
        return name;
    }

    /** The value in another data type. */
    TfValue converted(TfValue value, DType to, TfNode reader) {
        String name = freshName(value.name());
        node(new Node(
                name + "/Cast",
                "Cast",
                List.of(value.stored()),
                List.of(name),
                new Params().put("to", to.label()).map(),
                reader.source()));
        return value(name + "^", name, value.second());
    }

    private void turn(String from, String to, long[] order, TfNode reader) {
        node(new Node(
                to + "/Transpose",
                "Transpose",
                List.of(from),
                List.of(to),
                new Params().put("perm", order).map(),
                reader.source()));
    }

    /** The tensor with its axes in another order. */
    static Tensor permuted(Tensor tensor, long[] order) {
        int rank = order.length;
        long[] from = tensor.shape().sizes();
        long[] to = new long[rank];
        long[] strides = new long[rank];
        for (int axis = 0; axis < rank; axis++) {
            to[axis] = from[(int) order[axis]];
            strides[axis] = 1;
            for (int inner = (int) order[axis] + 1; inner < rank; inner++) {
                strides[axis] *= from[inner];
            }
        }
        Tensor result = Tensor.allocate(new TensorType(tensor.dtype(), Shape.of(to)));
        int width = tensor.dtype().bits() / 8;
        ByteBuffer source = tensor.bytes();
        ByteBuffer target = result.bytes();
        long[] coordinates = new long[rank];
        long offset = 0;
        for (int at = 0; at < result.elements(); at++) {
            target.put(at * width, source, (int) offset * width, width);
            for (int axis = rank - 1; axis >= 0; axis--) {
                offset += strides[axis];
                if (++coordinates[axis] < to[axis]) {
                    break;
                }
                offset -= coordinates[axis] * strides[axis];
                coordinates[axis] = 0;
            }
        }
        return result;
    }

    /** Makes a value an output of the graph under the name that TensorFlow has for it. */
    void output(TfValue value, String wanted, TfNode node) {
        String held = value.second() ? plain(value, node) : value.stored();
        if (held.equals(wanted) && produced.contains(wanted)) {
            builder.output(wanted);
            return;
        }
        String name = produced.contains(wanted) || held.equals(wanted) ? freshName(wanted) : wanted;
        node(new Node(wanted, "Identity", List.of(held), List.of(name), new Params().map(), node.source()));
        builder.output(name);
    }

    Graph build() {
        return builder.build();
    }
}
