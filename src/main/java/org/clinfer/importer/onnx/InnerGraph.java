package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.ControlFlow;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.Params;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/** A branch or body as a graph of its own, which a node runs. */
final class InnerGraph {

    private final OnnxGraphWriter outer;
    private final OnnxNode owner;
    private final String stem;
    private final OnnxGraphWriter graph;
    private final List<KnownType> types = new ArrayList<>();
    private final Set<Integer> stacks = new HashSet<>();

    /**
     * @param name what the values of the graph are called after, beside its node
     * @param repeats whether the node runs it more than once
     */
    InnerGraph(OnnxGraphWriter outer, OnnxNode owner, String name, boolean repeats) {
        this.outer = outer;
        this.owner = owner;
        this.stem = owner.name() + "/" + name;
        this.graph = outer.inner(stem, owner.source(), repeats);
    }

    OnnxGraphWriter writer() {
        return graph;
    }

    /** The types of its outputs. */
    List<KnownType> types() {
        return types;
    }

    /** The values of the graph around it that it reads. */
    List<String> captured() {
        return List.copyOf(graph.captured());
    }

    Graph build() {
        return graph.build();
    }

    /** A scalar input of the graph that its file does not declare. */
    String input(String name, DType dtype) {
        return input(name, dtype, KnownType.of(TensorType.of(dtype)));
    }

    /** An input of the graph that its file does not declare, of which this is known. */
    String input(String name, DType dtype, KnownType known) {
        String unique = graph.freshName(stem + "/" + name);
        graph.addInput(unique, dtype, known);
        return unique;
    }

    /** An input of the graph, with what its declaration and the value that it is at first have in common. */
    String input(ValueInfoProto declared, KnownType first) {
        KnownType said = DeclaredTypes.declared(declared);
        DType dtype = first.dtype()
                .or(said::dtype)
                .orElseThrow(() -> owner.unsupportedUse(
                        "a body that takes '" + declared.getName() + "', whose data type is not known"));
        // an empty shape also stands for one that the exporter did not know
        Optional<Shape> shape = said.shape()
                .filter(known -> known.rank() > 0)
                .or(() -> first.shape().map(known -> KnownType.anyShape(known.rank())));
        return input(declared.getName(), dtype, new KnownType(Optional.of(dtype), shape));
    }

    /** Adds the nodes of a branch or body, and what it gives. */
    void write(ControlFlowTranslation around, GraphProto body, List<String> given, ControlFlowTranslation.Site site) {
        List<String> values = around.in(graph).place(body, given, site, stem);
        for (int i = 0; i < values.size(); i++) {
            give(values.get(i), DeclaredTypes.ofValues(body.getOutput(i)));
        }
    }

    /** Adds an output. */
    void give(String value) {
        give(value, KnownType.NOTHING);
    }

    /** @param declared what the file says of its values if it is a sequence */
    private void give(String given, KnownType declared) {
        graph.take(given, owner);
        if (graph.isNothing(given)) {
            throw owner.unsupportedUse("an optional value that data decide");
        }
        String value = new Stack(owner, graph).of(given, declared);
        if (graph.isStack(value)) {
            stacks.add(types.size());
        }
        String output = graph.freshName(value);
        graph.addStep(owner, stem, "Identity", List.of(value), List.of(output), new Params());
        graph.addOutput(output);
        types.add(graph.types().of(value));
    }

    /** {@return whether the output of this number is a sequence} */
    boolean givesStack(int output) {
        return stacks.contains(output);
    }

    /** Says of the outputs of its node which are sequences, the first being that of its output of this number. */
    void markStacks(List<String> outputs, int first) {
        for (int i = 0; i < outputs.size(); i++) {
            if (givesStack(first + i) && !outputs.get(i).isEmpty()) {
                outer.addStack(outputs.get(i), KnownType.NOTHING);
            }
        }
    }

    /**
     * Adds a node to the graph around it that runs this graph in iterations.
     *
     * @param inputs the number of iterations and the condition, or {@code ""}, and the states
     */
    void addLoop(List<String> inputs, List<String> outputs) {
        int states = inputs.size() - 2;
        List<KnownType> given = new ArrayList<>();
        for (int i = 1; i < types.size(); i++) {
            KnownType each = types.get(i).rankOnly();
            given.add(i <= states ? each.and(outer.types().of(inputs.get(1 + i)).rankOnly()) : each.listed());
        }
        List<String> all = new ArrayList<>(inputs);
        all.addAll(captured());
        outer.addControl(
                new Node(
                        owner.name(),
                        ControlFlow.LOOP,
                        all,
                        outputs,
                        Map.of(ControlFlow.STATES, Attribute.of(states)),
                        Map.of(ControlFlow.BODY, build()),
                        owner.source()),
                given);
        markStacks(outputs, 1);
    }
}
