package org.clinfer.plan.rule;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedNode;

/**
 * Fuses HardSigmoid and the Mul with its input into HardSwish, which a convolution may then take.
 *
 * <pre>
 * s = HardSigmoid(x) {alpha: 1/6, beta: 0.5};  y = Mul(x, s)
 * y = HardSwish(x)
 * </pre>
 *
 * <p>Not where anything else uses the HardSigmoid, or where its line is another one.
 */
final class FuseHardSwish implements FusionRule {

    /** Files have 1/6 as float32, or as decimals. */
    private static final double NEAR = 1e-6;

    @Override
    public Set<String> needs() {
        return Set.of("HardSigmoid");
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        PlacedNode product = graph.node(position).orElseThrow();
        List<String> terms = product.inputs();
        return product.op().equals("Mul")
                && (rewrite(product, position, terms.get(0), terms.get(1), graph)
                        || rewrite(product, position, terms.get(1), terms.get(0), graph));
    }

    private static boolean rewrite(PlacedNode product, int position, String x, String line, Rewriting graph) {
        Optional<Integer> at = graph.isUsedOnce(line) ? graph.producer(line) : Optional.empty();
        Optional<PlacedNode> sigmoid = at.flatMap(graph::node).filter(node -> isItsLine(node, x));
        if (sigmoid.isEmpty() || sigmoid.get().target() != product.target()) {
            return false;
        }
        Node node = product.form();
        Node swish = new Node(node.name(), "HardSwish", List.of(x), node.outputs(), Map.of(), node.source());
        Optional<PlacedNode> taken =
                graph.bound(swish, Map.of()).flatMap(bound -> graph.placed(bound, product.target()));
        if (taken.isEmpty()) {
            return false;
        }
        graph.remove(position);
        graph.put(position, taken.get().doing(product, product.fused()));
        graph.remove(at.orElseThrow(), position);
        return true;
    }

    private static boolean isItsLine(PlacedNode node, String x) {
        return node.op().equals("HardSigmoid")
                && node.inputs().get(0).equals(x)
                && Math.abs(node.binding().real("alpha") - 1.0 / 6) < NEAR
                && Math.abs(node.binding().real("beta") - 0.5) < NEAR;
    }
}
