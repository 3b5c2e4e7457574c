package org.clinfer.fix;

import java.util.List;
import java.util.Set;
import org.clinfer.ops.Edge;

/**
 * Gives the padding of a maximum to a Pad with zeros in front of it, where nothing is below zero: behind a rectifier.
 *
 * <pre>
 * y = MaxPool(Relu(x)) {padding: [1, 1, 1, 1]}
 * y = MaxPool(Pad(Relu(x), [1, 1, 1, 1]))
 * </pre>
 */
final class PadBeforeMaximum implements Rewrite {

    private static final Set<String> RECTIFIERS = Set.of("Relu", "Relu6", "Sigmoid", "HardSigmoid");

    @Override
    public boolean isJoint() {
        return true;
    }

    @Override
    public List<Replacement> of(Site site) {
        boolean isRectified = site.region()
                .giver(site.x())
                .filter(giver -> RECTIFIERS.contains(giver.node().op()))
                .isPresent();
        return Pool.at(site)
                .filter(of -> !of.isMean() && isRectified && of.geometry().isPadded())
                .map(of -> site.by("zeros in front of the pool", draft -> {
                    Geometry window = of.geometry();
                    long[] none = new long[Geometry.AXES];
                    long[] end = new long[Geometry.AXES];
                    for (int i = 0; i < end.length; i++) {
                        end[i] = Math.max(
                                0,
                                window.end(
                                        i, window.out()[i], window.begin()[i], window.strides()[i], window.extent(i)));
                    }
                    Edge x = draft.padded(draft.x(), window.begin()[0], end[0], window.begin()[1], end[1]);
                    return of.pooled(draft, x, window.withPadding(none, none));
                }))
                .orElse(List.of());
    }
}
