package org.clinfer.plan.layout;

import java.util.List;
import java.util.function.Predicate;
import org.clinfer.place.PlacedGraph;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * Decides which units compute in blocked channels: those for which what they gain is more than what changing layouts costs.
 *
 * <p>A minimum cut: units on the source's side compute in blocked channels. A unit on the other side loses its gain; a value
 * that is made on one side and read on the other is changed once, however many read it.
 */
final class LayoutChoice {

    private final Units units;
    private final PlacedGraph graph;
    private final MinimumCut cut = new MinimumCut();
    private final int[] nodes;

    LayoutChoice(Units units, PlacedGraph graph) {
        this.units = units;
        this.graph = graph;
        this.nodes = new int[units.all().size()];
    }

    /** For each unit whether it computes in blocked channels. */
    boolean[] blocked() {
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = cut.node();
            Unit unit = units.all().get(i);
            if (unit.form().isPresent()) {
                long gain = unit.form().get().gain();
                cut.edge(MinimumCut.SOURCE, nodes[i], Math.max(0, gain));
                cut.edge(nodes[i], MinimumCut.SINK, Math.max(0, -gain));
            } else {
                cut.edge(nodes[i], MinimumCut.SINK, MinimumCut.NEVER);
            }
        }
        units.users().forEach((value, users) -> {
            TensorType type = type(value);
            if (type != null && type.shape().isKnown()) {
                price(value, users, units.costs().reorder(type));
            }
        });
        priceOutputs();
        boolean[] sides = cut.sourceSide();
        boolean[] blocked = new boolean[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            blocked[i] = sides[nodes[i]];
        }
        return blocked;
    }

    private @Nullable TensorType type(String value) {
        Tensor constant = graph.constants().get(value);
        return constant != null ? constant.type() : graph.types().get(value);
    }

    private void price(String value, List<Integer> users, long price) {
        @Nullable
        Integer maker = units.maker(value)
                .filter(number -> units.all().get(number).form().isPresent()
                        && units.all().get(number).makesBlocks())
                .orElse(null);
        int toBlocks = nodeFor(users, user -> isOperand(user, value), true);
        if (toBlocks >= 0) {
            cut.edge(toBlocks, maker == null ? MinimumCut.SINK : nodes[maker], price);
        }
        if (maker != null) {
            int toPlain = nodeFor(users, user -> true, false);
            boolean always = users.stream()
                    .anyMatch(user -> units.all().get(user).form().isPresent() && !isOperand(user, value));
            if (always || units.isOutput(value)) {
                cut.edge(toPlain, MinimumCut.SINK, MinimumCut.NEVER);
            }
            cut.edge(nodes[maker], toPlain, price);
        }
    }

    /** Values that a caller gets and no unit reads. */
    private void priceOutputs() {
        for (int i = 0; i < nodes.length; i++) {
            Unit unit = units.all().get(i);
            if (unit.form().isPresent() && unit.makesBlocks()) {
                for (String output : unit.outputs()) {
                    TensorType type = type(output);
                    if (units.isOutput(output) && !units.users().containsKey(output) && type != null) {
                        cut.edge(nodes[i], MinimumCut.SINK, units.costs().reorder(type));
                    }
                }
            }
        }
    }

    private boolean isOperand(int user, String value) {
        Unit unit = units.all().get(user);
        return unit.form().isPresent() && unit.operands().contains(value);
    }

    /** A node that is on the source's side as soon as one of the users is, or on the sink's; -1 without users. */
    private int nodeFor(List<Integer> users, Predicate<Integer> which, boolean onSource) {
        int node = -1;
        for (int user : users) {
            if (which.test(user)) {
                node = node < 0 ? cut.node() : node;
                if (onSource) {
                    cut.edge(nodes[user], node, MinimumCut.NEVER);
                } else {
                    cut.edge(node, nodes[user], MinimumCut.NEVER);
                }
            }
        }
        return node;
    }
}
