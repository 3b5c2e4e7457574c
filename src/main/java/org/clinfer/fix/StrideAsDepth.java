package org.clinfer.fix;

import java.util.List;
import org.clinfer.ops.Edge;
import org.clinfer.ops.ReorgOp;
import org.clinfer.tensor.Tensor;

/**
 * Makes depth of the elements that a stride steps over, and convolves these without a stride.
 *
 * <pre>
 * y = Conv2d(x, w) {strides: [2, 2]}               w of 3 x 3
 * y = Conv2d(Reorg(Pad(x)) {scale: 2}, w')         w' of 2 x 2, four times as many input channels
 * </pre>
 *
 * <p>Of one group without a dilation, with the same stride along both axes.
 */
final class StrideAsDepth implements Rewrite {

    private static final long MOST_CHANNELS = 4096;

    @Override
    public List<Replacement> of(Site site) {
        return RewritableConvolution.at(site)
                .filter(StrideAsDepth::isTaken)
                .map(of -> of.by("stride as space to depth", draft -> rewritten(draft, of)))
                .orElse(List.of());
    }

    private static boolean isTaken(RewritableConvolution of) {
        long[] strides = of.geometry().strides();
        return of.groups() == 1
                && !of.geometry().isDilated()
                && strides[0] == strides[1]
                && strides[0] > 1
                && of.inChannels() * strides[0] * strides[0] <= MOST_CHANNELS;
    }

    private static Edge rewritten(Draft draft, RewritableConvolution of) {
        Geometry window = of.geometry();
        long stride = window.strides()[0];
        long[] kernel = new long[Geometry.AXES];
        long[] after = new long[Geometry.AXES];
        long[] read = new long[Geometry.AXES];
        for (int i = 0; i < Geometry.AXES; i++) {
            kernel[i] = Geometry.ceilDiv(window.kernel()[i], stride);
            long length = (window.out()[i] - 1 + kernel[i]) * stride - window.begin()[i];
            after[i] = Math.max(0, length - window.in()[i]);
            read[i] = Math.min(length, window.in()[i]);
        }
        Edge x = draft.slice(draft.slice(of.x(draft), 2, 0, read[0], 1), 3, 0, read[1], 1);
        Edge padded = draft.padded(x, window.begin()[0], after[0], window.begin()[1], after[1]);
        Edge deep = draft.ops().reorg(padded, stride).order(ReorgOp.Order.DCR).y();
        Tensor weights = of.site().made().add(weights(of, stride, kernel));
        long[] ones = {1, 1};
        Geometry dense = new Geometry(
                new long[] {(after[0] + read[0] + window.begin()[0]) / stride, 0},
                window.out(),
                kernel,
                ones,
                ones,
                new long[Geometry.AXES],
                new long[Geometry.AXES]);
        return of.whole(draft, deep, weights, dense);
    }

    /** Channel (row * stride + column) * channels + c of the deep picture has that place of each block of channel c. */
    private static Tensor weights(RewritableConvolution of, long stride, long[] kernel) {
        long channels = of.inChannels();
        long[] own = of.geometry().kernel();
        return Weights.of(
                of.dtype(), of.outChannels(), channels * stride * stride, kernel[0], kernel[1], (o, i, y, x) -> {
                    long place = i / channels;
                    long row = y * stride + place / stride;
                    long column = x * stride + place % stride;
                    return row < own[0] && column < own[1]
                            ? Weights.at(of.weights(), o, (int) (i % channels), (int) row, (int) column)
                            : 0;
                });
    }
}
