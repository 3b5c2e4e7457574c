package org.clinfer.importer.tensorflow.functional;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.NodeDef;

/**
 * The loops of a graph, each a frame: Enter brings values into it, Merge gives a state at the start of an iteration, Switch
 * passes it to the body or to Exit, and NextIteration closes the circle. Loops within loops become functions first.
 */
final class Loops {

    private static final int MOST_DEEP = 64;

    private final NodeMap graph;
    private final Functionalization functions;
    private final Map<String, List<NodeDef>> frames = new LinkedHashMap<>();
    private final Map<String, String> frameOfSwitch = new HashMap<>();
    private final Set<String> begun = new HashSet<>();

    Loops(NodeMap graph, Functionalization functions) {
        this.graph = graph;
        this.functions = functions;
        Map<String, String> frameOfMerge = new HashMap<>();
        for (NodeDef enter : graph.all(node -> node.getOp().equals("Enter"))) {
            frames.computeIfAbsent(frame(enter), none -> new ArrayList<>()).add(enter);
        }
        for (NodeDef merge : graph.all(node -> node.getOp().equals("Merge"))) {
            NodeMap.data(merge).stream()
                    .filter(graph::has)
                    .map(graph::node)
                    .filter(each -> each.getOp().equals("Enter"))
                    .forEach(enter -> frameOfMerge.put(merge.getName(), frame(enter)));
        }
        for (NodeDef each : graph.all(this::isOfLoop)) {
            NodeMap.data(each).stream()
                    .limit(1)
                    .map(NodeMap::name)
                    .filter(frameOfMerge::containsKey)
                    .forEach(merge -> frameOfSwitch.put(each.getName(), frameOfMerge.getOrDefault(merge, "")));
        }
    }

    private boolean isOfLoop(NodeDef node) {
        List<String> inputs = NodeMap.data(node);
        return node.getOp().equals("Switch")
                && inputs.size() == 2
                && graph.has(inputs.get(1))
                && graph.node(inputs.get(1)).getOp().equals("LoopCond");
    }

    private static String frame(NodeDef enter) {
        return enter.getAttrOrDefault("frame_name", AttrValue.getDefaultInstance())
                .getS()
                .toStringUtf8();
    }

    private static boolean isConstant(NodeDef enter) {
        return enter.getAttrOrDefault("is_constant", AttrValue.getDefaultInstance())
                .getB();
    }

    void replace() {
        frames.keySet().forEach(frame -> replace(frame, 0));
    }

    /** Replaces a loop after those within it; {@return whether it is none any more} */
    private boolean replace(String frame, int depth) {
        if (!begun.add(frame) || depth > MOST_DEEP) {
            return false;
        }
        try {
            Loop loop = new Loop(frame);
            while (true) {
                Optional<String> inner = loop.inner();
                if (inner.isEmpty()) {
                    loop.replace();
                    return true;
                }
                if (!replace(inner.get(), depth + 1)) {
                    return false;
                }
            }
        } catch (NotFunctional other) {
            return false;
        }
    }

    /** A state: the nodes that it passes in an iteration. */
    private record State(NodeDef enter, NodeDef merge, NodeDef decision, NodeDef next) {}

    private final class Loop {

        private final String frame;
        private final List<State> states = new ArrayList<>();
        private final String condition;

        /** The arguments by the values of the graph that they are at first, or in every iteration. */
        private final Map<String, String> arguments = new LinkedHashMap<>();

        private final List<String> captured = new ArrayList<>();

        Loop(String frame) {
            this.frame = frame;
            Map<String, NodeDef> decisions = new HashMap<>();
            for (NodeDef each : graph.all(node -> frame.equals(frameOfSwitch.get(node.getName())))) {
                decisions.put(NodeMap.name(NodeMap.data(each, 0)), each);
            }
            Map<String, NodeDef> merges = new HashMap<>();
            for (NodeDef merge : graph.all(node -> node.getOp().equals("Merge"))) {
                NodeMap.data(merge).forEach(input -> merges.put(NodeMap.name(input), merge));
            }
            for (NodeDef enter : frames.getOrDefault(frame, List.of())) {
                if (isConstant(enter)) {
                    continue;
                }
                NodeDef merge = merges.get(enter.getName());
                NodeDef decision = merge == null ? null : decisions.get(merge.getName());
                if (merge == null || decision == null) {
                    throw new NotFunctional();
                }
                NodeDef next = NodeMap.data(merge).stream()
                        .map(graph::node)
                        .filter(each -> each.getOp().equals("NextIteration"))
                        .findFirst()
                        .orElseThrow(NotFunctional::new);
                states.add(new State(enter, merge, decision, next));
            }
            if (states.isEmpty()) {
                throw new NotFunctional();
            }
            this.condition = NodeMap.data(states.get(0).decision, 1);
            if (!graph.node(condition).getOp().equals("LoopCond")
                    || states.stream()
                            .anyMatch(each -> !NodeMap.data(each.decision, 1).equals(condition))) {
                throw new NotFunctional();
            }
        }

        /** The frame of a loop within this one that is still a loop. */
        Optional<String> inner() {
            FunctionBody body = body();
            takeAll(body);
            return body.nodes().stream()
                    .filter(node -> node.getOp().equals("Enter") || node.getOp().equals("Exit"))
                    .map(node -> node.getOp().equals("Enter")
                            ? frame(node)
                            : frameOfSwitch.getOrDefault(NodeMap.name(NodeMap.data(node, 0)), frame))
                    .filter(each -> !each.equals(frame))
                    .findFirst();
        }

        private void takeAll(FunctionBody body) {
            states.forEach(state -> body.take(NodeMap.data(state.next, 0)));
            body.take(NodeMap.data(graph.node(condition), 0));
        }

        private FunctionBody body() {
            return new FunctionBody(graph, this::argument, this::isMark);
        }

        /** {@return whether a node marks a branch of a condition within the loop} */
        private boolean isMark(NodeDef node) {
            boolean passes = node.getOp().equals("Identity");
            NodeDef from = passes ? graph.node(NodeMap.data(node, 0)) : node;
            return from.getOp().equals("Switch") && !frameOfSwitch.containsKey(from.getName());
        }

        private Optional<String> argument(String value) {
            NodeDef node = graph.node(value);
            for (int i = 0; i < states.size(); i++) {
                State state = states.get(i);
                boolean isMerge = state.merge.getName().equals(node.getName()) && NodeMap.isPort(value, 0);
                boolean isPassed = state.decision.getName().equals(node.getName()) && NodeMap.isPort(value, 1);
                if (isMerge || isPassed) {
                    return Optional.of(stateName(i));
                }
            }
            if (node.getOp().equals("Enter") && frame(node).equals(frame) && isConstant(node)) {
                return Optional.of(arguments.computeIfAbsent(NodeMap.data(node, 0), this::capture));
            }
            return Optional.empty();
        }

        private String stateName(int index) {
            return NodeMap.name(condition) + "/state" + index;
        }

        private String capture(String outer) {
            captured.add(outer);
            return NodeMap.name(condition) + "/captured" + (captured.size() - 1);
        }

        void replace() {
            FunctionBody ofBody = body();
            List<String> next = new ArrayList<>();
            states.forEach(state -> next.add(ofBody.take(NodeMap.data(state.next, 0))));
            FunctionBody ofCondition = body();
            String goesOn = ofCondition.take(NodeMap.data(graph.node(condition), 0));
            List<String> all = new ArrayList<>();
            for (int i = 0; i < states.size(); i++) {
                all.add(stateName(i));
            }
            for (String outer : captured) {
                String name = arguments.getOrDefault(outer, "");
                all.add(name);
                next.add(name);
            }
            String name = NodeMap.name(condition);
            NodeDef.Builder loop = NodeDef.newBuilder().setName(name).setOp("While");
            AttrValue.ListValue.Builder types = AttrValue.ListValue.newBuilder();
            for (State state : states) {
                loop.addInput(NodeMap.data(state.enter, 0));
                types.addType(state.enter
                        .getAttrOrDefault("T", AttrValue.getDefaultInstance())
                        .getType());
            }
            loop.addAllInput(captured);
            loop.putAttr("T", AttrValue.newBuilder().setList(types).build());
            loop.putAttr("cond", function("cond", all, ofCondition, List.of(goesOn)));
            loop.putAttr("body", function("body", all, ofBody, next));
            exits();
            graph.put(loop.build());
        }

        private AttrValue function(String part, List<String> all, FunctionBody body, List<String> results) {
            NodeMap nodes = graph.of(body.nodes());
            new Conditions(nodes, functions).replace();
            String name = functions.name(NodeMap.name(condition), part);
            return functions.add(FunctionBody.function(name, all, nodes.all(), results));
        }

        /** Lets the nodes behind the loop read the outputs of the node that it becomes. */
        private void exits() {
            Map<String, Integer> outputs = new HashMap<>();
            for (int i = 0; i < states.size(); i++) {
                outputs.put(states.get(i).decision.getName(), i);
            }
            for (NodeDef exit : graph.all(node -> node.getOp().equals("Exit"))) {
                Integer output = outputs.get(NodeMap.name(NodeMap.data(exit, 0)));
                if (output != null) {
                    graph.put(Functionalization.alias(exit.getName(), NodeMap.name(condition) + ":" + output));
                }
            }
            for (State state : states) {
                graph.remove(state.next.getName());
                graph.remove(state.merge.getName());
            }
        }
    }
}
