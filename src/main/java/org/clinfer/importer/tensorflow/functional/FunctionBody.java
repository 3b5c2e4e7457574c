package org.clinfer.importer.tensorflow.functional;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.clinfer.importer.tensorflow.proto.FunctionDef;
import org.clinfer.importer.tensorflow.proto.NodeDef;
import org.clinfer.importer.tensorflow.proto.OpDef;

/** The nodes of a function: what its results need of a graph, up to the values that are its arguments. */
final class FunctionBody {

    private final NodeMap graph;
    private final Function<String, Optional<String>> arguments;
    private final Predicate<NodeDef> marks;
    private final Map<String, NodeDef> taken = new LinkedHashMap<>();

    /**
     * @param arguments the name of the argument that a value is, if it is one
     * @param marks the nodes that belong to the function if one of its nodes only waits for them
     */
    FunctionBody(NodeMap graph, Function<String, Optional<String>> arguments, Predicate<NodeDef> marks) {
        this.graph = graph;
        this.arguments = arguments;
        this.marks = marks;
    }

    /** Takes what a value needs; its name in the function. */
    String take(String value) {
        Optional<String> argument = arguments.apply(value);
        if (argument.isPresent()) {
            return argument.get();
        }
        Deque<String> open = new ArrayDeque<>();
        open.push(NodeMap.name(value));
        while (!open.isEmpty()) {
            String name = open.pop();
            if (!taken.containsKey(name)) {
                graph.spend();
                NodeDef node = graph.node(name);
                taken.put(
                        name,
                        node.toBuilder()
                                .clearInput()
                                .addAllInput(inputs(node, open))
                                .build());
            }
        }
        return value;
    }

    private List<String> inputs(NodeDef node, Deque<String> open) {
        List<String> inputs = new ArrayList<>();
        for (String input : node.getInputList()) {
            if (!NodeMap.isControl(input)) {
                Optional<String> argument = arguments.apply(input);
                inputs.add(argument.orElse(input));
                if (argument.isEmpty()) {
                    open.push(NodeMap.name(input));
                }
            } else if (graph.has(input) && marks.test(graph.node(input))) {
                inputs.add(input);
                open.push(NodeMap.name(input));
            }
        }
        return inputs;
    }

    /** The nodes that were taken. */
    List<NodeDef> nodes() {
        return List.copyOf(taken.values());
    }

    /**
     * A function.
     *
     * @param results the values that it gives, by their names in it
     */
    static FunctionDef function(String name, List<String> arguments, Iterable<NodeDef> nodes, List<String> results) {
        OpDef.Builder signature = OpDef.newBuilder().setName(name);
        arguments.forEach(
                argument -> signature.addInputArg(OpDef.ArgDef.newBuilder().setName(argument)));
        FunctionDef.Builder function = FunctionDef.newBuilder().addAllNodeDef(nodes);
        for (int i = 0; i < results.size(); i++) {
            signature.addOutputArg(OpDef.ArgDef.newBuilder().setName("result" + i));
            function.putRet("result" + i, results.get(i));
        }
        return function.setSignature(signature).build();
    }
}
