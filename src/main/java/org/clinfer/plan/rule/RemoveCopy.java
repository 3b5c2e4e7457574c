package org.clinfer.plan.rule;

import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedNode;

/**
 * Takes away nodes whose output is their input.
 *
 * <pre>
 * a = Conv2d(x);  b = Dropout(a);  y = Relu(b)
 * a = Conv2d(x);                   y = Relu(a)
 * </pre>
 *
 * <p>Not where the output, or the input, has to be there under its name: the output of the graph, an input or a constant.
 */
final class RemoveCopy implements Rule {

    private static final Set<String> COPIES = Set.of("Identity", "Dropout");

    @Override
    public boolean apply(int position, Rewriting graph) {
        PlacedNode copy = graph.node(position).orElseThrow();
        Node node = copy.node().node();
        if (!COPIES.contains(node.op())) {
            return false;
        }
        String from = node.outputs().get(0);
        String to = node.inputs().get(0);
        Optional<Integer> producer = graph.producer(to);
        if (graph.isOutput(from)
                || producer.flatMap(graph::node)
                        .filter(made -> made.target() == copy.target())
                        .isEmpty()) {
            return false;
        }
        graph.users(from).stream().distinct().forEach(user -> graph.redirect(user, from, to));
        graph.remove(position, producer.get());
        return true;
    }
}
