package org.clinfer.fix;

import java.util.ArrayList;
import java.util.List;

/**
 * Pools with a stride of 1, and takes every so many-th result.
 *
 * <pre>
 * y = MaxPool(x) {strides: [4, 4]}
 * y = Slice(MaxPool(x)) {steps: [4, 4]}          or MaxPool {kernel_size: [1, 1], strides: [4, 4]} for Slice
 * </pre>
 */
final class PoolStrideAsSlice implements Rewrite {

    @Override
    public List<Replacement> of(Site site) {
        List<Replacement> all = new ArrayList<>();
        Pool.at(site)
                .filter(of -> of.geometry().isStrided())
                .filter(of -> !of.isMean() || of.isEvenlyDivided())
                .ifPresent(of -> {
                    for (Subsampling by : Subsampling.values()) {
                        all.addAll(rewritten(of, by));
                    }
                });
        return all;
    }

    private static List<Replacement> rewritten(Pool of, Subsampling by) {
        Geometry window = of.geometry();
        long[] end = new long[Geometry.AXES];
        for (int i = 0; i < Geometry.AXES; i++) {
            long results = (window.out()[i] - 1) * window.strides()[i] + 1;
            end[i] = Math.max(0, window.end(i, results, window.begin()[i], 1, window.extent(i)));
        }
        long[] ones = {1, 1};
        return of.site().by("stride 1 and " + by.words(), draft -> {
            Geometry dense = new Geometry(
                    window.in(), window.out(), window.kernel(), ones, window.dilations(), window.begin(), end);
            return by.of(draft, of.pooled(draft, draft.x(), dense), window.strides());
        });
    }
}
