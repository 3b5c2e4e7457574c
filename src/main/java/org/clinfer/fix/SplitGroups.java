package org.clinfer.fix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.Tensor;

/**
 * Gives the groups of a convolution to several convolutions, with fewer groups each or one.
 *
 * <pre>
 * y = Conv2d(x, w) {group: 2}
 * y = Concat(Conv2d(x1, w1), Conv2d(x2, w2)) {axis: 1}          x1, x2 = Split(x) {axis: 1}
 * </pre>
 */
final class SplitGroups implements Rewrite {

    private static final int MOST_PARTS = 16;

    @Override
    public List<Replacement> of(Site site) {
        List<Replacement> all = new ArrayList<>();
        RewritableConvolution.at(site).ifPresent(of -> {
            for (int count = 2; count <= Math.min(of.groups(), MOST_PARTS); count++) {
                if (of.groups() % count == 0) {
                    all.addAll(split(of, count));
                }
            }
        });
        return all;
    }

    private static List<Replacement> split(RewritableConvolution of, int count) {
        int groups = of.groups() / count;
        return of.by("groups in " + count + " convolutions", draft -> {
            long ins = of.inChannels() / count;
            long outs = of.outChannels() / count;
            long[] sizes = new long[count];
            Arrays.fill(sizes, ins);
            List<Edge> xs = draft.split(of.x(draft), 1, sizes);
            List<Edge> parts = new ArrayList<>();
            long[] kernel = of.geometry().kernel();
            for (int i = 0; i < count; i++) {
                long from = i * outs;
                Tensor weights = of.site()
                        .made()
                        .add(Weights.part(of.weights(), new long[] {from, 0, 0, 0}, new long[] {
                            from + outs, of.channelsPerGroup(), kernel[0], kernel[1]
                        }));
                Optional<Tensor> bias =
                        of.bias().map(all -> of.site().made().add(Weights.part(all, from, from + outs)));
                Edge part = of.convolved(draft, xs.get(i), weights, bias, of.geometry(), groups);
                parts.add(of.activated(draft, part));
            }
            return of.finished(draft, draft.concat(parts, 1));
        });
    }
}
