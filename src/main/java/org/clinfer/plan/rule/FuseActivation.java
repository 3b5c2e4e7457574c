package org.clinfer.plan.rule;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.describe.Binding;
import org.clinfer.expr.Value;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Lets a convolution apply the activation that follows it.
 *
 * <pre>
 * a = Conv2d(x, w, b);  y = Relu(a)
 * y = FusedConv(x, w, b) {activation: RELU}
 * </pre>
 *
 * <p>Not where anything else uses the convolution's result, or where it ends with an activation already, or where it adds a
 * residual after one. The slope of PRelu must be one constant for all, or one for each channel.
 */
final class FuseActivation implements Rule {

    private static final Map<String, String> PLAIN =
            Map.of("Relu", "RELU", "Relu6", "RELU6", "Sigmoid", "SIGMOID", "HardSwish", "HARD_SWISH", "Tanh", "TANH");

    @Override
    public boolean apply(int position, Rewriting graph) {
        PlacedNode activation = graph.node(position).orElseThrow();
        Node node = activation.node().node();
        if (node.inputs().isEmpty()) {
            return false;
        }
        return Convolution.before(node.inputs().get(0), activation, graph)
                .filter(convolution -> !convolution.hasActivation())
                .filter(convolution -> describes(convolution, activation, graph))
                .filter(convolution -> convolution.takeOver(position, graph))
                .isPresent();
    }

    /** Gives the convolution the parameters of the activation; whether there are any that do. */
    private static boolean describes(Convolution convolution, PlacedNode activation, Rewriting graph) {
        Node node = activation.node().node();
        Binding binding = activation.node().binding();
        String plain = PLAIN.get(node.op());
        if (plain != null) {
            convolution.param("activation", Value.of(plain));
            return true;
        }
        return switch (node.op()) {
            case "LeakyRelu" -> {
                convolution.param("activation", Value.of("LEAKY_RELU")).param("alpha", Value.of(binding.real("alpha")));
                yield true;
            }
            case "Clip" -> {
                clip(convolution, binding.real("low"), binding.real("high"));
                yield true;
            }
            case "PRelu" -> {
                Optional<String> slope = slope(convolution, activation, graph);
                slope.ifPresent(name ->
                        convolution.param("activation", Value.of("PRELU")).input(Convolution.SLOPE, name));
                yield slope.isPresent();
            }
            default -> false;
        };
    }

    private static void clip(Convolution convolution, double low, double high) {
        if (low == 0 && high == 6) {
            convolution.param("activation", Value.of("RELU6"));
        } else {
            convolution
                    .param("activation", Value.of("CLIP"))
                    .param("alpha", Value.of(low))
                    .param("beta", Value.of(high));
        }
    }

    /** The slopes as a vector; empty where they are not constant, or differ along other axes than that of the channels. */
    private static Optional<String> slope(Convolution convolution, PlacedNode activation, Rewriting graph) {
        String name = activation.node().node().inputs().get(1);
        Optional<Tensor> slopes = graph.constant(name);
        if (slopes.isEmpty()) {
            return Optional.empty();
        }
        long[] sizes = slopes.get().shape().sizes();
        int axis = activation.node().binding().flag("per_channel")
                ? 1
                : PerChannel.axis(sizes, convolution.type().shape().rank(), convolution.channelAxis());
        if (axis != convolution.channelAxis()) {
            return Optional.empty();
        }
        if (sizes.length == 1) {
            return Optional.of(name);
        }
        TensorType vector = TensorType.of(slopes.get().dtype(), slopes.get().elements());
        return graph.folded()
                .of(
                        List.of(name, "as a vector"),
                        vector,
                        () -> Optional.of(slopes.get().reshaped(vector.shape())))
                .filter(graph::add)
                .map(FoldedConstants.Named::name);
    }
}
