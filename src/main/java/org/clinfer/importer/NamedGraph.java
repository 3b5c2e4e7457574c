package org.clinfer.importer;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;

/** The graph while it is written, and the names in it that are taken. */
public final class NamedGraph {

    private final GraphBuilder builder;
    private final SourceRef source;
    private final Set<String> produced = new HashSet<>();
    private final Set<String> taken = new HashSet<>();
    private final Set<String> operands = new HashSet<>();
    private final Set<String> inputs = new HashSet<>();
    private final Map<String, Tensor> constants = new HashMap<>();
    private final Map<String, String> shared = new HashMap<>();
    private int nodes;

    private final Inference inference;

    /**
     * @param name the name of the network
     * @param source the file
     * @param catalog the operators there are
     */
    public NamedGraph(String name, SourceRef source, OpCatalog catalog) {
        this.builder = new GraphBuilder(name, source);
        this.source = source;
        this.inference = new Inference(catalog);
    }

    /** Adds an input, which may have other sizes in a run. */
    public void input(String value, TensorType type) {
        taken.add(value);
        inputs.add(value);
        builder.resizableInput(value, type);
    }

    /** Adds an input whose known sizes are those of every run. */
    public void fixedInput(String value, TensorType type) {
        fixedInput(value, type, Optional.empty());
    }

    /**
     * Adds an input whose known sizes are those of every run.
     *
     * @param usual the sizes that it has where the type leaves some open and nothing else is said
     */
    public void fixedInput(String value, TensorType type, Optional<Shape> usual) {
        taken.add(value);
        inputs.add(value);
        builder.input(value, type, usual);
    }

    /** Keeps a name from {@link #freeName}. */
    public void reserve(String name) {
        taken.add(name);
    }

    /** A name that nobody has: the wanted one, or one like it. */
    public String freeName(String wanted) {
        String name = wanted;
        while (!taken.add(name)) {
            name = builder.freshName(wanted);
        }
        return name;
    }

    /** Adds a constant under a name like the one that is wanted, and gives its name. */
    public String constant(String wanted, Tensor value) {
        String name = freeName(wanted);
        constants.put(name, value);
        builder.constant(name, value);
        return name;
    }

    /**
     * Adds a constant that a caller may supply instead, so that nothing may be made of its elements here.
     *
     * @param type that what is supplied has, whose sizes may be open
     */
    Value defaultInput(String wanted, Tensor value, TensorType type) {
        String name = freeName(wanted);
        builder.constant(name, value);
        builder.defaultInput(name, type);
        return new Value(name, type);
    }

    /** The constant that was added for this name; the first time it is made. */
    Value shared(String wanted, Supplier<Tensor> value) {
        String name = shared.computeIfAbsent(wanted, none -> constant(wanted, value.get()));
        return new Value(name, Objects.requireNonNull(constants.get(name)).type());
    }

    /** The constants by their names. */
    public Map<String, Tensor> constants() {
        return constants;
    }

    /**
     * The types of a node's outputs.
     *
     * @throws GraphException if the operator does not take these operands and parameters
     */
    List<TensorType> types(Node node, List<Value> operands) {
        return inference.types(node, operands.stream().map(Value::type).toList(), constants);
    }

    /** Adds an operator. */
    public void node(Node node) {
        nodes++;
        produced.addAll(node.outputs());
        operands.addAll(node.inputs());
        builder.node(node);
    }

    /** The number of operators. */
    public int size() {
        return nodes;
    }

    /** {@return whether an operator takes the value} */
    public boolean isTaken(String value) {
        return operands.contains(value);
    }

    /**
     * Makes a value an output of the graph, by its own name if an operator gives it and the wanted one is not free for another
     * name of it.
     */
    public void output(String value, String wanted) {
        boolean free = !produced.contains(wanted) && !inputs.contains(wanted);
        if (produced.contains(value) && (value.equals(wanted) || !free)) {
            builder.output(value);
            return;
        }
        SourceRef output = new SourceRef(source.file(), "output '" + Printable.shortened(wanted) + "'");
        String name = free ? wanted : freeName(wanted + "_output");
        Map<String, Attribute> none = Map.of();
        builder.node(new Node(name, "Identity", List.of(value), List.of(name), none, output));
        builder.output(name);
    }

    /** Makes a value an output under a name of its own. */
    public void give(Value value) {
        output(value.name(), freeName(value.name()));
    }

    /** A value that this graph takes under the same name as the graph around it has; constants are its own. */
    public Value take(Value value, NamedGraph around) {
        Optional<Tensor> elements = Optional.ofNullable(around.constants.get(value.name()));
        if (elements.isPresent()) {
            return new Value(constant(value.name(), elements.get()), value.type());
        }
        input(value.name(), value.type());
        return value;
    }

    /** The graph that was written. */
    public Graph build() {
        return builder.build();
    }
}
