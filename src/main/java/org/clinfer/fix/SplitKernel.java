package org.clinfer.fix;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.Tensor;

/**
 * Adds up convolutions with parts of a kernel.
 *
 * <pre>
 * y = Conv2d(x, w)                                            w of 7 x 7
 * y = Add(Conv2d(x, w1), Conv2d(Slice(x), w2)), ...           w1, w2 of 4 x 7, 3 x 7
 * </pre>
 *
 * <p>Each reads x from where its part begins; the padding is that of its part.
 */
final class SplitKernel implements Rewrite {

    private static final long[] SIZES = {64, 32, 16, 11, 8, 7, 5, 3, 1};

    private static final int MOST_PARTS = 16;

    @Override
    public List<Replacement> of(Site site) {
        List<Replacement> all = new ArrayList<>();
        RewritableConvolution.at(site).ifPresent(of -> {
            long[] kernel = of.geometry().kernel();
            for (long size : SIZES) {
                long parts = Geometry.ceilDiv(kernel[0], size) * Geometry.ceilDiv(kernel[1], size);
                if (parts > 1 && parts <= MOST_PARTS) {
                    all.addAll(split(of, size));
                }
            }
        });
        return all;
    }

    private static List<Replacement> split(RewritableConvolution convolution, long size) {
        return convolution.by("kernel split into parts of " + size + " at most", draft -> {
            long[] kernel = convolution.geometry().kernel();
            Edge x = convolution.x(draft);
            List<Edge> terms = new ArrayList<>();
            for (long top = 0; top < kernel[0]; top += size) {
                for (long left = 0; left < kernel[1]; left += size) {
                    long[] from = {top, left};
                    long[] to = {Math.min(top + size, kernel[0]), Math.min(left + size, kernel[1])};
                    terms.add(term(draft, convolution, x, from, to, terms.isEmpty()));
                }
            }
            return convolution.finished(draft, convolution.activated(draft, draft.sum(terms)));
        });
    }

    private static Edge term(
            Draft draft, RewritableConvolution convolution, Edge pictures, long[] from, long[] to, boolean isFirst) {
        Geometry window = convolution.geometry();
        long[] kernel = {to[0] - from[0], to[1] - from[1]};
        long[] begin = new long[Geometry.AXES];
        long[] end = new long[Geometry.AXES];
        long[] dilations = new long[Geometry.AXES];
        Edge x = pictures;
        for (int i = 0; i < Geometry.AXES; i++) {
            dilations[i] = kernel[i] == 1 ? 1 : window.dilations()[i];
            long extent = window.dilations()[i] * (kernel[i] - 1) + 1;
            long beginning = window.begin()[i] - window.dilations()[i] * from[i];
            long ending = window.end(i, window.out()[i], beginning, window.strides()[i], extent);
            x = draft.slice(x, 2 + i, Math.max(0, -beginning), window.in()[i] + Math.min(0, ending), 1);
            begin[i] = Math.max(0, beginning);
            end[i] = Math.max(0, ending);
        }
        Tensor weights = convolution
                .site()
                .made()
                .add(Weights.part(convolution.weights(), new long[] {0, 0, from[0], from[1]}, new long[] {
                    convolution.outChannels(), convolution.channelsPerGroup(), to[0], to[1]
                }));
        return convolution.convolved(
                draft,
                x,
                weights,
                isFirst ? convolution.bias() : Optional.empty(),
                window.withKernel(kernel, dilations, begin, end),
                convolution.groups());
    }
}
