package org.clinfer.importer.tensorflow;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.Params;
import org.clinfer.importer.tensorflow.proto.TensorProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The graph while it is written, and both orders of axes of its values. */
final class GraphWriter {

    /** Nodes at most; an operator may stand for several. */
    private static final int MOST_NODES = 400_000;

    private final GraphBuilder builder;
    private final SourceRef source;
    private final Map<String, Tensor> constants = new HashMap<>();
    private final Map<String, Integers> integers = new HashMap<>();
    private final Map<String, TensorProto> codes = new HashMap<>();
    private final Map<String, String> turned = new HashMap<>();
    private final Set<String> produced = new HashSet<>();
    private int nodes;

    GraphWriter(String name, SourceRef source) {
        this.builder = new GraphBuilder(name, source);
        this.source = source;
    }

    void input(String value, TensorType type) {
        builder.input(value, type);
    }

    /** Adds a constant in TensorFlow's order of axes. */
    Value constant(String value, Tensor tensor) {
        addConstant(value, tensor);
        Integers.of(tensor).ifPresent(known -> integers.put(value, known));
        return Value.plain(value, Optional.of(tensor.dtype()), Optional.of(tensor.shape()));
    }

    private void addConstant(String value, Tensor tensor) {
        constants.put(value, tensor);
        builder.constant(value, tensor);
    }

    /** The tensor of a value that is known beforehand, in TensorFlow's order of axes. */
    Optional<Tensor> constant(Value value) {
        return value.second() ? Optional.empty() : Optional.ofNullable(constants.get(value.stored()));
    }

    /** The known elements of a small vector or scalar of integers. */
    Optional<Integers> integers(Value value) {
        return Optional.ofNullable(integers.get(value.name()));
    }

    void know(Value value, Integers known) {
        integers.put(value.name(), known);
    }

    /** Notes a constant of codes that Clinfer has no type for. */
    void codes(String value, TensorProto tensor) {
        codes.put(value, tensor);
    }

    /** The codes that a value is, if it is such a constant. */
    Optional<TensorProto> codes(Value value) {
        return Optional.ofNullable(codes.get(value.stored()));
    }

    void node(Node node) {
        if (++nodes > MOST_NODES) {
            throw new GraphException(source, "the network has more than " + MOST_NODES + " operators");
        }
        produced.addAll(node.outputs());
        builder.node(node);
    }

    String freshName(String stem) {
        return builder.freshName(stem);
    }

    /** The value of ours that holds a value in TensorFlow's order of axes. */
    String plain(Value value, TfNode reader) {
        if (!value.second()) {
            return value.stored();
        }
        String known = turned.get(value.name());
        if (known != null) {
            return known;
        }
        int rank = value.rank().orElseThrow();
        String name = produced.contains(value.name()) ? freshName(value.name()) : value.name();
        turn(value.stored(), name, Axes.toLast(rank), reader);
        turned.put(value.name(), name);
        return name;
    }

    /** The value of ours that holds a value with the channels second; its number of axes is known. */
    String second(Value value, TfNode reader) {
        if (value.second()) {
            return value.stored();
        }
        String key = value.name() + "^second";
        String known = turned.get(key);
        if (known != null) {
            return known;
        }
        String name = freshName(value.name());
        long[] order = Axes.toSecond(value.rank().orElseThrow());
        Tensor tensor = constants.get(value.stored());
        if (tensor != null) {
            addConstant(name, permuted(tensor, order));
        } else {
            turn(value.stored(), name, order, reader);
        }
        turned.put(key, name);
        return name;
    }

    /** The value in another data type. */
    Value converted(Value value, DType to, TfNode reader) {
        String name = freshName(value.name());
        node(new Node(
                name + "/Cast",
                "Cast",
                List.of(value.stored()),
                List.of(name),
                new Params().put("to", to.label()).map(),
                reader.source()));
        return new Value(name + "^", Optional.of(to), value.shape(), name, value.second());
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
        long[] place = new long[rank];
        long offset = 0;
        for (int at = 0; at < result.elements(); at++) {
            target.put(at * width, source, (int) offset * width, width);
            for (int axis = rank - 1; axis >= 0; axis--) {
                offset += strides[axis];
                if (++place[axis] < to[axis]) {
                    break;
                }
                offset -= place[axis] * strides[axis];
                place[axis] = 0;
            }
        }
        return result;
    }

    /** Makes a value an output of the graph under the name that TensorFlow has for it. */
    void output(Value value, String wanted, TfNode node) {
        String held = plain(value, node);
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
