package org.clinfer.plan.layout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.rule.PlainActivation;

/** The units of a graph in execution order, with who makes and who uses each value. */
final class Units {

    private final List<Unit> all = new ArrayList<>();
    private final Map<String, Integer> makers = new HashMap<>();
    private final Map<String, List<Integer>> users = new HashMap<>();
    private final Set<String> outputs;
    private final PlacedNode.Target side;
    private final LayoutCosts costs;

    /**
     * @param side where nodes may have forms
     * @param refused names of nodes that have no form
     */
    Units(PlacedGraph placed, PlacedNode.Target side, BlockedForms forms, Set<String> refused) {
        this.side = side;
        this.costs = forms.costs();
        this.outputs = new HashSet<>(placed.outputs());
        Map<String, List<PlacedNode>> readers = readers(placed);
        Set<PlacedNode> taken = Collections.newSetFromMap(new IdentityHashMap<>());
        for (PlacedNode node : placed.nodes()) {
            if (!taken.contains(node)) {
                Unit unit = unit(node, forms, refused, readers);
                taken.addAll(unit.nodes());
                add(unit);
            }
        }
    }

    private static Map<String, List<PlacedNode>> readers(PlacedGraph placed) {
        Map<String, List<PlacedNode>> readers = new HashMap<>();
        for (PlacedNode node : placed.nodes()) {
            node.inputs()
                    .forEach(input -> readers.computeIfAbsent(input, any -> new ArrayList<>())
                            .add(node));
        }
        return readers;
    }

    private Unit unit(PlacedNode node, BlockedForms forms, Set<String> refused, Map<String, List<PlacedNode>> readers) {
        boolean isOnSide = node.target() == side;
        Optional<BlockedForm> form =
                isOnSide && !refused.contains(name(node)) ? forms.of(node, this::isPlain) : Optional.empty();
        Node written = node.form();
        boolean takesActivation = form.filter(
                        known -> known.op().equals("BlockedScale") || known.op().equals("BlockedBinary"))
                .filter(known -> !known.params().containsKey("activation"))
                .isPresent();
        String output = written.outputs().get(0);
        List<PlacedNode> next = readers.getOrDefault(output, List.of());
        if (takesActivation && next.size() == 1 && !outputs.contains(output)) {
            PlacedNode activation = next.get(0);
            Optional<BlockedForm> both = PlainActivation.of(activation)
                    .filter(any -> activation.target() == side)
                    .map(params -> form.get().ending(params, costs.small(activation)));
            if (both.isPresent()) {
                return new Unit(List.of(node, activation), both);
            }
        }
        return new Unit(List.of(node), form);
    }

    private static String name(PlacedNode node) {
        return node.form().name();
    }

    private void add(Unit unit) {
        int number = all.size();
        all.add(unit);
        unit.outputs().forEach(output -> makers.put(output, number));
        unit.inputs()
                .forEach(input ->
                        users.computeIfAbsent(input, any -> new ArrayList<>()).add(number));
    }

    /** {@return whether a value is made by nobody, or by a unit without blocked channels} */
    private boolean isPlain(String value) {
        Integer maker = makers.get(value);
        return maker == null
                || all.get(maker).form().isEmpty()
                || !all.get(maker).makesBlocks();
    }

    /** The estimates by which forms gain. */
    LayoutCosts costs() {
        return costs;
    }

    List<Unit> all() {
        return all;
    }

    /** The number of the unit that makes a value; empty for inputs of the network. */
    Optional<Integer> maker(String value) {
        return Optional.ofNullable(makers.get(value));
    }

    /** The values that units use, with the numbers of those. */
    Map<String, List<Integer>> users() {
        return users;
    }

    /** {@return whether a caller gets a value} */
    boolean isOutput(String value) {
        return outputs.contains(value);
    }
}
