package org.clinfer.importer.tensorflow.savedmodel;

import com.google.protobuf.ByteString;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.WorkBudget;
import org.clinfer.importer.tensorflow.functional.DataInputs;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.FunctionDef;
import org.clinfer.importer.tensorflow.proto.MetaGraphDef;
import org.clinfer.importer.tensorflow.proto.NameAttrList;
import org.clinfer.importer.tensorflow.proto.NodeDef;
import org.clinfer.importer.tensorflow.proto.TensorProto;
import org.clinfer.text.Printable;

/** The graph and the functions that it calls, each call by itself, and which node gives what another one reads. */
final class CallTree {

    /** {@code node}, {@code node:1}, or in functions {@code node:argument:1}. */
    private static final Pattern FORM = Pattern.compile("([^:^]+)(?::([A-Za-z_][^:]*))?(?::([0-9]{1,6}))?");

    private static final Set<String> CALLS = Set.of("PartitionedCall", "StatefulPartitionedCall");
    private static final Set<String> CONDITIONS = Set.of("If", "StatelessIf");
    private static final Set<String> CASES = Set.of("Case", "StatelessCase");
    private static final Set<String> LOOPS = Set.of("While", "StatelessWhile");

    private static final int MOST_CALLS_DEEP = 128;
    private static final int MOST_ALIASES = 1000;

    /** Conditions, bodies and branches at most, in all calls; loops that have others twice become many. */
    private static final int MOST_INNER = 20_000;

    /** Steps from value to value at most, in all. */
    private static final long STEPS = 50_000_000;

    private final CallScope main;
    private final Library library;
    private final Map<String, NodeDef> feeds = new HashMap<>();
    private final Set<NodeDef> placeholders = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<NodeOutput.Place, ControlScopes> control = new HashMap<>();
    private final WorkBudget budget = WorkBudget.of(STEPS);
    private int innerScopes;

    CallTree(MetaGraphDef meta, SourceRef source) {
        this.main = CallScope.graph(source, meta.getGraphDef().getNodeList());
        this.library = new Library(meta, source);
    }

    CallScope main() {
        return main;
    }

    /** Lets a node stand for an output of the graph that is fed from outside. */
    void feed(String output, NodeDef placeholder) {
        feeds.put(output.contains(":") ? output : output + ":0", placeholder);
        placeholders.add(placeholder);
    }

    boolean isFeed(NodeOutput origin) {
        return placeholders.contains(origin.node());
    }

    /** The node that gives what a node of a scope reads under this name. */
    NodeOutput resolve(CallScope from, String input) {
        CallScope scope = from;
        String wanted = input;
        while (true) {
            spend(scope);
            Optional<NodeDef> fed = scope.fed(wanted);
            if (fed.isPresent()) {
                return new NodeOutput(scope, fed.get(), 0);
            }
            Optional<String> argument = scope.argument(wanted);
            if (argument.isPresent()) {
                wanted = argument.get();
                scope = scope.caller();
                continue;
            }
            NodeOutput origin = output(scope, wanted);
            if (isFeed(origin)) {
                return origin;
            }
            Optional<String> passed = passed(origin);
            if (passed.isPresent()) {
                wanted = passed.get();
                continue;
            }
            Optional<CallScope> called = called(scope, origin.node());
            if (called.isEmpty()) {
                return origin;
            }
            scope = called.get();
            wanted = scope.result(origin.port());
        }
    }

    private void spend(CallScope scope) {
        if (!budget.spend(1)) {
            throw scope.malformed("values are passed on more often than " + budget.limit() + " times; the property "
                    + WorkBudget.PROPERTY + " allows more");
        }
    }

    private NodeOutput output(CallScope scope, String wanted) {
        Matcher form = FORM.matcher(wanted);
        if (!form.matches()) {
            throw scope.malformed("'" + Printable.shortened(wanted) + "' is no name of a node's output");
        }
        int index = form.group(3) == null ? 0 : Integer.parseInt(form.group(3));
        NodeDef fed = scope.isFunction() ? null : feeds.get(form.group(1) + ":" + index);
        if (fed != null) {
            return new NodeOutput(scope, fed, 0);
        }
        NodeDef node = scope.node(form.group(1));
        String argument = form.group(2);
        return new NodeOutput(scope, node, argument == null ? index : library.port(node, argument, index));
    }

    /** The same beyond nodes that only pass a value on. */
    NodeOutput beyondAliases(NodeOutput origin) {
        NodeOutput at = origin;
        for (int i = 0;
                i < MOST_ALIASES && DataInputs.ALIASES.contains(at.node().getOp());
                i++) {
            Optional<String> input = DataInputs.data(at.node(), 0);
            if (input.isEmpty()) {
                return at;
            }
            at = resolve(at.scope(), input.get());
        }
        return at;
    }

    /** The function that a node calls, as a scope; empty where it calls none. */
    Optional<CallScope> called(CallScope scope, NodeDef node) {
        Optional<CallScope> known = scope.known(node);
        if (known.isPresent()) {
            return known;
        }
        if (library.function(node.getOp()).isPresent()) {
            return Optional.of(call(scope, node, node.getOp(), 0));
        }
        if (CALLS.contains(node.getOp())) {
            return Optional.of(call(scope, node, function(node, "f"), 0));
        }
        List<String> branches = branches(node);
        return branches.isEmpty()
                ? Optional.empty()
                : chosen(scope, node, branches.size()).map(number -> call(scope, node, branches.get(number), 1));
    }

    /** The functions among which a node chooses by a number, those of a condition from false to true; empty for other nodes. */
    private static List<String> branches(NodeDef node) {
        if (CONDITIONS.contains(node.getOp())) {
            return List.of(function(node, "else_branch"), function(node, "then_branch"));
        }
        return CASES.contains(node.getOp())
                ? node.getAttrOrDefault("branches", AttrValue.getDefaultInstance()).getList().getFuncList().stream()
                        .map(NameAttrList::getName)
                        .toList()
                : List.of();
    }

    /** The input of a loop that a value is, as its scope names it, since no iteration changes it. */
    private Optional<String> passed(NodeOutput origin) {
        return LOOPS.contains(origin.node().getOp())
                ? control(origin)
                        .flatMap(loop -> loop.passed(origin.port()))
                        .flatMap(i -> DataInputs.data(origin.node(), i))
                : Optional.empty();
    }

    /** The functions of a node of control flow which data decide; empty where it is no such node. */
    Optional<ControlScopes> control(NodeOutput origin) {
        NodeDef node = origin.node();
        boolean isLoop = LOOPS.contains(node.getOp());
        if (isFeed(origin) || (!isLoop && branches(node).size() < 2)) {
            return Optional.empty();
        }
        ControlScopes known = control.get(origin.place());
        if (known == null) {
            known = isLoop ? loop(origin.scope(), node) : branches(origin.scope(), node);
            control.put(origin.place(), known);
        }
        return Optional.of(known);
    }

    /** A number chooses the first branch if it is 0, and one of the others if not. */
    private ControlScopes branches(CallScope scope, NodeDef node) {
        List<String> branches = branches(node);
        CallScope others = branches.size() == 2
                ? inner(scope, node, branches.get(1), "then/", 1)
                : inner(scope, node, rest(scope, node, branches), "then/", 0);
        return ControlScopes.branches(others, inner(scope, node, branches.get(0), "else/", 1));
    }

    /** The name of the function that chooses among the branches after the first. */
    private String rest(CallScope scope, NodeDef node, List<String> branches) {
        if (branches.size() > MOST_CALLS_DEEP) {
            throw scope.malformed("node '" + Printable.shortened(node.getName()) + "' has " + branches.size()
                    + " branches, more than " + MOST_CALLS_DEEP);
        }
        int results = function(scope, node, branches.get(0)).getSignature().getOutputArgCount();
        String name = "rest of " + DataInputs.data(node).size() + ", " + results + ", " + branches;
        library.add(CaseRest.of(name, node, results));
        return name;
    }

    private ControlScopes loop(CallScope scope, NodeDef node) {
        ControlScopes loop = ControlScopes.loop(
                node,
                inner(scope, node, function(node, "cond"), "cond/", 0),
                inner(scope, node, function(node, "body"), "body/", 0));
        int states = loop.states().size();
        requireResults(loop.first(), "condition of a loop", 1);
        requireResults(loop.second(), "body of a loop over " + states + " values", states);
        placeholders.addAll(loop.placeholders());
        List<Integer> same = IntStream.range(0, states)
                .filter(i -> isSame(loop.second(), i))
                .boxed()
                .toList();
        same.forEach(loop::fix);
        return loop;
    }

    private static void requireResults(CallScope function, String use, int count) {
        if (function.results() != count) {
            throw function.malformed("it is the " + use + " and gives " + function.results() + " results");
        }
    }

    /** {@return whether a body gives an argument as it is} */
    private boolean isSame(CallScope body, int argument) {
        NodeDef given = beyondAliases(resolve(body, body.result(argument))).node();
        return body.state(argument).filter(given::equals).isPresent();
    }

    private static String function(NodeDef node, String attribute) {
        return node.getAttrOrDefault(attribute, AttrValue.getDefaultInstance())
                .getFunc()
                .getName();
    }

    private CallScope call(CallScope scope, NodeDef node, String name, int firstInput) {
        FunctionDef function = function(scope, node, name);
        return scope.call(node, firstInput, function, library.body(function));
    }

    /** The scope of one of several functions of a node. */
    private CallScope inner(CallScope scope, NodeDef node, String name, String part, int firstInput) {
        if (++innerScopes > MOST_INNER) {
            throw main.malformed("it has more than " + MOST_INNER
                    + " functions of conditions and loops, each call counted by itself");
        }
        FunctionDef function = function(scope, node, name);
        return scope.inner(node, part, firstInput, function, library.body(function));
    }

    private FunctionDef function(CallScope scope, NodeDef node, String name) {
        FunctionDef function = library.function(name)
                .orElseThrow(() -> scope.malformed("node '" + Printable.shortened(node.getName())
                        + "' calls the function '" + Printable.shortened(name) + "', which there is not"));
        if (scope.isIn(name)) {
            throw scope.malformed("the function '" + Printable.shortened(name) + "' calls itself");
        }
        if (scope.depth() >= MOST_CALLS_DEEP) {
            throw scope.malformed("calls of functions are more than " + MOST_CALLS_DEEP + " deep");
        }
        return function;
    }

    /**
     * The number of the branch that is taken; empty where it is not known beforehand. Of a Case with a number that no branch has,
     * it is the last one.
     */
    private Optional<Integer> chosen(CallScope scope, NodeDef node, int branches) {
        if (branches == 1) {
            return Optional.of(0);
        }
        return DataInputs.data(node, 0)
                .map(input -> beyondAliases(resolve(scope, input)).node())
                .filter(origin -> origin.getOp().equals("Const"))
                .map(origin -> origin.getAttrOrDefault("value", AttrValue.getDefaultInstance())
                        .getTensor())
                .filter(value -> value.getTensorShape().getDimCount() == 0)
                .flatMap(CallTree::number)
                .map(number -> number >= 0 && number < branches ? number : branches - 1);
    }

    private static Optional<Integer> number(TensorProto value) {
        if (value.getBoolValCount() == 1) {
            return Optional.of(value.getBoolVal(0) ? 1 : 0);
        }
        if (value.getIntValCount() == 1) {
            return Optional.of(value.getIntVal(0));
        }
        ByteString content = value.getTensorContent();
        return switch (content.size()) {
            case 1 -> Optional.of(content.byteAt(0) == 0 ? 0 : 1);
            case Integer.BYTES ->
                Optional.of(content.asReadOnlyByteBuffer()
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .getInt());
            default -> Optional.empty();
        };
    }
}
