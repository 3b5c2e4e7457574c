package org.clinfer.fix;

import java.util.List;
import java.util.Set;
import org.clinfer.ops.Conv2dOp;
import org.clinfer.tensor.Tensor;

/**
 * Multiplies whole pictures by a constant matrix as a convolution whose window is the whole picture.
 *
 * <pre>
 * y = Gemm(Reshape(x), w, b)          x of [batch, channels, height, width]
 * y = Reshape(Conv2d(x, w', b))       w' of [columns, channels, height, width]
 * </pre>
 */
final class FlattenIntoConvolution implements Rewrite {

    private static final Set<String> SHAPES = Set.of("Reshape", "Flatten", "Squeeze");

    private static final int PICTURES = 4;

    @Override
    public boolean isJoint() {
        return true;
    }

    @Override
    public List<Replacement> of(Site site) {
        if (SHAPES.contains(site.op())) {
            return site.region()
                    .onlyReader(site.output())
                    .map(reader -> rewritten(site.at(reader), site))
                    .orElse(List.of());
        }
        return site.region()
                .giver(site.x())
                .filter(giver -> SHAPES.contains(giver.node().op()))
                .map(giver -> rewritten(site, site.at(giver)))
                .orElse(List.of());
    }

    private static List<Replacement> rewritten(Site product, Site flatten) {
        long[] in = flatten.sizes(flatten.x());
        boolean isTaken = product.isOp("Gemm")
                && product.constant(1).isPresent()
                && product.x().equals(flatten.output())
                && in.length == PICTURES
                && in[0] == product.outputSizes()[0]
                && !product.node().binding().flag("transpose_a")
                && product.node().binding().real("alpha") == 1
                && product.node().binding().real("beta") == 1
                && (product.input(2).isEmpty() || product.constant(2).isPresent());
        if (!isTaken
                || product.constant(2)
                        .filter(bias -> bias.elements() != product.outputSizes()[1])
                        .isPresent()) {
            return List.of();
        }
        boolean isTransposed = product.node().binding().flag("transpose_b");
        Tensor matrix = product.constant(1).orElseThrow();
        long results = product.outputSizes()[1];
        return product.by(
                "as a convolution of the whole picture",
                List.of(flatten.node(), product.node()),
                product.output(),
                draft -> {
                    Tensor weights = Weights.of(matrix.dtype(), results, in[1], in[2], in[3], (o, i, y, x) -> {
                        long row = (i * in[2] + y) * in[3] + x;
                        return matrix.getDouble(isTransposed ? o * in[1] * in[2] * in[3] + row : row * results + o);
                    });
                    Conv2dOp op = draft.ops().conv2d(draft.edge(flatten.x()), draft.constant(weights));
                    product.constant(2).ifPresent(bias -> op.bias(draft.constant(Weights.shaped(bias, results))));
                    return draft.reshaped(op.y(), product.outputSizes());
                });
    }
}
