package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.clinfer.graph.Node;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Fuses the scales of an integer product or convolution into it, as dynamic quantization has them.
 *
 * <pre>
 * a = QuantizedMatMul(x, v);  b = Cast(a, float32);  s = Mul(x_scale, v_scale);  y = Mul(b, s)
 * y = QuantizedMatMul(x, v, x_scale, v_scale)
 *
 * a = QuantizedConv(x, w);  b = Add(a, c);  d = Cast(b, float32);  y = Mul(d, s)
 * y = QuantizedConv(x, w, c, s, 1)
 * </pre>
 *
 * <p>One scale may be of each column of a product; those of a convolution are one for all channels. Not where another node
 * reads the sums, or where the device would compute them with another kernel.
 */
final class FuseScaleIntoIntegers implements FusionRule {

    private static final Set<String> INTEGERS = Set.of("QuantizedMatMul", "QuantizedConv");

    private static final int BIAS = 2;

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

        private static Optional<String> one(Rewriting graph) {
            TensorType type = TensorType.of(DType.FLOAT32, 1);
            return QuantizedConstants.name(
                    graph.folded().of(List.of("scale", "1"), type, () -> Optional.of(Tensor.of(new float[] {1}, 1))),
                    graph);
        }
    }

    /** Sums without a scale, and what is added to them. */
    private record Sums(Part integers, String bias, List<Integer> adding) {

        static Optional<Sums> of(String value, Rewriting graph) {
            Optional<Part> plain = integers(value, graph);
            if (plain.isPresent()) {
                return plain.map(part -> new Sums(part, given(part), List.of()));
            }
            return Part.making(value, "Add", graph)
                    .flatMap(sum -> sum.operands()
                            .flatMap(term -> biased(sum, term.value(), term.other(), graph).stream())
                            .findFirst());
        }

        private static Optional<Sums> biased(Part sum, String value, String addend, Rewriting graph) {
            return integers(value, graph)
                    .filter(part ->
                            given(part).isEmpty() && graph.type(part.output()).equals(graph.type(sum.output())))
                    .flatMap(part -> bias(addend, part, graph).map(bias -> {
                        List<Integer> adding = new ArrayList<>(List.of(sum.position()));
                        if (!bias.equals(addend) && graph.isUsedOnce(addend)) {
                            adding.add(graph.producer(addend).orElseThrow());
                        }
                        return new Sums(part, bias, adding);
                    }));
        }

        /** The node that makes sums which have no scale. */
        private static Optional<Part> integers(String value, Rewriting graph) {
            return INTEGERS.stream()
                    .flatMap(op -> Part.making(value, op, graph).stream())
                    .filter(part -> part.placed().inputs().stream().skip(SCALES).allMatch(String::isEmpty))
                    .findFirst();
        }

        private static String given(Part integers) {
            return integers.inputs() > BIAS ? integers.input(BIAS) : "";
        }

        /** The bias of the operator that an addend stands for: one number for each channel, or what broadcasts to a matrix. */
        private static Optional<String> bias(String addend, Part integers, Rewriting graph) {
            List<Dim> dims = graph.type(addend).shape().dims();
            if (integers.op().equals("QuantizedMatMul")) {
                // the sums of vectors have other last axes than the rows and columns of which a bias is
                boolean isOfMatrices = IntStream.of(0, 1)
                        .allMatch(
                                side -> graph.type(integers.input(side)).shape().rank() >= 2);
                boolean isOne = dims.stream().allMatch(Dim.of(1)::equals);
                return dims.size() <= 2 && (isOfMatrices || isOne) ? Optional.of(addend) : Optional.empty();
            }
            int rank = graph.type(integers.output()).shape().rank();
            List<Dim> channels = List.of(graph.type(integers.input(1)).shape().dim(0));
            int axis = dims.size() - rank + 1;
            boolean isOfChannels = axis >= 0
                    && integers.binding().text("data_format").equals("NCX")
                    && IntStream.range(0, dims.size())
                            .allMatch(i -> dims.get(i).equals(i == axis ? channels.get(0) : Dim.of(1)));
            return graph.producer(addend)
                    .filter(position -> isOfChannels)
                    .flatMap(graph::viewed)
                    .filter(base -> graph.type(base).shape().dims().equals(channels));
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
        return scaling.operands()
                .flatMap(factor -> Part.making(factor.value(), "Cast", graph)
                        .flatMap(cast -> Sums.of(cast.input(0), graph)
                                .filter(sums -> graph.type(scaling.output())
                                        .equals(floats(
                                                graph.type(sums.integers().output()))))
                                .map(sums -> rewrite(sums, cast, scaling, factor.other(), graph)))
                        .stream())
                .findFirst()
                .orElse(false);
    }

    private static TensorType floats(TensorType type) {
        return new TensorType(DType.FLOAT32, type.shape());
    }

    private static boolean rewrite(Sums sums, Part cast, Part scaling, String scale, Rewriting graph) {
        Part integers = sums.integers();
        // numbers along the last axis are those of columns, and in a convolution of positions
        Optional<Scales> scales = Scales.of(scale, graph)
                .filter(both -> integers.op().equals("QuantizedMatMul")
                        || graph.type(both.right()).shape().elements() == 1);
        if (scales.isEmpty()) {
            return false;
        }
        List<String> inputs = new ArrayList<>(integers.placed().inputs());
        while (inputs.size() < SCALES) {
            inputs.add("");
        }
        inputs.subList(SCALES, inputs.size()).clear();
        inputs.set(BIAS, sums.bias());
        inputs.addAll(List.of(scales.get().left(), scales.get().right()));
        List<Integer> parts = new ArrayList<>(sums.adding());
        parts.addAll(List.of(cast.position(), scaling.position()));
        scales.get().product().ifPresent(part -> parts.add(part.position()));
        Node node = integers.placed().form();
        Node by = new Node(node.name(), node.op(), inputs, List.of(scaling.output()), node.params(), node.source());
        return graph.takeOver(
                integers.position(),
                scaling.position(),
                by,
                integers.binding().params(),
                parts,
                placed -> placed.kernel().equals(integers.placed().kernel()));
    }
}
