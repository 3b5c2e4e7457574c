package org.clinfer.importer.tfjs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Params;
import org.clinfer.tensor.Tensor;

/** One use of a layer: what its translator asks and where it adds operators. */
final class LayerCall {

    /** The reason why a layer cannot be used that follows one whose output says nothing about its axes. */
    static final String UNKNOWN_RANK = "an input whose number of axes is not known";

    private final Layer layer;
    private final Fields config;
    private final List<Value> inputs;
    private final Context context;
    private final List<Node> nodes = new ArrayList<>();

    /**
     * The context that the calls of a network share, and the place of a call.
     *
     * @param path the names of the networks around the layer, and its own
     * @param output the name of its output
     */
    record Context(GraphWriter graph, Weights weights, Origin origin, List<String> path, String output) {}

    LayerCall(Layer layer, List<Value> inputs, Context context) {
        this.layer = layer;
        this.config = new Fields(layer.config(), layer.source(), "config");
        this.inputs = inputs;
        this.context = context;
    }

    String kind() {
        return layer.kind();
    }

    SourceRef source() {
        return layer.source();
    }

    Fields config() {
        return config;
    }

    Origin origin() {
        return context.origin();
    }

    List<Value> inputs() {
        return inputs;
    }

    /** The one input. */
    Value input() {
        if (inputs.size() != 1) {
            throw malformed("it takes one input, but is given " + inputs.size());
        }
        return inputs.get(0);
    }

    /** The one input, which must have so many axes where that is known. */
    Value input(int rank) {
        Value input = input();
        if (input.rank().isPresent() && input.rank().getAsInt() != rank) {
            throw malformed("its input must have " + rank + " axes, but has "
                    + input.rank().getAsInt());
        }
        return Value.of(input.name(), rank);
    }

    /** The number of axes of a value. */
    int rank(Value value) {
        return value.rank().orElseThrow(() -> unsupportedUse(UNKNOWN_RANK));
    }

    /** Whether the second axis is that of the channels, not the last. */
    boolean isChannelsFirst() {
        return config.choice("data_format", "channels_last", "channels_first").equals("channels_first");
    }

    /** The full name of a weight that the layer must have; {@code number} is its place among the layer's weights. */
    String weightName(String name, int number) {
        return findWeight(name, number)
                .orElseThrow(() -> malformed("its weight '" + name + "' is not in the manifest"));
    }

    /** The full name of a weight, if there is one. */
    Optional<String> findWeight(String name, int number) {
        return context.weights().find(context.path(), name, number, layer.source());
    }

    /** A weight by its full name. */
    Tensor weight(String fullName) {
        return context.weights().read(fullName);
    }

    /** A weight by its full name, with so many axes. */
    Tensor weight(String fullName, int rank) {
        Tensor tensor = weight(fullName);
        if (tensor.shape().rank() != rank) {
            throw malformed("its weight '" + fullName + "' must have " + rank + " axes, but is " + tensor.type());
        }
        return tensor;
    }

    /** Adds a constant that is a weight as it stands, or a step to it, and gives its name. */
    String constant(String value, Supplier<Tensor> tensor) {
        return context.graph().constant(value, tensor);
    }

    /** Adds a constant of this layer. */
    String ownConstant(String name, Supplier<Tensor> tensor) {
        return constant(String.join("/", context.path()) + ":" + name, tensor);
    }

    /** Adds an operator; the rank of its output is that of the input. */
    Value add(String op, Value input, Params params) {
        return add(op, List.of(input.name()), input.rank(), params);
    }

    /** Adds an operator; {@code rank} is that of its output. */
    Value add(String op, List<String> operands, OptionalInt rank, Params params) {
        String output = context.graph().freshName(context.output() + "/" + op);
        nodes.add(new Node(context.output() + "/" + op, op, operands, List.of(output), params.map(), layer.source()));
        return new Value(output, rank);
    }

    Value add(String op, List<String> operands, int rank, Params params) {
        return add(op, operands, OptionalInt.of(rank), params);
    }

    /** Hands the operators on, the last of them under the layer's name, and gives the layer's output under its name. */
    Value finish(Value result) {
        if (nodes.isEmpty() || !nodes.get(nodes.size() - 1).outputs().contains(result.name())) {
            nodes.forEach(context.graph()::node);
            return result;
        }
        Node last = nodes.remove(nodes.size() - 1);
        nodes.forEach(context.graph()::node);
        String name = nodes.isEmpty() ? context.output() : last.name();
        context.graph()
                .node(new Node(
                        name, last.op(), last.inputs(), List.of(context.output()), last.params(), last.source()));
        return new Value(context.output(), result.rank());
    }

    GraphException malformed(String message) {
        return new GraphException(layer.source(), message);
    }

    /** The layer is translated, but not this use of it: {@code layer ReLU with a threshold}. */
    UnsupportedException unsupportedUse(String use) {
        String feature = "layer " + layer.kind() + " with " + use;
        return new UnsupportedException(layer.source(), feature, feature + " is not supported");
    }
}
