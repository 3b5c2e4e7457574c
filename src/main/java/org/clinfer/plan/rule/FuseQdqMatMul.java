package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.Node;

/**
 * Fuses DequantizeLinear, MatMul or Gemm and QuantizeLinear into one quantized product.
 *
 * <pre>
 * a = DequantizeLinear(x);  b = DequantizeLinear(v);  c = Gemm(a, b, bias);  d = Relu(c);  y = QuantizeLinear(d)
 * y = QuantizedMatMul(x, v, bias in int32)
 * </pre>
 *
 * <p>MatMul, with a constant added behind it or not, and Gemm without factors. y differs by one quantization step at most. Not
 * where the right side, scales or bias are computed, where a sum could leave int32, where an activation cuts more than the
 * range of the quantized type, or where only a kernel for any layout would take it that is slower than the one for real values.
 */
final class FuseQdqMatMul implements FusionRule {

    private static final int LEFT = 0;
    private static final int RIGHT = 1;
    private static final int BIAS = 2;

    /** A product, what is added to it, and where its result is. */
    private record Product(Part part, String bias, String output, List<Integer> adding) {

        static Optional<Product> of(Part part, Rewriting graph) {
            if (part.op().equals("Gemm")) {
                boolean isPlain =
                        !part.binding().flag("scaled") && !part.binding().flag("transpose_a");
                String bias = part.inputs() > BIAS ? part.input(BIAS) : "";
                return isPlain ? Optional.of(new Product(part, bias, part.output(), List.of())) : Optional.empty();
            }
            return part.op().equals("MatMul")
                    ? Optional.of(biased(part, graph).orElse(new Product(part, "", part.output(), List.of())))
                    : Optional.empty();
        }

        private static Optional<Product> biased(Part part, Rewriting graph) {
            if (!graph.isUsedOnce(part.output())) {
                return Optional.empty();
            }
            Part sum = Part.at(graph.users(part.output()).get(0), graph);
            if (!sum.op().equals("Add") || !graph.type(sum.output()).equals(graph.type(part.output()))) {
                return Optional.empty();
            }
            String bias = sum.input(0).equals(part.output()) ? sum.input(1) : sum.input(0);
            return Optional.of(new Product(part, bias, sum.output(), List.of(sum.position())));
        }

        boolean isTransposed() {
            return part.op().equals("Gemm") && part.binding().flag("transpose_b");
        }
    }

    @Override
    public Set<String> needs() {
        return Quantized.ENDS;
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Optional<Product> product = Product.of(Part.at(position, graph), graph);
        if (product.isEmpty()) {
            return false;
        }
        Part part = product.get().part();
        Optional<Dequantized> x = Dequantized.of(part.input(LEFT), graph).filter(Dequantized::isPlain);
        Optional<Dequantized> right = Dequantized.of(part.input(RIGHT), graph);
        Optional<Quantized> y =
                x.isPresent() && right.isPresent() ? Quantized.of(product.get().output(), graph) : Optional.empty();
        return y.isPresent() && rewrite(product.get(), x.get(), right.get(), y.get(), graph);
    }

    private static boolean rewrite(Product product, Dequantized x, Dequantized right, Quantized y, Rewriting graph) {
        int rank = graph.type(right.quantized()).shape().rank();
        Optional<QuantizedWeights> quantized = rank < 2 ? Optional.empty() : weights(product, right, rank);
        Optional<IntegerProduct> integers =
                quantized.flatMap(known -> IntegerProduct.of(x, known, product.bias(), y, graph));
        Optional<String> weights = integers.isPresent() && product.isTransposed()
                ? QuantizedConstants.transposed(
                        right.quantized(), quantized.get().data(), graph)
                : Optional.of(right.quantized());
        if (integers.isEmpty() || weights.isEmpty()) {
            return false;
        }
        Node by = product.part()
                .placed()
                .as("QuantizedMatMul", integers.get().inputs(weights.get()), List.of(y.quantized()));
        List<Integer> parts = new ArrayList<>(y.parts());
        parts.addAll(product.adding());
        x.own(product.part().input(LEFT), graph).ifPresent(parts::add);
        right.own(product.part().input(RIGHT), graph).ifPresent(parts::add);
        Dequantized.of(product.bias(), graph)
                .flatMap(bias -> bias.own(product.bias(), graph))
                .ifPresent(parts::add);
        return graph.takeOver(
                product.part().position(),
                by,
                Map.of(),
                parts,
                taken -> IntegerProduct.pays(product.part().placed(), taken));
    }

    private static Optional<QuantizedWeights> weights(Product product, Dequantized right, int rank) {
        return QuantizedWeights.of(right, product.isTransposed() ? 0 : rank - 1);
    }
}
