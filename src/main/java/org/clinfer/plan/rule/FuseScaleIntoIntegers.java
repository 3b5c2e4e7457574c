package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.graph.Node;
import org.clinfer.kernel.KernelVariant;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Fuses the scales of an integer product or convolution into it, as dynamic quantization has them.
 *
 * <pre>
 * a = QuantizedMatMul(x, v);  b = Cast(a, float32);  s = Mul(x_scale, v_scale);  y = Mul(b, s)
 * y = QuantizedMatMul(x, v, x_scale, v_scale)
 * </pre>
 *
 * <p>One scale may be of each column of a product; those of a convolution are one for all channels. Not where another node
 * reads the sums, or where the device would compute them with another kernel.
 */
final class FuseScaleIntoIntegers implements FusionRule {

    private static final Set<String> INTEGERS = Set.of("QuantizedMatMul", "QuantizedConv");

    /** Inputs before the scales: both factors, bias and zero points. */
    private static final int SCALES = 5;

    /** The scales of the left and of the right factor, and the node that multiplies both if it is for this product alone. */
    private record Scales(String left, String right, Optional<Part> product) {

        static Optional<Scales> of(String value, Rewriting graph) {
            Optional<Part> product = Part.making(value, "Mul", graph).filter(part -> graph.isUsedOnce(value));
            if (product.isPresent()) {
                String first = product.get().input(0);
                String second = product.get().input(1);
                Scales scales = graph.type(first).shape().elements() == 1
                        ? new Scales(first, second, product)
                        : new Scales(second, first, product);
                if (graph.type(scales.left).shape().elements() == 1) {
                    return Optional.of(scales);
                }
            }
            return one(graph)
                    .map(one -> new Scales(value, one, Optional.empty()))
                    .map(scales -> graph.type(value).shape().elements() == 1
                            ? scales
                            : new Scales(scales.right, value, Optional.empty()));
        }

        boolean areBefore(int position, Rewriting graph) {
            return Stream.of(left, right)
                    .allMatch(scale -> graph.producer(scale).orElse(-1) < position);
        }

        private static Optional<String> one(Rewriting graph) {
            TensorType type = TensorType.of(DType.FLOAT32, 1);
            return QuantizedConstants.name(
                    graph.folded().of(List.of("scale", "1"), type, () -> Optional.of(Tensor.of(new float[] {1}, 1))),
                    graph);
        }
    }

    @Override
    public Set<String> needs() {
        return INTEGERS;
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Part scaling = Part.at(position, graph);
        if (!scaling.op().equals("Mul")) {
            return false;
        }
        for (int side = 0; side < 2; side++) {
            Optional<Part> cast = Part.making(scaling.input(side), "Cast", graph);
            Optional<Part> integers = cast.flatMap(part -> integers(part.input(0), graph));
            if (integers.isPresent()
                    && graph.type(scaling.output())
                            .equals(floats(graph.type(integers.get().output())))) {
                return rewrite(integers.get(), cast.get(), scaling, scaling.input(1 - side), graph);
            }
        }
        return false;
    }

    /** The node that makes sums which have no scale. */
    private static Optional<Part> integers(String value, Rewriting graph) {
        return INTEGERS.stream()
                .flatMap(op -> Part.making(value, op, graph).stream())
                .filter(part -> part.placed().inputs().stream().skip(SCALES).allMatch(String::isEmpty))
                .findFirst();
    }

    private static TensorType floats(TensorType type) {
        return new TensorType(DType.FLOAT32, type.shape());
    }

    private static boolean rewrite(Part integers, Part cast, Part scaling, String scale, Rewriting graph) {
        Optional<Scales> scales = Scales.of(scale, graph);
        if (scales.isEmpty()) {
            return false;
        }
        List<String> inputs = new ArrayList<>(integers.placed().inputs());
        while (inputs.size() < SCALES) {
            inputs.add("");
        }
        inputs.subList(SCALES, inputs.size()).clear();
        inputs.addAll(Arrays.asList(scales.get().left(), scales.get().right()));
        boolean isFirst = scales.get().areBefore(integers.position(), graph);
        Part main = isFirst ? integers : scaling;
        Part other = isFirst ? scaling : integers;
        List<Integer> parts = new ArrayList<>(List.of(cast.position(), other.position()));
        scales.get().product().ifPresent(part -> parts.add(part.position()));
        Node node = integers.placed().form();
        Node by = new Node(node.name(), node.op(), inputs, List.of(scaling.output()), node.params(), node.source());
        return graph.takeOver(
                main.position(),
                by,
                integers.binding().params(),
                parts,
                placed -> kernel(placed).equals(kernel(integers.placed())));
    }

    private static Optional<String> kernel(PlacedNode node) {
        return node.variant().map(KernelVariant::name);
    }
}
