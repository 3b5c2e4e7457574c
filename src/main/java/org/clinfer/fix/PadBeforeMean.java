package org.clinfer.fix;

import java.util.List;
import org.clinfer.ops.Edge;

/**
 * Gives the padding of a mean to a Pad in front of it, where padding counts.
 *
 * <pre>
 * y = AvgPool(x) {padding: [1, 1, 1, 1]}
 * y = AvgPool(Pad(x, [1, 1, 1, 1]))
 * </pre>
 */
final class PadBeforeMean implements Rewrite {

    @Override
    public List<Replacement> of(Site site) {
        return Pool.at(site)
                .filter(of -> of.isMean() && of.geometry().isPadded() && of.isEvenlyDivided())
                .map(of -> site.by("padding in front of the pool", draft -> {
                    Geometry window = of.geometry();
                    Edge x = draft.padded(
                            draft.x(), window.begin()[0], window.end()[0], window.begin()[1], window.end()[1]);
                    long[] none = new long[Geometry.AXES];
                    return of.pooled(draft, x, window.withPadding(none, none));
                }))
                .orElse(List.of());
    }
}
