package org.clinfer.fix;

import java.util.List;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.Tensor;

/**
 * Convolves all channels at once, with zeros where groups have nothing to do with each other.
 *
 * <pre>
 * y = Conv2d(x, w) {group: 4}     w of [out, in / 4, ...]
 * y = Conv2d(x, w')               w' of [out, in, ...], of which three in four are 0
 * </pre>
 */
final class GroupsAsZeros implements Rewrite {

    private static final long MOST_WEIGHTS = 1L << 22;

    @Override
    public List<Replacement> of(Site site) {
        return RewritableConvolution.at(site)
                .filter(of -> of.groups() > 1)
                .filter(of -> of.weights().elements() * of.groups() <= MOST_WEIGHTS)
                .map(of -> of.by("zeros instead of groups", draft -> {
                    Tensor weights = site.made().add(weights(of));
                    Edge y = of.convolved(draft, of.x(draft), weights, of.bias(), of.geometry(), 1);
                    return of.finished(draft, of.activated(draft, y));
                }))
                .orElse(List.of());
    }

    private static Tensor weights(RewritableConvolution of) {
        int ins = of.channelsPerGroup();
        int outs = of.outChannels() / of.groups();
        long[] kernel = of.geometry().kernel();
        return Weights.of(
                of.dtype(),
                of.outChannels(),
                of.inChannels(),
                kernel[0],
                kernel[1],
                (o, i, y, x) -> i / ins == o / outs ? Weights.at(of.weights(), o, i % ins, y, x) : 0);
    }
}
