package org.clinfer.importer.tensorflow.savedmodel;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.tensorflow.functional.DataInputs;
import org.clinfer.importer.tensorflow.proto.FunctionDef;
import org.clinfer.importer.tensorflow.proto.NodeDef;
import org.clinfer.importer.tensorflow.proto.OpDef;
import org.clinfer.text.Printable;
import org.jspecify.annotations.Nullable;

/** The nodes that see each other by their names: those of the graph, or those of a function in one call of it. */
final class CallScope {

    /** A function in one of its calls. */
    private record Called(
            CallScope caller, FunctionDef function, Map<String, Integer> arguments, List<String> inputs) {}

    private final SourceRef source;
    private final String name;
    private final int depth;
    private final Map<String, NodeDef> nodes;
    private final @Nullable Called called;
    private final Map<String, CallScope> calls = new HashMap<>();

    /** The arguments that a loop gives other values in every iteration, as nodes, by their numbers. */
    private final Map<Integer, NodeDef> states = new HashMap<>();

    private CallScope(SourceRef source, String name, int depth, Map<String, NodeDef> nodes, @Nullable Called called) {
        this.source = source;
        this.name = name;
        this.depth = depth;
        this.nodes = nodes;
        this.called = called;
    }

    /** The scope of the graph itself. */
    static CallScope graph(SourceRef source, List<NodeDef> nodes) {
        return new CallScope(source, "", 0, byName(nodes, source), null);
    }

    /**
     * The scope of a function in a call.
     *
     * @param firstInput the input of the call that is the function's first argument
     * @param nodes the function's nodes by their names
     */
    CallScope call(NodeDef call, int firstInput, FunctionDef function, Map<String, NodeDef> nodes) {
        CallScope scope = inner(call, "", firstInput, function, nodes);
        calls.put(call.getName(), scope);
        return scope;
    }

    /**
     * The scope of one of several functions that a node has.
     *
     * @param part which of them it is, as names within it begin
     */
    CallScope inner(NodeDef node, String part, int firstInput, FunctionDef function, Map<String, NodeDef> nodes) {
        List<String> inputs = DataInputs.data(node);
        Called how = new Called(
                this,
                function,
                arguments(function),
                inputs.subList(Math.min(firstInput, inputs.size()), inputs.size()));
        return new CallScope(source, name + node.getName() + "/" + part, depth + 1, nodes, how);
    }

    /** Lets a node stand for an argument, which is no more what the caller gives. */
    void feed(int argument, NodeDef placeholder) {
        states.put(argument, placeholder);
    }

    /** Lets an argument be what the caller gives again. */
    void release(int argument) {
        states.remove(argument);
    }

    /** The node that stands for the argument of a number. */
    Optional<NodeDef> state(int argument) {
        return Optional.ofNullable(states.get(argument));
    }

    /** The node that stands for an argument. */
    Optional<NodeDef> fed(String wanted) {
        return called == null
                ? Optional.empty()
                : Optional.ofNullable(called.arguments.get(wanted)).map(states::get);
    }

    /** The number of results that the function gives. */
    int results() {
        return how().function.getSignature().getOutputArgCount();
    }

    static Map<String, NodeDef> byName(List<NodeDef> nodes, SourceRef source) {
        Map<String, NodeDef> named = new LinkedHashMap<>();
        for (NodeDef node : nodes) {
            if (node.getName().isEmpty() || named.put(node.getName(), node) != null) {
                throw new GraphException(
                        source, "two nodes have the name '" + Printable.shortened(node.getName()) + "'");
            }
        }
        return named;
    }

    /** The call that a node of this scope was found to be. */
    Optional<CallScope> known(NodeDef call) {
        return Optional.ofNullable(calls.get(call.getName()));
    }

    /** The number of calls around this scope. */
    int depth() {
        return depth;
    }

    /** The names of the calls around it, each followed by a slash. */
    String name() {
        return name;
    }

    boolean isFunction() {
        return called != null;
    }

    Iterable<NodeDef> nodes() {
        return nodes.values();
    }

    /** The scope that calls it. */
    CallScope caller() {
        return how().caller;
    }

    /** The input of the call that is an argument of the function, as the caller names it; empty if it is none. */
    Optional<String> argument(String wanted) {
        if (called == null) {
            return Optional.empty();
        }
        Integer index = called.arguments.get(wanted);
        if (index == null) {
            return Optional.empty();
        }
        if (index >= called.inputs.size()) {
            throw malformed("a call of it has no argument '" + Printable.shortened(wanted) + "'");
        }
        return Optional.of(called.inputs.get(index));
    }

    private static Map<String, Integer> arguments(FunctionDef function) {
        Map<String, Integer> arguments = new HashMap<>();
        for (OpDef.ArgDef argument : function.getSignature().getInputArgList()) {
            arguments.put(argument.getName(), arguments.size());
        }
        return arguments;
    }

    /** One of the function's results, as its nodes name it. */
    String result(int port) {
        FunctionDef function = how().function;
        if (port >= function.getSignature().getOutputArgCount()) {
            throw malformed("it has no output " + port);
        }
        String output = function.getSignature().getOutputArg(port).getName();
        String result = function.getRetMap().get(output);
        if (result == null) {
            throw malformed("it does not say what its output '" + Printable.shortened(output) + "' is");
        }
        return result;
    }

    NodeDef node(String wanted) {
        NodeDef node = nodes.get(wanted);
        if (node == null) {
            throw malformed("'" + Printable.shortened(wanted) + "' is the name of no node");
        }
        return node;
    }

    /** {@return whether a function of this name is called here or around it} */
    boolean isIn(String function) {
        for (Called each = called; each != null; each = each.caller.called) {
            if (each.function.getSignature().getName().equals(function)) {
                return true;
            }
        }
        return false;
    }

    private Called how() {
        if (called == null) {
            throw new IllegalStateException("the graph is no function");
        }
        return called;
    }

    GraphException malformed(String message) {
        String where = called == null
                ? ""
                : "function '"
                        + Printable.shortened(called.function.getSignature().getName()) + "'";
        return new GraphException(new SourceRef(source.file(), where), message);
    }
}
