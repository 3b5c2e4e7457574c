package org.clinfer.plan.rule;

import java.util.List;
import java.util.Optional;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.Tensor;

/**
 * Removes nodes that compute the same value as another one (common subexpressions).
 *
 * <pre>
 * a = Sub(x, m);  b = Sub(x, m);  y = Div(b, Sqrt(a))
 * a = Sub(x, m);                  y = Div(a, Sqrt(a))
 * </pre>
 *
 * <p>The same operator with the same parameters on the same values, on the same side; Clinfer's own operators alone, whose
 * results depend on nothing else. Small constants of the same elements count as the same, as shapes that were computed twice. Not where the output has to be there under its name.
 */
final class RemoveDuplicate implements FusionRule {

    /** A value with more users, or a user with more inputs, is left alone: the time would grow with their square. */
    private static final int MANY = 64;

    /** Elements of a constant that is compared. */
    private static final int SMALL = 64;

    @Override
    public boolean apply(int position, Rewriting graph) {
        PlacedNode later = graph.node(position).orElseThrow();
        Node node = later.form();
        if (OpCatalog.builtIn().find(node.op()).isEmpty()
                || node.inputs().isEmpty()
                || node.outputs().stream().anyMatch(graph::isOutput)) {
            return false;
        }
        List<Integer> beside = graph.users(node.inputs().get(0));
        if (beside.size() > MANY || node.outputs().stream().anyMatch(output -> hasWideUser(output, graph))) {
            return false;
        }
        Optional<Integer> first = beside.stream()
                .filter(user -> user < position && isSame(graph.node(user).orElseThrow(), later, graph))
                .findFirst();
        if (first.isEmpty()) {
            return false;
        }
        List<String> kept = graph.node(first.get()).orElseThrow().outputs();
        for (int i = 0; i < kept.size(); i++) {
            String from = node.outputs().get(i);
            String to = kept.get(i);
            graph.users(from).stream().distinct().forEach(user -> graph.redirect(user, from, to));
        }
        graph.remove(position, first.get());
        return true;
    }

    private static boolean hasWideUser(String value, Rewriting graph) {
        return graph.users(value).stream()
                .anyMatch(user -> graph.node(user).orElseThrow().inputs().size() > MANY);
    }

    private static boolean isSame(PlacedNode one, PlacedNode other, Rewriting graph) {
        Node a = one.form();
        Node b = other.form();
        return a.op().equals(b.op())
                && haveSameInputs(a, b, graph)
                && a.outputs().size() == b.outputs().size()
                && a.outputs().stream().noneMatch(String::isEmpty)
                && b.outputs().stream().noneMatch(String::isEmpty)
                && one.target() == other.target()
                && one.binding().params().equals(other.binding().params());
    }

    private static boolean haveSameInputs(Node a, Node b, Rewriting graph) {
        if (a.inputs().size() != b.inputs().size()) {
            return false;
        }
        for (int i = 0; i < a.inputs().size(); i++) {
            String one = a.inputs().get(i);
            String other = b.inputs().get(i);
            if (!one.equals(other) && !areEqualConstants(one, other, graph)) {
                return false;
            }
        }
        return true;
    }

    private static boolean areEqualConstants(String one, String other, Rewriting graph) {
        Optional<Tensor> a = graph.known(one).filter(RemoveDuplicate::isSmall);
        Optional<Tensor> b = graph.known(other).filter(RemoveDuplicate::isSmall);
        return a.isPresent()
                && b.isPresent()
                && a.get().type().equals(b.get().type())
                && a.get().bytes().equals(b.get().bytes());
    }

    private static boolean isSmall(Tensor constant) {
        return constant.elements() <= SMALL && constant.isStored();
    }
}
