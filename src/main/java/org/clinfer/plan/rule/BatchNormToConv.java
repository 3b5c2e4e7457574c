package org.clinfer.plan.rule;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Rewrites BatchNorm before an activation as a depthwise 1x1 convolution, into which the activation is fused.
 *
 * <pre>
 * a = BatchNorm(x, scale, bias, mean, variance);  y = Relu(a)
 * a = FusedConv(x, w, b) {groups: channels};      y = Relu(a)
 * </pre>
 *
 * <p>Only where a kernel for GPUs takes such groups: a launch and a walk over memory are saved there, while processors
 * have faster kernels for what follows. Not where the terms are not constant, or where anything else uses the result.
 */
final class BatchNormToConv implements FusionRule {

    private static final String FAST = "depthwise_groups";

    @Override
    public Set<String> needs() {
        return Set.of("BatchNorm");
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Part norm = Part.at(position, graph);
        if (!norm.op().equals("BatchNorm") || norm.placed().target() != PlacedNode.Target.DEVICE) {
            return false;
        }
        int rank = graph.type(norm.input(0)).shape().rank();
        if (rank < 3 || rank > 5 || !isActivated(norm, graph)) {
            return false;
        }
        return ChannelScale.ofBatchNorm(norm.placed(), graph::constant)
                .filter(scale -> rewrite(norm, scale, rank, graph))
                .isPresent();
    }

    private static boolean isActivated(Part norm, Rewriting graph) {
        return graph.isUsedOnce(norm.output())
                && graph.node(graph.users(norm.output()).get(0))
                        .filter(user -> user.target() == PlacedNode.Target.DEVICE)
                        .flatMap(PlainActivation::of)
                        .isPresent();
    }

    private static boolean rewrite(Part norm, ChannelScale scale, int rank, Rewriting graph) {
        String name = norm.placed().form().name();
        TensorType x = graph.type(norm.input(0));
        long[] sizes = new long[rank];
        Arrays.fill(sizes, 1);
        sizes[0] = x.shape().sizes()[1];
        Optional<String> weights = constant(name, "factors", TensorType.of(x.dtype(), sizes), scale.factors(), graph);
        Optional<String> bias = constant(name, "addends", TensorType.of(x.dtype(), sizes[0]), scale.addends(), graph);
        if (weights.isEmpty() || bias.isEmpty()) {
            return false;
        }
        Node by = norm.placed().as("FusedConv", List.of(norm.input(0), weights.get(), bias.get()));
        Map<String, ExpressionValue> params = Map.of("groups", ExpressionValue.of(sizes[0]));
        boolean isFast = graph.bound(by, params)
                .flatMap(bound -> graph.placed(bound, norm.placed().target()))
                .filter(placed -> placed.kernel().equals(FAST))
                .isPresent();
        return isFast && graph.replace(norm.position(), by, params, List.of());
    }

    /** A constant of these numbers; empty where the data type does not hold them. */
    private static Optional<String> constant(
            String node, String what, TensorType type, double[] values, Rewriting graph) {
        return graph.folded()
                .of(List.of(node, what), type, () -> {
                    Tensor tensor = Tensor.allocate(type);
                    tensor.setDoubles(values);
                    return Optional.of(tensor)
                            .filter(made -> Arrays.stream(made.toDoubleArray()).allMatch(Double::isFinite));
                })
                .filter(graph::add)
                .map(FoldedConstants.Named::name);
    }
}
