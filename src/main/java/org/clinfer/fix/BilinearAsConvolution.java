package org.clinfer.fix;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.Tensor;

/**
 * Writes pictures that are enlarged bilinearly a whole number of times as a transposed convolution of each channel, with
 * tents as weights, of the pictures with their border once more around them.
 *
 * <pre>
 * y = Resize(x) {scales: [1, 1, 2, 2], mode: linear}
 * y = Conv2dTranspose(Concat(first row, x, last row) …, tents) {strides: [2, 2], group: channels}
 * </pre>
 */
final class BilinearAsConvolution implements Rewrite {

    private static final int PICTURES = 4;

    private static final long MOST_WEIGHTS = 1L << 20;

    /** The rules by which the middle of a pixel stays where it is. */
    private static final Set<String> MIDDLES = Set.of("half_pixel", "pytorch_half_pixel", "half_pixel_symmetric");

    @Override
    public List<Replacement> of(Site site) {
        if (!site.isOp("Resize") && !site.isOp("Upsample")) {
            return List.of();
        }
        long[] in = site.sizes(site.x());
        long[] out = site.outputSizes();
        boolean isWhole = in.length == PICTURES
                && site.outputType().dtype().isFloating()
                && in[0] == out[0]
                && in[1] == out[1]
                && out[2] % in[2] == 0
                && out[3] % in[3] == 0
                && out[2] * out[3] > in[2] * in[3];
        if (!isWhole || !isBilinear(site)) {
            return List.of();
        }
        long[] factors = {out[2] / in[2], out[3] / in[3]};
        long[] kernel = {width(factors[0]), width(factors[1])};
        if (in[1] * kernel[0] * kernel[1] > MOST_WEIGHTS) {
            return List.of();
        }
        return site.by("as a depthwise transposed convolution", draft -> {
            Tensor tents = Weights.of(
                    site.outputType().dtype(),
                    in[1],
                    1,
                    kernel[0],
                    kernel[1],
                    (o, i, y, x) -> tent(y, factors[0]) * tent(x, factors[1]));
            long rows = cut(factors[0]);
            long columns = cut(factors[1]);
            return draft.ops()
                    .conv2dTranspose(bordered(draft, bordered(draft, draft.x(), 2), 3), draft.constant(tents))
                    .strides(factors)
                    .padding(rows, rows, columns, columns)
                    .group(in[1])
                    .y();
        });
    }

    /** Scales that are given decide where pixels lie, and must be whole as well. */
    private static boolean isBilinear(Site site) {
        boolean isResize = site.isOp("Resize");
        return site.node().binding().text("filter").equals("linear")
                && MIDDLES.contains(site.node().binding().text("coordinates"))
                && (!isResize
                        || Arrays.stream(site.node().binding().reals("scales"))
                                .allMatch(scale -> scale == Math.rint(scale)));
    }

    /** Elements of a tent: all whose distance from its middle is smaller than the factor. */
    private static long width(long factor) {
        return 2 * factor - factor % 2;
    }

    private static double tent(long position, long factor) {
        double middle = (width(factor) - 1) / 2.0;
        return 1 - Math.abs(position - middle) / factor;
    }

    /** The part that the border adds to the full result, and half of what the tent is wider than a pixel. */
    private static long cut(long factor) {
        return (3 * factor - factor % 2) / 2;
    }

    /** With its first and its last elements along an axis twice. */
    private static Edge bordered(Draft draft, Edge x, int axis) {
        long size = Draft.sizes(x)[axis];
        return draft.concat(List.of(draft.slice(x, axis, 0, 1, 1), x, draft.slice(x, axis, size - 1, size, 1)), axis);
    }
}
