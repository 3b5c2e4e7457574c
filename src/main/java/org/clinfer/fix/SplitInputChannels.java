package org.clinfer.fix;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.Tensor;

/**
 * Adds up convolutions of parts of the input channels.
 *
 * <pre>
 * y = Conv2d(x, w)
 * y = Add(Conv2d(x1, w1), Conv2d(x2, w2))          x1, x2 = Split(x) {axis: 1}
 * </pre>
 */
final class SplitInputChannels implements Rewrite {

    @Override
    public List<Replacement> of(Site site) {
        List<Replacement> all = new ArrayList<>();
        RewritableConvolution.at(site).filter(of -> of.groups() == 1).ifPresent(of -> {
            for (int count : SplitOutputChannels.COUNTS) {
                if (count <= of.inChannels()) {
                    all.addAll(split(of, count));
                }
            }
        });
        return all;
    }

    private static List<Replacement> split(RewritableConvolution of, int count) {
        return of.by("input channels in " + count + " parts", draft -> {
            long[] sizes = Weights.parts(of.inChannels(), count);
            List<Edge> xs = draft.split(of.x(draft), 1, sizes);
            List<Edge> terms = new ArrayList<>();
            long[] kernel = of.geometry().kernel();
            long from = 0;
            for (int i = 0; i < count; i++) {
                Tensor weights = of.site()
                        .made()
                        .add(Weights.part(of.weights(), new long[] {0, from, 0, 0}, new long[] {
                            of.outChannels(), from + sizes[i], kernel[0], kernel[1]
                        }));
                Optional<Tensor> bias = i == 0 ? of.bias() : Optional.empty();
                terms.add(of.convolved(draft, xs.get(i), weights, bias, of.geometry(), 1));
                from += sizes[i];
            }
            return of.finished(draft, of.activated(draft, draft.sum(terms)));
        });
    }
}
