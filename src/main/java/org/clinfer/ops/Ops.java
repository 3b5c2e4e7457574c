package org.clinfer.ops;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.NodeBinder;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Builds a graph from operators with typed fields.
 *
 * <pre>{@code
 * Ops ops = Ops.graph("edges");
 * Edge image = ops.input("image", TensorType.of(DType.FLOAT32, 1, 3, 224, 224));
 * Edge weights = ops.constant("weights", tensor);
 * Edge y = ops.conv2d(image, weights).strides(2, 2).padMode(PadMode.SAME).named("conv1").y();
 * ops.output("scores", ops.relu(y));
 * Graph graph = ops.build();
 * }</pre>
 *
 * <p>An operator without parameters and optional inputs is a method that gives its output. Any other is a method with what
 * must be given, and the optional fields follow as methods; a method named after an output ends the call. Each use of an
 * operator is bound to its description as it is added: one that does not take its inputs and parameters is refused at
 * once, and the {@linkplain Edge#type types} of what it gives are known. For one thread.
 */
public final class Ops extends OperatorMethods {

    private final String file;
    private final GraphBuilder builder;
    private final NodeBinder binder;
    private final Set<String> valueNames = new HashSet<>();
    private final Set<String> nodeNames = new HashSet<>();
    private final List<OpCall> calls = new ArrayList<>();
    private final Map<String, Edge> outputs = new LinkedHashMap<>();
    private boolean built;

    private Ops(String name, OpCatalog catalog) {
        this.file = "graph '" + name + "'";
        this.builder = new GraphBuilder(name, new SourceRef(file, ""));
        this.binder = new NodeBinder(catalog);
    }

    /**
     * {@return a new graph of this name}
     *
     * @param name the name of the graph, which reports show
     */
    public static Ops graph(String name) {
        return graph(name, List.of());
    }

    /**
     * {@return a new graph of this name, which may use operators of one's own as well, see {@link #op}}
     *
     * @param name the name of the graph, which reports show
     * @param folders of their descriptions ({@code .json}) and kernels ({@code .cl})
     * @throws org.clinfer.errors.BadInputException if one of them cannot be read
     */
    public static Ops graph(String name, List<Path> folders) {
        OpCatalog all = OpCatalog.builtIn();
        for (Path folder : folders) {
            all = all.with(folder);
        }
        return graph(name, all);
    }

    /**
     * {@return a new graph of this name; for packages of Clinfer, which alone see the type of a catalogue}
     *
     * @param name the name of the graph, which reports show
     * @param catalog the operators there are, among them a user's own, see {@link #op}
     */
    public static Ops graph(String name, OpCatalog catalog) {
        return new Ops(name, catalog);
    }

    /**
     * {@return a value that the caller of a run supplies}
     *
     * @param name the name by which a run is given the value
     * @param type its type; the shape is that of every run, dimensions may be named
     * @throws IllegalArgumentException if the graph has a value of this name
     */
    public Edge input(String name, TensorType type) {
        define(name);
        builder.input(name, type);
        return Edge.source(this, name, ArgValue.of(type));
    }

    /**
     * {@return a value that the caller of a run supplies, perhaps in other sizes than those of the type}
     *
     * @param name the name by which a run is given the value
     * @param type its type; sizes are those that it has if a run says nothing else
     * @throws IllegalArgumentException if the graph has a value of this name
     */
    public Edge resizableInput(String name, TensorType type) {
        define(name);
        builder.resizableInput(name, type);
        return Edge.source(this, name, ArgValue.of(type));
    }

    /**
     * {@return a value that is known beforehand, such as weights} The tensor stays the caller's and must stay open as
     * long as the model that is loaded from the graph.
     *
     * @param name the name of the value
     * @param value its elements
     * @throws IllegalArgumentException if the graph has a value of this name
     */
    public Edge constant(String name, Tensor value) {
        define(name);
        builder.constant(name, value);
        return Edge.source(this, name, ArgValue.of(value));
    }

    /**
     * Makes a value one that a run gives.
     *
     * @param name its name in the result
     * @param value the value
     * @return this graph
     * @throws IllegalArgumentException if the graph has another value of this name
     */
    public Ops output(String name, Edge value) {
        owned(value);
        boolean same = value.sourceName().equals(name) && !outputs.containsKey(name);
        if (!same) {
            define(name);
        }
        outputs.put(name, value);
        return this;
    }

    /**
     * {@return the graph with everything that its outputs need; this object is then used up}
     *
     * @throws org.clinfer.graph.GraphException if the graph is not sound, for example has no output
     */
    public Graph build() {
        requireOpen();
        built = true;
        return new GraphAssembly(builder, valueNames, nodeNames).assemble(calls, outputs);
    }

    @Override
    Ops self() {
        return this;
    }

    @Override
    Edge direct(String op, List<Edge> inputs) {
        OpCall call = new OpCall(op);
        for (Edge input : inputs) {
            call.inputs().put(call.inputs().size(), owned(input));
        }
        Edge output = Edge.output(this, call, 0);
        call.outputs().put(0, output);
        add(call);
        return output;
    }

    /**
     * {@return a use of an operator by its name: one of a user's own, or one that is chosen when the program runs}
     *
     * @param op the operator, as its description calls it ({@code optype})
     * @param inputs in the order of its description
     */
    public NamedOp op(String op, Edge... inputs) {
        int needed = binder.catalog()
                .find(op)
                .map(found -> (int) found.outputs().stream()
                        .filter(output -> !output.optional() && !output.variadic())
                        .count())
                .orElse(0);
        return new NamedOp(this, op, needed).inputs(0, List.of(inputs));
    }

    void add(OpCall call) {
        requireOpen();
        bind(call, calls.size());
        calls.add(call);
    }

    /** Binds a use of an operator that has more outputs now. */
    void rebind(OpCall call) {
        bind(call, calls.indexOf(call));
    }

    private void bind(OpCall call, int position) {
        call.bind(binder, new SourceRef(file, "node " + position + " (" + call.op() + ")"));
    }

    void name(OpCall call, String name) {
        requireOpen();
        if (name.isEmpty()) {
            throw new IllegalArgumentException("the name of a node is empty");
        }
        if (!name.equals(call.name()) && !nodeNames.add(name)) {
            throw new IllegalArgumentException("there is a node '" + name + "' already");
        }
        if (!name.equals(call.name())) {
            nodeNames.remove(call.name());
        }
        call.rename(name);
    }

    /** The edge, if it belongs to this graph. */
    Edge owned(Edge edge) {
        if (edge.ops() != this) {
            throw new IllegalArgumentException("'" + edge + "' belongs to another graph");
        }
        return edge;
    }

    private void define(String name) {
        requireOpen();
        if (name.isEmpty()) {
            throw new IllegalArgumentException("the name of a value is empty");
        }
        if (!valueNames.add(name)) {
            throw new IllegalArgumentException("there is a value '" + name + "' already");
        }
    }

    private void requireOpen() {
        if (built) {
            throw new IllegalStateException("the graph is built already");
        }
    }
}
