package org.clinfer.fix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.clinfer.describe.Binding;
import org.clinfer.ops.Conv2dOp;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.Tensor;

/**
 * Multiplies by a constant matrix as a convolution of one element.
 *
 * <pre>
 * y = Gemm(x, w, b)                                          [rows, columns]
 * y = Reshape(Conv2d(Reshape(x), w', b))                     [rows, columns, 1, 1] in between
 * </pre>
 *
 * <p>A product of more dimensions has its rows as the height of one picture.
 */
final class ProductAsConvolution implements Rewrite {

    @Override
    public List<Replacement> of(Site site) {
        boolean isMatrix = site.isOp("Gemm") || site.isOp("MatMul") || site.isOp("InnerProduct");
        if (!isMatrix
                || !site.outputType().dtype().isFloating()
                || site.constant(0).isPresent()
                || site.constant(1).isEmpty()) {
            return List.of();
        }
        Binding binding = site.node().binding();
        Tensor weights = site.constant(1).get();
        if (weights.shape().rank() != 2 || site.isOp("InnerProduct")) {
            return List.of();
        }
        boolean isGemm = site.isOp("Gemm");
        boolean isPlain = !isGemm
                || (!binding.flag("transpose_a")
                        && binding.real("alpha") == 1
                        && binding.real("beta") == 1
                        && isBias(site));
        boolean isTransposed = isGemm && binding.flag("transpose_b");
        return isPlain && site.sizes(site.x()).length >= 2 ? rewritten(site, weights, isTransposed) : List.of();
    }

    private static boolean isBias(Site site) {
        return site.input(2).isEmpty()
                || site.constant(2)
                        .filter(bias -> bias.elements() == site.outputSizes()[1]
                                && bias.shape().rank() >= 1
                                && bias.shape().size(bias.shape().rank() - 1) == bias.elements())
                        .isPresent();
    }

    private static List<Replacement> rewritten(Site site, Tensor matrix, boolean isTransposed) {
        long[] in = site.sizes(site.x());
        long[] out = site.outputSizes();
        long columns = in[in.length - 1];
        long results = out[out.length - 1];
        long rows = Arrays.stream(in, 0, in.length - 1).reduce(1, Math::multiplyExact);
        List<Replacement> all = new ArrayList<>();
        all.addAll(site.by("as a convolution of single elements", draft -> {
            Edge x = draft.reshaped(draft.x(), rows, columns, 1, 1);
            return draft.reshaped(convolved(site, draft, x, matrix, isTransposed, results, columns), out);
        }));
        if (rows > 1) {
            all.addAll(site.by("as a convolution of a picture", draft -> {
                Edge turned = draft.ops()
                        .transpose(draft.reshaped(draft.x(), 1, rows, columns))
                        .perm(0, 2, 1)
                        .y();
                Edge y = convolved(
                        site,
                        draft,
                        draft.reshaped(turned, 1, columns, rows, 1),
                        matrix,
                        isTransposed,
                        results,
                        columns);
                Edge back = draft.ops()
                        .transpose(draft.reshaped(y, 1, results, rows))
                        .perm(0, 2, 1)
                        .y();
                return draft.reshaped(back, out);
            }));
        }
        return all;
    }

    private static Edge convolved(
            Site site, Draft draft, Edge x, Tensor matrix, boolean isTransposed, long results, long columns) {
        Tensor weights = Weights.of(
                matrix.dtype(),
                results,
                columns,
                1,
                1,
                (o, i, row, column) -> matrix.getDouble(isTransposed ? o * columns + i : i * results + o));
        Conv2dOp op = draft.ops().conv2d(x, draft.constant(weights));
        site.constant(2).ifPresent(bias -> op.bias(draft.constant(Weights.shaped(bias, results))));
        return op.y();
    }
}
