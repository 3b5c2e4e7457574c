package org.clinfer.fix;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.Tensor;

/**
 * Computes parts of the output channels each by a convolution of its own.
 *
 * <pre>
 * y = Conv2d(x, w)
 * y = Concat(Conv2d(x, w1), Conv2d(x, w2)) {axis: 1}
 * </pre>
 */
final class SplitOutputChannels implements Rewrite {

    static final int[] COUNTS = {2, 3, 4, 8, 16};

    @Override
    public List<Replacement> of(Site site) {
        List<Replacement> all = new ArrayList<>();
        RewritableConvolution.at(site).filter(of -> of.groups() == 1).ifPresent(of -> {
            for (int count : COUNTS) {
                if (count <= of.outChannels()) {
                    all.addAll(split(of, count));
                }
            }
        });
        return all;
    }

    private static List<Replacement> split(RewritableConvolution of, int count) {
        return of.by("output channels in " + count + " parts", draft -> {
            Edge x = of.x(draft);
            List<Edge> parts = new ArrayList<>();
            long[] kernel = of.geometry().kernel();
            long from = 0;
            for (long size : Weights.parts(of.outChannels(), count)) {
                long begin = from;
                long end = from + size;
                Tensor weights = of.site()
                        .made()
                        .add(Weights.part(of.weights(), new long[] {begin, 0, 0, 0}, new long[] {
                            end, of.channelsPerGroup(), kernel[0], kernel[1]
                        }));
                Optional<Tensor> bias = of.bias().map(all -> of.site().made().add(Weights.part(all, begin, end)));
                Edge part = of.convolved(draft, x, weights, bias, of.geometry(), 1);
                parts.add(of.activated(draft, part));
                from = end;
            }
            return of.finished(draft, draft.concat(parts, 1));
        });
    }
}
