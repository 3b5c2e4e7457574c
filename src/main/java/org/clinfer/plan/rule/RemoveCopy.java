package org.clinfer.plan.rule;

import java.util.Optional;
import org.clinfer.place.PlacedNode;

/**
 * Removes nodes whose output equals their input, in the same shape.
 *
 * <pre>
 * a = Conv2d(x);  b = Dropout(a);  y = Relu(b)
 * a = Conv2d(x);                   y = Relu(a)
 * </pre>
 *
 * <p>An Expand to the shape that a value has already is such a node.
 *
 * <p>Not where the output, or the input, has to be there under its name: the output of the graph, an input or a constant.
 */
final class RemoveCopy implements FusionRule {

    @Override
    public boolean apply(int position, Rewriting graph) {
        PlacedNode copy = graph.node(position).orElseThrow();
        Optional<String> viewed =
                copy.op().equals("Expand") ? Optional.of(copy.inputs().get(0)) : graph.viewed(position);
        if (viewed.isEmpty()) {
            return false;
        }
        String from = copy.outputs().get(0);
        String to = viewed.get();
        Optional<Integer> producer =
                graph.producer(to).filter(at -> graph.node(at).orElseThrow().target() == copy.target());
        if (producer.isEmpty() || graph.isOutput(from) || !graph.type(from).equals(graph.type(to))) {
            return false;
        }
        graph.users(from).stream().distinct().forEach(user -> graph.redirect(user, from, to));
        graph.remove(position, producer.get());
        return true;
    }
}
