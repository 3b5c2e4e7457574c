package org.clinfer.importer.tensorflow.functional;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.NodeDef;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of a graph: Switch passes a value to one of two branches, and Merge gives the value of the branch that has
 * one. Conditions within branches become functions first.
 */
final class Conditions {

    private static final int MOST_DEEP = 64;

    private final NodeMap graph;
    private final Functionalization functions;
    private final Map<String, List<String>> scopes = new LinkedHashMap<>();
    private final Set<String> begun = new HashSet<>();

    Conditions(NodeMap graph, Functionalization functions) {
        this.graph = graph;
        this.functions = functions;
        Set<String> counted = new HashSet<>();
        for (NodeDef node : graph.all()) {
            NodeMap.data(node).stream()
                    .filter(input -> NodeMap.isPort(input, 1))
                    .map(NodeMap::name)
                    .forEach(counted::add);
        }
        // the number of the branch, which a Merge gives besides, is no result of an If
        for (NodeDef merge : graph.all(node -> node.getOp().equals("Merge"))) {
            if (!counted.contains(merge.getName()) && !isOfLoop(merge)) {
                scopes.computeIfAbsent(scope(merge.getName()), none -> new ArrayList<>())
                        .add(merge.getName());
            }
        }
    }

    private boolean isOfLoop(NodeDef merge) {
        return NodeMap.data(merge).stream()
                .filter(graph::has)
                .anyMatch(input -> graph.node(input).getOp().equals("Enter"));
    }

    /** The name without its last part: TensorFlow gives the results of one condition names that begin alike. */
    private static String scope(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('/')));
    }

    void replace() {
        scopes.keySet().forEach(scope -> replace(scope, 0));
    }

    /** Replaces the conditions of a scope after those within their branches. */
    private void replace(String scope, int depth) {
        if (!begun.add(scope) || depth > MOST_DEEP) {
            return;
        }
        List<String> merges = new ArrayList<>(scopes.getOrDefault(scope, List.of()));
        for (String merge : merges) {
            above(graph.node(merge)).stream()
                    .filter(node -> node.getOp().equals("Merge"))
                    .map(node -> scope(node.getName()))
                    .forEach(inner -> replace(inner, depth + 1));
        }
        while (!merges.isEmpty()) {
            try {
                merges.removeAll(replaceSome(merges));
            } catch (NotFunctional other) {
                merges.remove(0);
            }
        }
    }

    /** The nodes that a node needs, up to and with those that pass values to branches. */
    private List<NodeDef> above(NodeDef node) {
        Map<String, NodeDef> found = new LinkedHashMap<>();
        Deque<NodeDef> open = new ArrayDeque<>(List.of(node));
        while (!open.isEmpty()) {
            NodeDef each = open.pop();
            if (each.getOp().equals("Switch")) {
                continue;
            }
            for (String input : each.getInputList()) {
                graph.spend();
                if (graph.has(input)) {
                    NodeDef read = graph.node(input);
                    if (found.put(read.getName(), read) == null) {
                        open.push(read);
                    }
                }
            }
        }
        return List.copyOf(found.values());
    }

    /** Replaces the first of some results and those others that the same condition has; their names. */
    private Set<String> replaceSome(List<String> merges) {
        Optional<Branches> first = Optional.empty();
        Set<String> done = new LinkedHashSet<>();
        for (String name : merges) {
            NodeDef merge = graph.node(name);
            Optional<Branches> known = first;
            if (known.isEmpty()) {
                first = Optional.of(new Branches(predicate(merge)));
            } else if (!predicates(merge).contains(known.get().predicate) || needsOneOf(merge, done)) {
                continue;
            }
            first.orElseThrow().add(merge);
            done.add(name);
        }
        first.orElseThrow(NotFunctional::new).replace();
        return done;
    }

    /** {@return whether a node needs one of others, however far away} */
    private boolean needsOneOf(NodeDef node, Set<String> others) {
        Set<String> seen = new HashSet<>();
        Deque<NodeDef> open = new ArrayDeque<>(List.of(node));
        while (!open.isEmpty()) {
            for (String input : open.pop().getInputList()) {
                graph.spend();
                String name = NodeMap.name(input);
                if (others.contains(name)) {
                    return true;
                }
                if (graph.has(input) && seen.add(name)) {
                    open.push(graph.node(input));
                }
            }
        }
        return false;
    }

    private String predicate(NodeDef merge) {
        return predicates(merge).stream().findFirst().orElseThrow(NotFunctional::new);
    }

    /** The conditions by which one input of a Merge has a value and the other one has none, the surest first. */
    private Set<String> predicates(NodeDef merge) {
        List<String> inputs = NodeMap.data(merge);
        if (inputs.size() != 2) {
            return Set.of();
        }
        Map<String, Set<Integer>> one = ports(inputs.get(0));
        Map<String, Set<Integer>> other = ports(inputs.get(1));
        Set<String> sure = new LinkedHashSet<>(one.keySet());
        sure.removeIf(predicate -> !areOpposite(one.getOrDefault(predicate, Set.of()), other.get(predicate)));
        // the other branch gives what depends on nothing
        Set<String> all = new LinkedHashSet<>(sure);
        Stream.of(one, other)
                .flatMap(each -> each.entrySet().stream())
                .filter(each -> each.getValue().size() == 1)
                .filter(each -> !one.containsKey(each.getKey()) || !other.containsKey(each.getKey()))
                .forEach(each -> all.add(each.getKey()));
        return all;
    }

    private static boolean areOpposite(Set<Integer> one, @Nullable Set<Integer> other) {
        return other != null && one.size() == 1 && other.size() == 1 && !one.equals(other);
    }

    /** The outputs of a Switch on which a value depends, by the condition. */
    private Map<String, Set<Integer>> ports(String value) {
        Map<String, Set<Integer>> found = new LinkedHashMap<>();
        if (!graph.has(value)) {
            return found;
        }
        NodeDef given = graph.node(value);
        if (given.getOp().equals("Switch")) {
            note(given, value, found);
            return found;
        }
        List<NodeDef> all = new ArrayList<>(above(given));
        all.add(given);
        for (NodeDef node : all) {
            if (!node.getOp().equals("Switch")) {
                node.getInputList().stream()
                        .filter(graph::has)
                        .filter(input -> graph.node(input).getOp().equals("Switch"))
                        .filter(input -> !NodeMap.isControl(input))
                        .forEach(input -> note(graph.node(input), input, found));
            }
        }
        return found;
    }

    private void note(NodeDef decision, String value, Map<String, Set<Integer>> found) {
        found.computeIfAbsent(graph.origin(NodeMap.data(decision, 1)), none -> new HashSet<>())
                .add(NodeMap.isPort(value, 1) ? 1 : 0);
    }

    /** The two functions of a condition while they are gathered. */
    private final class Branches {

        private final String predicate;
        private final List<NodeDef> merges = new ArrayList<>();
        private final Map<String, String> captured = new LinkedHashMap<>();
        private final Map<String, Boolean> within = new HashMap<>();

        Branches(String predicate) {
            this.predicate = predicate;
        }

        void add(NodeDef merge) {
            merges.add(merge);
        }

        void replace() {
            String scope = scope(merges.get(0).getName());
            String name = graph.free(scope.isEmpty() ? "If" : scope + "/If");
            List<String> no = new ArrayList<>();
            List<String> yes = new ArrayList<>();
            FunctionBody ofNo = body(name);
            FunctionBody ofYes = body(name);
            for (NodeDef merge : merges) {
                int chosen = isTaken(NodeMap.data(merge, 0)) ? 0 : 1;
                yes.add(ofYes.take(NodeMap.data(merge, chosen)));
                no.add(ofNo.take(NodeMap.data(merge, 1 - chosen)));
            }
            List<String> arguments = List.copyOf(captured.values());
            NodeDef.Builder node =
                    NodeDef.newBuilder().setName(name).setOp("If").addInput(predicate);
            node.addAllInput(captured.keySet());
            node.putAttr("then_branch", function(name, "then", arguments, ofYes, yes));
            node.putAttr("else_branch", function(name, "else", arguments, ofNo, no));
            graph.put(node.build());
            for (int i = 0; i < merges.size(); i++) {
                graph.put(Functionalization.alias(merges.get(i).getName(), name + ":" + i));
            }
        }

        private AttrValue function(
                String name, String part, List<String> arguments, FunctionBody body, List<String> results) {
            return functions.add(FunctionBody.function(functions.name(name, part), arguments, body.nodes(), results));
        }

        /** {@return whether an input of a Merge has a value where the condition holds} */
        private boolean isTaken(String value) {
            Set<Integer> ports = ports(value).get(predicate);
            return ports == null
                    ? merges.stream()
                            .filter(merge -> NodeMap.data(merge, 0).equals(value))
                            .map(merge -> ports(NodeMap.data(merge, 1)).getOrDefault(predicate, Set.of()))
                            .anyMatch(Set.of(0)::equals)
                    : ports.equals(Set.of(1));
        }

        private FunctionBody body(String name) {
            return new FunctionBody(graph, value -> argument(name, value), node -> false);
        }

        /** Constants are in each function; what else is not of a branch is an argument. */
        private Optional<String> argument(String name, String value) {
            if (!graph.has(value)) {
                return Optional.of(captured(name, value));
            }
            NodeDef node = graph.node(value);
            if (isDecision(node)) {
                return Optional.of(captured(name, NodeMap.data(node, 0)));
            }
            boolean own = node.getOp().equals("Const") || isWithin(node);
            return own ? Optional.empty() : Optional.of(captured(name, value));
        }

        private String captured(String name, String outer) {
            return captured.computeIfAbsent(outer, none -> name + "/captured" + captured.size());
        }

        private boolean isDecision(NodeDef node) {
            return node.getOp().equals("Switch")
                    && graph.origin(NodeMap.data(node, 1)).equals(predicate);
        }

        /** {@return whether a node depends on the condition} */
        private boolean isWithin(NodeDef node) {
            Deque<NodeDef> open = new ArrayDeque<>(List.of(node));
            while (!open.isEmpty()) {
                NodeDef each = open.peek();
                graph.spend();
                boolean isNew = within.putIfAbsent(each.getName(), isDecision(each)) == null;
                List<NodeDef> inputs = isDecision(each)
                        ? List.of()
                        : each.getInputList().stream()
                                .filter(graph::has)
                                .map(graph::node)
                                .toList();
                if (isNew) {
                    inputs.stream()
                            .filter(input -> !within.containsKey(input.getName()))
                            .forEach(open::push);
                } else {
                    open.pop();
                    if (inputs.stream().anyMatch(input -> within.getOrDefault(input.getName(), false))) {
                        within.put(each.getName(), true);
                    }
                }
            }
            return within.getOrDefault(node.getName(), false);
        }
    }
}
