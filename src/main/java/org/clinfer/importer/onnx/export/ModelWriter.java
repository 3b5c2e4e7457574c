package org.clinfer.importer.onnx.export;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.importer.Params;
import org.clinfer.importer.onnx.OnnxElementTypes;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Collects the nodes of one ONNX file and the constants that they read. */
final class ModelWriter {

    /** Has axes of reductions as inputs. Files of format version 8 have it. */
    private static final int OPSET = 18;

    private final Graph graph;
    private final @Nullable ModelWriter outer;
    private final List<NodeProto> nodes = new ArrayList<>();
    private final Map<String, Tensor> made = new HashMap<>();
    private final Set<String> names;
    private final NodeNames nodeNames;
    private final Set<String> read = new HashSet<>();
    private final Set<String> readInside = new LinkedHashSet<>();
    private int opset = OPSET;

    ModelWriter(Graph graph) {
        this(graph, null);
    }

    private ModelWriter(Graph graph, @Nullable ModelWriter outer) {
        this.graph = graph;
        this.outer = outer;
        this.names = outer == null ? new HashSet<>() : outer.names;
        this.nodeNames = outer == null ? new NodeNames(graph) : outer.nodeNames;
        addNames(graph);
        graph.nodes().forEach(node -> read.addAll(node.inputs()));
        read.addAll(graph.outputs());
    }

    /** Names are unique in a file, those of its branches and bodies included. */
    private void addNames(Graph from) {
        from.inputs().forEach(input -> names.add(input.name()));
        names.addAll(from.constants().keySet());
        for (Node node : from.nodes()) {
            names.addAll(node.outputs());
            node.bodies().values().forEach(this::addNames);
        }
    }

    /** The writer of a branch or body. */
    ModelWriter inner(Graph body) {
        return new ModelWriter(body, this);
    }

    /** {@return whether a node or the caller reads a value of the graph} */
    boolean isRead(String value) {
        return read.contains(value);
    }

    /** {@return whether all that read a value take as many of its first elements along an axis as another value says} */
    boolean isCut(String value, String count, int axis) {
        Map<String, Attribute> first = new Params()
                .put("starts", new long[] {0})
                .put("axes", new long[] {axis})
                .map();
        return !graph.outputs().contains(value)
                && graph.nodes().stream()
                        .filter(node -> node.inputs().contains(value))
                        .allMatch(node -> node.op().equals("Slice")
                                && node.inputs().equals(List.of(value, "", count))
                                && node.params().equals(first));
    }

    List<NodeProto> nodes() {
        return nodes;
    }

    /** The operator set that the nodes need. */
    int opset() {
        return opset;
    }

    /** Says that a node is of this operator set or later. */
    void requireOpset(int version) {
        opset = Math.max(opset, version);
        if (outer != null) {
            outer.requireOpset(version);
        }
    }

    /** Says that there are values of this type. */
    void require(DType dtype) {
        switch (dtype) {
            case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ -> requireOpset(19);
            case INT4, UINT4 -> requireOpset(21);
            case BFLOAT16 -> requireOpset(22);
            case FLOAT8E8M0 -> requireOpset(24);
            case FLOAT4E2M1 -> requireOpset(23);
            case INT2, UINT2 -> requireOpset(25);
            default -> requireOpset(OPSET);
        }
    }

    /** The value, if it is a constant, of the graph or added here. */
    Optional<Tensor> constant(String value) {
        Tensor tensor = made.get(value);
        return Optional.ofNullable(tensor == null ? graph.constants().get(value) : tensor);
    }

    String freshName(String stem) {
        String name = stem;
        for (int i = 1; !names.add(name); i++) {
            name = stem + "_" + i;
        }
        return name;
    }

    /** Writes the node that a canonical one is, with its first output. */
    void add(Use use, String op, List<String> inputs, AttributeWriter attributes) {
        add(use, op, inputs, List.of(use.output()), attributes);
    }

    void add(Use use, String op, List<String> inputs, List<String> outputs, AttributeWriter attributes) {
        node(use.name(), op, inputs, outputs, attributes);
    }

    /** Writes a node that is part of what a canonical one is; the result is the name of its output. */
    String step(Use use, String op, List<String> inputs, AttributeWriter attributes) {
        String output = freshName(use.output() + "/" + op);
        write(nodeNames.ofStep(output), op, inputs, List.of(output), attributes);
        return output;
    }

    String step(Use use, String op, String... inputs) {
        return step(use, op, Arrays.asList(inputs), new AttributeWriter());
    }

    void node(String name, String op, List<String> inputs, List<String> outputs, AttributeWriter attributes) {
        write(nodeNames.of(name), op, inputs, outputs, attributes);
    }

    private void write(String name, String op, List<String> inputs, List<String> outputs, AttributeWriter attributes) {
        int size = inputs.size();
        while (size > 0 && inputs.get(size - 1).isEmpty()) {
            size--;
        }
        nodes.add(NodeProto.newBuilder()
                .setName(name)
                .setOpType(op)
                .addAllInput(inputs.subList(0, size))
                .addAllOutput(outputs)
                .addAllAttribute(attributes.list())
                .build());
    }

    /** Adds a constant of this name, which nothing else has. */
    void constant(String name, Tensor tensor) {
        names.add(name);
        made.put(name, tensor);
    }

    /** Adds a constant; the result is its name. */
    String add(Use use, String what, Tensor tensor) {
        String name = freshName(use.output() + "/" + what);
        made.put(name, tensor);
        return name;
    }

    String scalar(Use use, double value, DType dtype) {
        return add(use, "value", Tensors.scalar(value, dtype));
    }

    String vector(Use use, String what, long... values) {
        return add(use, what, Tensors.vector(values));
    }

    /** An input of int64 elements, or the parameter that stands in its place; {@code ""} if there is neither. */
    String integers(Use use, int input, String param) {
        if (use.hasInput(input)) {
            use.ignore(param);
            return asType(use, input, DType.INT64);
        }
        return use.integers(param).map(values -> vector(use, param, values)).orElse("");
    }

    /** Adds a vector of float32. */
    String reals(Use use, String what, double... values) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, values.length);
        for (int i = 0; i < values.length; i++) {
            tensor.setDouble(i, values[i]);
        }
        return add(use, what, tensor);
    }

    /** An input whose elements have this type. */
    String asType(Use use, int input, DType dtype) {
        String value = use.input(input);
        if (use.knownDtype(input).filter(dtype::equals).isPresent()) {
            return value;
        }
        Optional<Tensor> constant = constant(value);
        return constant.isPresent()
                ? add(use, "converted", constant.get().to(dtype))
                : step(use, "Cast", List.of(value), new AttributeWriter().put("to", (long)
                                OnnxElementTypes.number(dtype)));
    }

    /** A value with its axes in another order; a constant becomes another constant. */
    String permuted(Use use, String value, int... perm) {
        Optional<Tensor> constant = constant(value);
        if (constant.isPresent()) {
            return add(use, "weights", Tensors.permuted(constant.get(), perm));
        }
        long[] order = Arrays.stream(perm).asLongStream().toArray();
        return step(use, "Transpose", List.of(value), new AttributeWriter().put("perm", order));
    }

    /** A value with another shape, of which one size may be -1; a constant becomes another constant. */
    String reshaped(Use use, String value, long... sizes) {
        Optional<Tensor> constant = constant(value);
        if (constant.isEmpty()) {
            return step(use, "Reshape", value, vector(use, "shape", sizes));
        }
        long known = Arrays.stream(sizes).filter(size -> size >= 0).reduce(1, (a, b) -> a * b);
        long[] all = Arrays.stream(sizes)
                .map(size -> size >= 0 ? size : constant.get().elements() / Math.max(known, 1))
                .toArray();
        return add(use, "weights", Tensors.reshaped(constant.get(), all));
    }

    /**
     * The constants that the nodes and the outputs of the graph read, in the order of their first use; a branch or body
     * leaves those that the graph around it has too to that graph.
     */
    Map<String, Tensor> usedConstants() {
        Map<String, Tensor> used = new LinkedHashMap<>();
        nodes.forEach(node -> node.getInputList().forEach(input -> use(input, used)));
        readInside.forEach(input -> use(input, used));
        graph.outputs().forEach(output -> use(output, used));
        return used;
    }

    private void use(String value, Map<String, Tensor> used) {
        if (outer != null && !made.containsKey(value) && outer.has(value)) {
            outer.readInside.add(value);
        } else {
            constant(value).ifPresent(tensor -> used.put(value, tensor));
        }
    }

    private boolean has(String value) {
        return graph.constants().containsKey(value) || (outer != null && outer.has(value));
    }
}
