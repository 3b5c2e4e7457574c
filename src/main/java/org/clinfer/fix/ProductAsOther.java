package org.clinfer.fix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.clinfer.describe.Binding;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.Tensor;

/**
 * Writes a product of matrices by another operator that is the same.
 *
 * <pre>
 * y = Gemm(a, b, c)          y = Add(MatMul(a, b), c)
 * y = MatMul(a, b)           y = Gemm(a, b)
 * </pre>
 */
final class ProductAsOther implements Rewrite {

    @Override
    public List<Replacement> of(Site site) {
        if (site.isOp("MatMul")) {
            return ofMatMul(site);
        }
        return site.isOp("Gemm") ? ofGemm(site) : List.of();
    }

    private static List<Replacement> ofMatMul(Site site) {
        boolean isMatrix = site.sizes(site.x()).length == 2 && site.outputSizes().length == 2;
        List<Replacement> all = new ArrayList<>();
        String b = site.node().node().inputs().get(1);
        if (isMatrix) {
            all.addAll(site.by(
                    "as Gemm",
                    draft -> draft.ops().gemm(draft.x(), draft.edge(b)).y()));
        } else if (site.sizes(b).length == 2 && site.sizes(site.x()).length > 2) {
            all.addAll(site.by("as a product of two matrices", draft -> {
                long[] in = site.sizes(site.x());
                long columns = in[in.length - 1];
                long rows = Arrays.stream(in, 0, in.length - 1).reduce(1, Math::multiplyExact);
                Edge y = draft.ops().matMul(draft.reshaped(draft.x(), rows, columns), draft.edge(b));
                return draft.reshaped(y, site.outputSizes());
            }));
        }
        return all;
    }

    private static List<Replacement> ofGemm(Site site) {
        Binding binding = site.node().binding();
        if (binding.flag("transpose_a") || binding.real("alpha") != 1 || binding.real("beta") != 1) {
            return List.of();
        }
        return site.by("as MatMul and Add", draft -> {
            String b = site.node().node().inputs().get(1);
            Edge right = draft.edge(b);
            if (binding.flag("transpose_b")) {
                Optional<Tensor> constant = site.constant(1);
                right = constant.isPresent()
                        ? draft.constant(transposed(constant.get()))
                        : draft.ops().transpose(right).perm(1, 0).y();
            }
            Edge y = draft.ops().matMul(draft.x(), right);
            return site.input(2).isPresent()
                    ? draft.ops().add(y, draft.edge(site.input(2).get()))
                    : y;
        });
    }

    private static Tensor transposed(Tensor matrix) {
        long rows = matrix.shape().size(0);
        long columns = matrix.shape().size(1);
        Tensor transposed = Tensor.allocate(matrix.dtype(), columns, rows);
        for (long row = 0; row < rows; row++) {
            for (long column = 0; column < columns; column++) {
                transposed.setDouble(column * rows + row, matrix.getDouble(row * columns + column));
            }
        }
        return transposed;
    }
}
