package org.clinfer.plan.rule;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.tensor.TensorType;

/**
 * Fuses the Add of a constant into the MatMul or Gemm before it.
 *
 * <pre>
 * a = MatMul(x, w);  y = Add(a, c)
 * y = Gemm(x, w, c)
 * </pre>
 *
 * <p>Also Gemm without an addend. Not for integers, where another node reads the product, where the sum is larger than it,
 * or where the device would compute the product with another kernel.
 */
final class FuseBiasIntoMatMul implements FusionRule {

    private static final int ADDEND = 2;

    @Override
    public Set<String> needs() {
        return Set.of("MatMul", "Gemm");
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Part sum = Part.at(position, graph);
        return sum.op().equals("Add")
                && sum.operands()
                        .filter(term -> graph.constant(term.other()).isPresent())
                        .anyMatch(term -> product(term.value(), graph)
                                .filter(product -> rewrite(product, term.other(), sum, graph))
                                .isPresent());
    }

    /** The product of two matrices that makes a value, if it adds nothing yet. */
    private static Optional<Part> product(String value, Rewriting graph) {
        return Part.making(value, "MatMul", graph)
                .or(() -> Part.making(value, "Gemm", graph).filter(gemm -> !hasAddend(gemm)))
                .filter(product -> isMatrix(product.input(0), graph) && isMatrix(product.input(1), graph))
                .filter(product -> graph.type(value).dtype().isFloating());
    }

    private static boolean hasAddend(Part gemm) {
        return gemm.inputs() > ADDEND && !gemm.input(ADDEND).isEmpty();
    }

    private static boolean isMatrix(String value, Rewriting graph) {
        return graph.type(value).shape().rank() == 2;
    }

    private static boolean rewrite(Part product, String addend, Part sum, Rewriting graph) {
        TensorType type = graph.type(sum.output());
        if (!type.equals(graph.type(product.output()))) {
            return false;
        }
        Node by =
                product.placed().as("Gemm", List.of(product.input(0), product.input(1), addend), List.of(sum.output()));
        Map<String, ExpressionValue> params = new HashMap<>();
        if (product.op().equals("Gemm")) {
            params.putAll(product.binding().params());
        }
        params.put("beta", ExpressionValue.of(1.0));
        return graph.takeOver(
                product.position(),
                by,
                params,
                List.of(sum.position()),
                placed -> placed.kernel().equals(product.placed().kernel()));
    }
}
