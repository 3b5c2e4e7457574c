package org.clinfer.plan.rule;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedNode;

/**
 * Joins two consecutive transposes into one, and removes those that change nothing.
 *
 * <pre>
 * a = Transpose(x) {perm: [0, 2, 3, 1]};  y = Transpose(a) {perm: [0, 2, 1, 3]}
 * y = Transpose(x) {perm: [0, 3, 2, 1]}
 * </pre>
 *
 * <p>Not where anything else uses what is between them.
 */
final class JoinTransposes implements FusionRule {

    @Override
    public Set<String> needs() {
        return Set.of("Transpose");
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        PlacedNode last = graph.node(position).orElseThrow();
        if (!last.op().equals("Transpose")) {
            return false;
        }
        String from = last.inputs().get(0);
        long[] order = last.binding().integers("perm");
        Optional<Integer> before = graph.producer(from).filter(at -> isTranspose(at, last, graph));
        if (isIdle(order) && removed(position, from, graph.producer(from), graph)) {
            return true;
        }
        if (before.isEmpty() || !graph.isUsedOnce(from)) {
            return false;
        }
        PlacedNode first = graph.node(before.get()).orElseThrow();
        String x = first.inputs().get(0);
        long[] joined = joined(first.binding().integers("perm"), order);
        if (isIdle(joined) && removedWith(position, before.get(), x, graph)) {
            return true;
        }
        ExpressionValue perm = ExpressionValue.list(
                Arrays.stream(joined).mapToObj(ExpressionValue::of).toList());
        Node by = last.as("Transpose", List.of(x));
        return graph.replace(position, by, Map.of("perm", perm), List.of(before.get()));
    }

    private static boolean isTranspose(int at, PlacedNode last, Rewriting graph) {
        PlacedNode node = graph.node(at).orElseThrow();
        return node.op().equals("Transpose") && node.target() == last.target();
    }

    /** The order of axes that both orders make, the first one first. */
    static long[] joined(long[] first, long[] second) {
        return Arrays.stream(second).map(axis -> first[(int) axis]).toArray();
    }

    static boolean isIdle(long[] order) {
        return IntStream.range(0, order.length).allMatch(i -> order[i] == i);
    }

    /** Takes the node away if its output may be another value, which has to be computed on its side. */
    private static boolean removed(int position, String x, Optional<Integer> maker, Rewriting graph) {
        PlacedNode node = graph.node(position).orElseThrow();
        String y = node.outputs().get(0);
        if (graph.isOutput(y)
                || maker.filter(at -> graph.node(at).orElseThrow().target() == node.target())
                        .isEmpty()) {
            return false;
        }
        graph.users(y).stream().distinct().forEach(user -> graph.redirect(user, y, x));
        graph.remove(position, maker.get());
        return true;
    }

    private static boolean removedWith(int position, int before, String x, Rewriting graph) {
        Optional<Integer> maker = graph.producer(x);
        if (!removed(position, x, maker, graph)) {
            return false;
        }
        graph.remove(before, maker.orElseThrow());
        return true;
    }
}
