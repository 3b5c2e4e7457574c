package org.clinfer.ops;

import java.util.Optional;
import org.clinfer.describe.ArgValue;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** A value of a graph under construction: an input, a constant, or an output of a node. */
public final class Edge {

    private final Ops ops;
    private final String name;
    private final @Nullable OpCall producer;
    private final int position;
    private final @Nullable ArgValue value;

    private Edge(Ops ops, String name, @Nullable OpCall producer, int position, @Nullable ArgValue value) {
        this.ops = ops;
        this.name = name;
        this.producer = producer;
        this.position = position;
        this.value = value;
    }

    /** A graph input or a constant. */
    static Edge source(Ops ops, String name, ArgValue value) {
        return new Edge(ops, name, null, 0, value);
    }

    /** An output of a node; its name is chosen when the graph is built. */
    static Edge output(Ops ops, OpCall producer, int position) {
        return new Edge(ops, "", producer, position, null);
    }

    /**
     * The type that the value has, by the descriptions of the operators; dimensions may be named or unknown.
     *
     * @return empty where it depends on elements that only a run knows
     */
    public Optional<TensorType> type() {
        return value().map(ArgValue::type);
    }

    /** The facts known of the value: its type, and its elements where they are. */
    Optional<ArgValue> value() {
        return producer == null ? Optional.ofNullable(value) : producer.value(position);
    }

    /**
     * Names the node that gives this value; reports and messages call it so.
     *
     * @param nodeName the name, unique in the graph
     * @return this value
     * @throws IllegalArgumentException if another node has this name
     * @throws IllegalStateException if the value is a graph input or a constant, or the graph is built
     */
    public Edge named(String nodeName) {
        if (producer == null) {
            throw new IllegalStateException("'" + name + "' is no output of a node");
        }
        ops.name(producer, nodeName);
        return this;
    }

    Ops ops() {
        return ops;
    }

    /** The name of a graph input or constant, or empty. */
    String sourceName() {
        return name;
    }

    @Nullable
    OpCall producer() {
        return producer;
    }

    int position() {
        return position;
    }

    @Override
    public String toString() {
        return producer == null ? name : producer + ", output " + position;
    }
}
