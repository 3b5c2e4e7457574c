package org.clinfer.plan.rule;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Rewrites the MatMul of many rows with a constant matrix as a 1x1 convolution, channels last. It packs the matrix once, and
 * following nodes are fused into it.
 *
 * <pre>
 * y = MatMul(x, w)
 * y = FusedConv(x, w) {data_format: NXC, weights_format: XIO}
 * </pre>
 *
 * <p>Not of integers, of fewer than three or more than five axes, of few rows on a GPU, or where a device has only a kernel
 * for any layout.
 */
final class MatMulToConv implements FusionRule {

    private static final String FAST = "nxc";

    /** Up to so many rows GPUs have kernels of their own for products. */
    private static final long FEW_ROWS = 8;

    @Override
    public Set<String> needs() {
        return Set.of("MatMul");
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Part product = Part.at(position, graph);
        if (!product.op().equals("MatMul")) {
            return false;
        }
        TensorType x = graph.type(product.input(0));
        int rank = x.shape().rank();
        Optional<Tensor> matrix = graph.constant(product.input(1))
                .filter(known -> known.shape().rank() == 2 && known.dtype().isFloating());
        if (matrix.isEmpty() || rank < 3 || rank > 5) {
            return false;
        }
        long[] sizes = new long[rank];
        Arrays.fill(sizes, 1);
        System.arraycopy(matrix.get().shape().sizes(), 0, sizes, rank - 2, 2);
        Optional<String> weights = graph.folded()
                .reshaped(List.of(product.input(1), "as weights of " + rank + " axes"), matrix.get(), Shape.of(sizes))
                .filter(graph::add)
                .map(FoldedConstants.Named::name);
        return weights.isPresent() && rewrite(product, weights.get(), graph);
    }

    private static boolean rewrite(Part product, String weights, Rewriting graph) {
        Node by = product.placed().as("FusedConv", List.of(product.input(0), weights));
        Map<String, ExpressionValue> params =
                Map.of("data_format", ExpressionValue.of("NXC"), "weights_format", ExpressionValue.of("XIO"));
        Shape x = graph.type(product.input(0)).shape();
        long rows = x.elements() / Math.max(1, x.sizes()[x.rank() - 1]);
        boolean isFast = graph.bound(by, params)
                .flatMap(bound -> graph.placed(bound, product.placed().target()))
                .filter(placed -> placed.target() == PlacedNode.Target.CPU
                        || placed.kernel().startsWith(FAST)
                        || (GpuProducts.compute(placed) && rows > FEW_ROWS))
                .isPresent();
        return isFast && graph.replace(product.position(), by, params, List.of());
    }
}
