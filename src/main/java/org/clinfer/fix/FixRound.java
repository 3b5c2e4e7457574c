package org.clinfer.fix;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.check.CheckReport;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.Verdict;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.infer.CheckedNode;
import org.clinfer.tensor.Tensor;

/** One walk over a network, in which each node that the device refuses is changed once at most. */
final class FixRound {

    private final DeviceCheck device;
    private final FixSearch search;
    private final Region whole;
    private final MadeTensors made;
    private final CheckReport report;
    private final Set<CheckedNode> used = new HashSet<>();
    private final Map<String, Found> found = new LinkedHashMap<>();
    private final List<NetworkFix.Dropped> dropped = new ArrayList<>();
    private Optional<Graph> network = Optional.empty();

    FixRound(DeviceCheck device, FixSearch search, Region whole, MadeTensors made) {
        this.device = device;
        this.search = search;
        this.whole = whole;
        this.made = made;
        this.report = device.verdicts(whole.checked());
    }

    /** A change of some nodes of the network. */
    private record Found(String node, List<CheckedNode> members, Change change, ResultDifference difference) {}

    void run() {
        for (NodeReport refused : report.nodes()) {
            if (DeviceCheck.isToChange(report, refused)) {
                whole.node(refused.node()).filter(FixSearch::isKnown).ifPresent(this::look);
            }
        }
        assemble();
    }

    List<NetworkFix.Dropped> dropped() {
        return dropped;
    }

    List<NetworkFix.Applied> applied() {
        return found.values().stream()
                .map(each -> new NetworkFix.Applied(
                        each.members.stream()
                                .map(member -> member.node().toString())
                                .toList(),
                        each.change.steps(),
                        each.change.graph().nodes().stream().map(Node::op).toList(),
                        each.difference))
                .toList();
    }

    /** The network after the changes. */
    Graph network() {
        return network.orElse(whole.graph());
    }

    private void look(CheckedNode refused) {
        if (MovedElements.isMove(refused) && areMovesChanged(refused)) {
            return;
        }
        for (Set<CheckedNode> members : neighbourhoods(refused)) {
            if (isFree(members) && isChanged(refused, members, true)) {
                return;
            }
        }
        Set<CheckedNode> alone = withParts(refused);
        if (isFree(alone)) {
            isChanged(refused, alone, false);
        }
    }

    /** Writes all chains of moves that the node is part of as others; nodes of which nothing is read any more go by themselves. */
    private boolean areMovesChanged(CheckedNode refused) {
        Map<String, Found> chains = new LinkedHashMap<>();
        Set<CheckedNode> ends = MovedElements.ends(whole, refused);
        for (CheckedNode end : ends) {
            List<CheckedNode> chain = MovedElements.chain(whole, end);
            if (used.contains(end)) {
                continue;
            }
            if (chain.size() < 2 || !isFree(Set.copyOf(chain))) {
                return false;
            }
            Optional<FixSearch.Found> change = search.of(whole.chain(chain), true, made);
            if (change.isEmpty()) {
                return false;
            }
            FixSearch.Found each = change.get();
            chains.put(
                    end.node().name(),
                    new Found(refused.node().toString(), List.of(end), each.change(), each.difference()));
        }
        found.putAll(chains);
        used.addAll(ends);
        return !ends.isEmpty();
    }

    private boolean isFree(Set<CheckedNode> members) {
        return members.stream().noneMatch(used::contains) && members.stream().allMatch(FixSearch::isKnown);
    }

    private boolean isChanged(CheckedNode refused, Set<CheckedNode> members, boolean joint) {
        Graph part = whole.part(members);
        Optional<FixSearch.Found> change = search.of(part, joint, made);
        if (change.isEmpty()) {
            return false;
        }
        List<CheckedNode> inOrder =
                whole.checked().nodes().stream().filter(members::contains).toList();
        String name = inOrder.get(0).node().name();
        found.put(
                name,
                new Found(
                        refused.node().toString(),
                        inOrder,
                        change.get().change(),
                        change.get().difference()));
        used.addAll(members);
        return true;
    }

    /** The node with what gives its inputs to it alone, and with what alone reads it. */
    private List<Set<CheckedNode>> neighbourhoods(CheckedNode refused) {
        Set<CheckedNode> alone = withParts(refused);
        List<Set<CheckedNode>> regions = new ArrayList<>();
        for (String input : refused.node().inputs()) {
            Optional<CheckedNode> giver =
                    whole.giver(input).filter(node -> whole.onlyReader(input).equals(Optional.of(refused)));
            giver.ifPresent(node -> regions.add(union(withParts(root(node)), Set.of(node), alone)));
        }
        Set<CheckedNode> chain = alone;
        for (int i = 0; i < 2; i++) {
            CheckedNode last = last(chain);
            Optional<CheckedNode> reader =
                    whole.onlyReader(last.node().outputs().get(0));
            if (reader.isEmpty()) {
                break;
            }
            chain = union(chain, withParts(reader.get()));
            regions.add(chain);
        }
        return regions;
    }

    private CheckedNode last(Set<CheckedNode> members) {
        List<CheckedNode> inOrder =
                whole.checked().nodes().stream().filter(members::contains).toList();
        return inOrder.get(inOrder.size() - 1);
    }

    @SafeVarargs
    private static Set<CheckedNode> union(Set<CheckedNode>... sets) {
        Set<CheckedNode> all = new LinkedHashSet<>();
        for (Set<CheckedNode> each : sets) {
            all.addAll(each);
        }
        return all;
    }

    /** The node that a node is part of on the device, or itself. */
    private CheckedNode root(CheckedNode node) {
        return report.nodes().stream()
                .filter(each -> each.node().equals(node.node().name()) && each.isPart())
                .findFirst()
                .flatMap(each -> whole.node(each.converted().orElseThrow().into()))
                .orElse(node);
    }

    private Set<CheckedNode> withParts(CheckedNode root) {
        Set<CheckedNode> members = new LinkedHashSet<>(Set.of(root));
        report.nodes().stream()
                .filter(each -> each.isPart()
                        && each.converted()
                                .orElseThrow()
                                .into()
                                .equals(root.node().name()))
                .forEach(each -> whole.node(each.node()).ifPresent(members::add));
        return members;
    }

    /** Puts the changes into the network, without those of which the device refuses a node there. */
    private void assemble() {
        while (!found.isEmpty()) {
            Graph assembled;
            try {
                assembled = assembled();
            } catch (GraphException clash) {
                drop(found.keySet().iterator().next(), "it does not fit into the network: " + clash.getMessage());
                continue;
            }
            Set<String> refused = new HashSet<>();
            device.verdicts(device.checked(assembled)).nodes().stream()
                    .filter(node -> node.verdict() != Verdict.ON_DEVICE)
                    .forEach(node -> refused.add(node.node()));
            Optional<String> failing = found.entrySet().stream()
                    .filter(each -> Splice.names(
                                    each.getKey(), each.getValue().change.graph())
                            .stream()
                            .anyMatch(refused::contains))
                    .map(Map.Entry::getKey)
                    .findFirst();
            if (failing.isEmpty()) {
                network = Optional.of(assembled);
                return;
            }
            drop(failing.get(), "the device refuses it among the other nodes of the network");
        }
    }

    private void drop(String name, String reason) {
        Optional.ofNullable(found.remove(name))
                .ifPresent(each -> dropped.add(new NetworkFix.Dropped(each.node, each.change.steps(), reason)));
    }

    private Graph assembled() {
        Set<String> gone = new HashSet<>();
        Set<Node> touched = new HashSet<>();
        for (Found each : found.values()) {
            for (CheckedNode member : each.members) {
                gone.add(member.node().name());
                Optional.ofNullable(whole.checked().wholes().get(member.node().name()))
                        .ifPresent(touched::add);
            }
        }
        List<Node> kept = new ArrayList<>();
        Set<String> given = new HashSet<>();
        for (Node node : whole.graph().nodes()) {
            if (!gone.contains(node.name()) && !touched.contains(node)) {
                kept.add(node);
                given.addAll(node.outputs());
            }
        }
        Map<String, Tensor> constants = new LinkedHashMap<>(whole.graph().constants());
        for (Node node : whole.checked().walked()) {
            boolean isPart = touched.contains(whole.checked().wholes().get(node.name()));
            if (isPart && !gone.contains(node.name()) && whole.node(node.name()).isPresent()) {
                kept.add(whole.written(node));
                node.inputs().stream()
                        .filter(input -> !given.contains(input))
                        .forEach(input -> whole.constant(input).ifPresent(tensor -> constants.put(input, tensor)));
            }
        }
        Map<String, Graph> parts = new LinkedHashMap<>();
        found.forEach((name, each) -> parts.put(name, each.change.graph()));
        Graph graph = whole.graph();
        return Splice.of(
                new Graph(graph.name(), graph.inputs(), graph.outputs(), graph.nodes(), constants, graph.source()),
                kept,
                parts);
    }
}
