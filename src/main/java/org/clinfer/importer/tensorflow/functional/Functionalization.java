package org.clinfer.importer.tensorflow.functional;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.clinfer.graph.WorkBudget;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.FunctionDef;
import org.clinfer.importer.tensorflow.proto.GraphDef;
import org.clinfer.importer.tensorflow.proto.NameAttrList;
import org.clinfer.importer.tensorflow.proto.NodeDef;
import org.clinfer.importer.tensorflow.proto.OpDef;

/**
 * Turns the control flow of TensorFlow 1, and that which TensorFlow 2 lowers to it when it freezes a graph, into If and While
 * with functions. What has another form than TensorFlow writes stays as it is.
 */
public final class Functionalization {

    /** The operators that are part of If, While and lists then. */
    public static final Set<String> OPERATORS = Set.of(
            "Enter",
            "Exit",
            "LoopCond",
            "Merge",
            "NextIteration",
            "Switch",
            "TensorArrayCloseV3",
            "TensorArrayGatherV3",
            "TensorArrayReadV3",
            "TensorArrayScatterV3",
            "TensorArraySizeV3",
            "TensorArrayV3",
            "TensorArrayWriteV3",
            NumberedBranches.SWITCH);

    private static final Set<String> FIRST = Set.of("Enter", "Merge", "TensorArrayV3");

    /** Steps from node to node at most. */
    private static final long STEPS = 50_000_000;

    /** The outputs that are not the first, by the operators and the names that functions call them by. */
    private static final Map<String, String> SECOND =
            Map.of("Switch", "output_true", "Merge", "value_index", "TensorArrayV3", "flow");

    /** The number of the output that a function's nodes know by the name of its argument. */
    public interface Ports {
        int port(NodeDef node, String argument, int index);
    }

    private final List<FunctionDef> functions = new ArrayList<>();
    private final WorkBudget budget = WorkBudget.of(STEPS);

    private Functionalization() {}

    /** {@return the same graph with If and While, and so its functions} */
    public static GraphDef of(GraphDef graph, Ports ports) {
        Functionalization all = new Functionalization();
        GraphDef.Builder result = graph.toBuilder();
        all.replaced(graph.getNodeList()).ifPresent(nodes -> result.clearNode().addAllNode(nodes));
        for (int i = 0; i < graph.getLibrary().getFunctionCount(); i++) {
            result.getLibraryBuilder()
                    .setFunction(i, all.replaced(graph.getLibrary().getFunction(i), ports));
        }
        all.functions.forEach(function -> result.getLibraryBuilder().addFunction(function));
        return result.build();
    }

    private static boolean isConcerned(List<NodeDef> nodes) {
        return nodes.stream().anyMatch(node -> FIRST.contains(node.getOp()));
    }

    /** The nodes with If and While in the place of others; empty where there is nothing to replace, or too much. */
    private Optional<List<NodeDef>> replaced(List<NodeDef> given) {
        if (!isConcerned(given)) {
            return Optional.empty();
        }
        NodeMap nodes = new NodeMap(given, budget);
        if (nodes.all().size() != given.size()) {
            return Optional.empty();
        }
        int before = functions.size();
        try {
            new NumberedBranches(nodes).replace();
            TensorArrays.replace(nodes);
            new Loops(nodes, this).replace();
            new Conditions(nodes, this).replace();
            return Optional.of(nodes.all());
        } catch (NotFunctional tooLarge) {
            functions.subList(before, functions.size()).clear();
            return Optional.empty();
        }
    }

    /** A function with its arguments as nodes while they are replaced, and outputs by their numbers. */
    private FunctionDef replaced(FunctionDef function, Ports ports) {
        if (!isConcerned(function.getNodeDefList())) {
            return function;
        }
        Map<String, NodeDef> byName = new HashMap<>();
        function.getNodeDefList().forEach(node -> byName.put(node.getName(), node));
        Set<String> arguments = function.getSignature().getInputArgList().stream()
                .map(OpDef.ArgDef::getName)
                .collect(Collectors.toSet());
        List<NodeDef> nodes = new ArrayList<>();
        arguments.forEach(name -> nodes.add(
                NodeDef.newBuilder().setName(name).setOp("Placeholder").build()));
        for (NodeDef node : function.getNodeDefList()) {
            NodeDef.Builder numbered = node.toBuilder().clearInput();
            node.getInputList().forEach(input -> numbered.addInput(numbered(input, byName, ports)));
            nodes.add(numbered.build());
        }
        Optional<List<NodeDef>> changed = replaced(nodes);
        if (changed.isEmpty()) {
            return function;
        }
        FunctionDef.Builder result = function.toBuilder().clearNodeDef();
        changed.get().stream()
                .filter(node -> !arguments.contains(node.getName()))
                .forEach(result::addNodeDef);
        function.getRetMap().forEach((name, value) -> result.putRet(name, numbered(value, byName, ports)));
        return result.build();
    }

    /** {@code node:argument:index} as {@code node:number}. */
    private static String numbered(String input, Map<String, NodeDef> nodes, Ports ports) {
        String[] parts = input.split(":", -1);
        NodeDef node = nodes.get(parts[0]);
        if (parts.length != 3 || node == null || !parts[2].matches("[0-9]{1,9}")) {
            return input;
        }
        int index = Integer.parseInt(parts[2]);
        boolean isSecond = parts[1].equals(SECOND.get(node.getOp()));
        int port = isSecond ? 1 : SECOND.containsKey(node.getOp()) ? 0 : ports.port(node, parts[1], index);
        return port == 0 ? parts[0] : parts[0] + ":" + port;
    }

    /** Adds a function; an attribute that names it. */
    AttrValue add(FunctionDef function) {
        functions.add(function);
        NameAttrList name = NameAttrList.newBuilder()
                .setName(function.getSignature().getName())
                .build();
        return AttrValue.newBuilder().setFunc(name).build();
    }

    /** A name for a function, which begins with that of its node. */
    String name(String node, String part) {
        return node + "/" + part + "_" + functions.size();
    }

    /** A node that gives a value under the name that it had. */
    static NodeDef alias(String name, String value) {
        return NodeDef.newBuilder()
                .setName(name)
                .setOp("Identity")
                .addInput(value)
                .build();
    }
}
