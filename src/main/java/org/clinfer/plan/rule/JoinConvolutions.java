package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.kernel.KernelPlan;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Joins the convolutions of one value that differ in their weights alone, as where a network branches.
 *
 * <pre>
 * a = FusedConv(x, v);  b = FusedConv(x, w)
 * c = FusedConv(x, [v, w]);  a, b = Split(c)
 * </pre>
 *
 * <p>Only where kernels for GPUs take fewer launches for it, with those that copy parts: of one image and with the alignment
 * that the device asks of parts of buffers, a part needs none, but where Concat would have had the whole result in place.
 */
final class JoinConvolutions implements FusionRule {

    private static final String ON_GPUS = "groups";

    /** Convolutions that are joined, and what they become. */
    private record Joined(List<FusableConvolution> parts, PlacedNode convolution, PlacedNode split) {

        private FusableConvolution first() {
            return parts.get(0);
        }

        /** {@return whether fewer kernels are launched than before} */
        private boolean isWorth(Rewriting graph) {
            long before =
                    parts.stream().mapToLong(part -> launches(part.placed())).sum();
            return launches(convolution) + copies(graph) < before;
        }

        private static long launches(PlacedNode node) {
            return node.launches().map(KernelPlan::run).map(List::size).orElse(0);
        }

        private long copies(Rewriting graph) {
            long copies = 0;
            long offset = 0;
            for (FusableConvolution part : parts) {
                boolean isApart = offset % graph.alignment() != 0;
                copies += (isApart ? 1 : 0) + (isGathered(part.output(), graph) ? 1 : 0);
                offset += part.type().bytes();
            }
            return copies;
        }

        /** {@return whether a value would be computed in its place in a larger one} */
        private static boolean isGathered(String value, Rewriting graph) {
            return graph.users(value).stream()
                    .anyMatch(user -> graph.node(user)
                            .filter(node -> node.op().equals("Concat"))
                            .isPresent());
        }
    }

    @Override
    public Set<String> needs() {
        return FusableConvolution.OPERATORS;
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        List<FusableConvolution> alike = alike(position, graph);
        if (alike.size() < 2) {
            return false;
        }
        List<FusableConvolution> passing = alike.stream()
                .filter(part -> !Joined.isGathered(part.output(), graph))
                .toList();
        return Stream.of(alike, passing)
                .filter(parts -> parts.size() > 1 && isFree(parts.get(0), graph))
                .flatMap(parts -> joined(parts, graph).stream())
                .anyMatch(joined -> rewrite(joined, graph));
    }

    /** The convolution at a position and those after it that could be joined with it. */
    private static List<FusableConvolution> alike(int position, Rewriting graph) {
        Optional<FusableConvolution> first =
                FusableConvolution.at(position, graph).filter(found -> isJoinable(found, graph));
        if (first.isEmpty()) {
            return List.of();
        }
        long[] kernel = kernel(first.get(), graph);
        return graph.users(first.get().input(FusableConvolution.X)).stream()
                .distinct()
                .filter(user -> user >= position)
                .sorted()
                .flatMap(user -> FusableConvolution.at(user, graph).stream())
                .filter(other -> isJoinable(other, graph)
                        && other.input(FusableConvolution.X).equals(first.get().input(FusableConvolution.X))
                        && other.binding().params().equals(first.get().binding().params())
                        && Arrays.equals(kernel(other, graph), kernel))
                .toList();
    }

    private static boolean isJoinable(FusableConvolution convolution, Rewriting graph) {
        Shape shape = convolution.type().shape();
        return convolution.placed().target() == PlacedNode.Target.DEVICE
                && convolution.placed().kernel().equals(ON_GPUS)
                && !convolution.isTransposed()
                && shape.sizes()[0] == 1
                && convolution.channelAxis() == 1
                && convolution.binding().integer("groups") == 1
                && convolution.binding().text("weights_format").equals("OIX")
                && convolution.input(FusableConvolution.RESIDUAL).isEmpty()
                && convolution.input(FusableConvolution.SLOPE).isEmpty()
                && graph.constant(convolution.input(FusableConvolution.WEIGHTS)).isPresent()
                && (convolution.input(FusableConvolution.BIAS).isEmpty()
                        || graph.constant(convolution.input(FusableConvolution.BIAS))
                                .isPresent());
    }

    /** The sizes of the weights but that of the output channels. */
    private static long[] kernel(FusableConvolution convolution, Rewriting graph) {
        long[] sizes = graph.type(convolution.input(FusableConvolution.WEIGHTS))
                .shape()
                .sizes();
        sizes[0] = 0;
        return sizes;
    }

    /** {@return whether results can be cut apart right behind a convolution} */
    private static boolean isFree(FusableConvolution first, Rewriting graph) {
        return graph.node(graph.behind(first.position())).isEmpty();
    }

    private static Optional<Joined> joined(List<FusableConvolution> parts, Rewriting graph) {
        Optional<String> weights = weights(parts, graph);
        Optional<String> bias = bias(parts, graph);
        if (weights.isEmpty() || bias.isEmpty()) {
            return Optional.empty();
        }
        FusableConvolution first = parts.get(0);
        long[] sizes = first.type().shape().sizes();
        sizes[1] = parts.stream().mapToLong(FusableConvolution::channels).sum();
        String whole = graph.fresh(
                first.output() + " and others", TensorType.of(first.type().dtype(), sizes));
        Node convolution = first.placed()
                .as(
                        first.placed().op(),
                        Stream.of(first.input(FusableConvolution.X), weights.get(), bias.get())
                                .filter(name -> !name.isEmpty())
                                .toList(),
                        List.of(whole));
        Node split = new Node(
                "Split " + whole,
                "Split",
                List.of(whole),
                parts.stream().map(FusableConvolution::output).toList(),
                Map.of(),
                first.placed().form().source());
        Map<String, ExpressionValue> cuts = Map.of("axis", ExpressionValue.of(1L), "split", channels(parts));
        Optional<Joined> joined = graph.bound(convolution, first.binding().params())
                .flatMap(bound -> graph.placed(bound, PlacedNode.Target.DEVICE))
                .flatMap(one -> graph.bound(split, cuts)
                        .flatMap(bound -> graph.placed(bound, PlacedNode.Target.DEVICE))
                        .map(other -> new Joined(parts, one, other)))
                .filter(found -> found.isWorth(graph));
        if (joined.isEmpty()) {
            graph.forget(whole);
        }
        return joined;
    }

    private static ExpressionValue channels(List<FusableConvolution> parts) {
        return ExpressionValue.list(parts.stream()
                .map(part -> ExpressionValue.of((long) part.channels()))
                .toList());
    }

    /** The names that decide a joined constant, empty for a part without one, and what is made of them. */
    private static List<String> key(List<FusableConvolution> parts, int argument, String what) {
        return Stream.concat(parts.stream().map(part -> part.input(argument)), Stream.of(what))
                .toList();
    }

    /** The weights, one behind the other. */
    private static Optional<String> weights(List<FusableConvolution> parts, Rewriting graph) {
        List<Tensor> tensors = parts.stream()
                .map(part ->
                        graph.constant(part.input(FusableConvolution.WEIGHTS)).orElseThrow())
                .toList();
        long[] sizes = tensors.get(0).shape().sizes();
        sizes[0] =
                tensors.stream().mapToLong(tensor -> tensor.shape().sizes()[0]).sum();
        TensorType type = TensorType.of(tensors.get(0).dtype(), sizes);
        return graph.folded()
                .of(
                        key(parts, FusableConvolution.WEIGHTS, "as one"),
                        type,
                        () -> Optional.of(Tensor.deferred(
                                type,
                                target -> tensors.forEach(tensor -> {
                                    int bytes = Math.toIntExact(tensor.type().bytes());
                                    tensor.writeTo(target.slice(target.position(), bytes)
                                            .order(target.order()));
                                    target.position(target.position() + bytes);
                                }))))
                .filter(graph::add)
                .map(FoldedConstants.Named::name);
    }

    /** The biases, with zeros where there is none. */
    private static Optional<String> bias(List<FusableConvolution> parts, Rewriting graph) {
        if (parts.stream().allMatch(part -> part.input(FusableConvolution.BIAS).isEmpty())) {
            return Optional.of("");
        }
        List<Integer> channels =
                parts.stream().map(FusableConvolution::channels).toList();
        TensorType type = TensorType.of(
                parts.get(0).type().dtype(),
                channels.stream().mapToLong(Integer::longValue).sum());
        return graph.folded()
                .of(key(parts, FusableConvolution.BIAS, "as one bias of " + channels), type, () -> {
                    Tensor joined = Tensor.allocate(type);
                    long at = 0;
                    for (FusableConvolution part : parts) {
                        Optional<Tensor> bias = graph.constant(part.input(FusableConvolution.BIAS));
                        for (int i = 0; i < part.channels(); i++) {
                            joined.setDouble(at++, bias.isPresent() ? bias.get().getDouble(i) : 0);
                        }
                    }
                    return Optional.of(joined);
                })
                .filter(graph::add)
                .map(FoldedConstants.Named::name);
    }

    private static boolean rewrite(Joined joined, Rewriting graph) {
        List<PlacedNode> others = new ArrayList<>(joined.first().placed().fused());
        joined.parts().forEach(part -> graph.remove(part.position()));
        joined.parts().stream().skip(1).forEach(part -> {
            others.add(part.placed());
            others.addAll(part.placed().fused());
        });
        graph.put(
                joined.first().position(),
                joined.convolution().doing(joined.first().placed(), others));
        graph.put(graph.behind(joined.first().position()), joined.split());
        return true;
    }
}
