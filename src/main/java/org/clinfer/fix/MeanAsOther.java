package org.clinfer.fix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.Tensor;

/**
 * Writes a mean over windows, or over whole pictures, as another operator that is the same.
 *
 * <pre>
 * y = AvgPool(x) {is_global: true}     AvgPool(x) {kernel_size: [7, 7]}     Mean(x) {axis: [2, 3], keep_dims: true}
 * y = Conv2d(x, w) {group: channels}   w of 1 / 49 each
 * </pre>
 */
final class MeanAsOther implements Rewrite {

    private static final long MOST_WEIGHTS = 1L << 22;

    private static final int PICTURES = 4;

    @Override
    public List<Replacement> of(Site site) {
        if (site.isOp("Mean")) {
            return ofMean(site);
        }
        List<Replacement> all = new ArrayList<>();
        Pool.at(site).filter(of -> of.isMean() && of.isEvenlyDivided()).ifPresent(of -> {
            if (of.isWhole()) {
                all.addAll(whole(site, site.outputSizes()));
            }
            all.addAll(convolution(of));
        });
        return all;
    }

    /** Over the last two axes of pictures. */
    private static List<Replacement> ofMean(Site site) {
        long[] in = site.sizes(site.x());
        boolean isSpatial = in.length == PICTURES
                && site.outputType().dtype().isFloating()
                && Arrays.equals(site.node().binding().integers("reduced"), new long[] {2, 3});
        return isSpatial ? whole(site, site.outputSizes()) : List.of();
    }

    private static List<Replacement> whole(Site site, long[] out) {
        long[] in = site.sizes(site.x());
        List<Replacement> all = new ArrayList<>();
        all.addAll(site.by(
                "as a global average pool",
                draft -> shaped(
                        draft, draft.ops().avgPool(draft.x()).isGlobal(true).y(), out)));
        all.addAll(site.by(
                "as an average pool of the whole picture",
                draft -> shaped(
                        draft,
                        draft.ops().avgPool(draft.x()).kernelSize(in[2], in[3]).y(),
                        out)));
        all.addAll(site.by(
                "as a mean over height and width",
                draft -> shaped(
                        draft,
                        draft.ops().mean(draft.x()).axis(2, 3).keepDims(true).y(),
                        out)));
        return all;
    }

    private static Edge shaped(Draft draft, Edge y, long[] out) {
        return Arrays.equals(Draft.sizes(y), out) ? y : draft.reshaped(y, out);
    }

    private static List<Replacement> convolution(Pool of) {
        Geometry window = of.geometry();
        long area = window.kernel()[0] * window.kernel()[1];
        if (area * of.channels() > MOST_WEIGHTS) {
            return List.of();
        }
        return of.site().by("as a depthwise convolution", draft -> {
            Tensor weights = Weights.of(
                    of.site().outputType().dtype(),
                    of.channels(),
                    1,
                    window.kernel()[0],
                    window.kernel()[1],
                    (o, i, y, x) -> 1.0 / (double) area);
            return draft.ops()
                    .conv2d(draft.x(), draft.constant(weights))
                    .strides(window.strides())
                    .padding(window.padding())
                    .dilation(window.dilations())
                    .group(of.channels())
                    .y();
        });
    }
}
