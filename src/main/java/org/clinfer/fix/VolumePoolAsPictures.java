package org.clinfer.fix;

import java.util.List;
import java.util.Optional;
import org.clinfer.describe.Binding;
import org.clinfer.ops.Edge;

/**
 * Pools volumes as pictures twice: over height and width, then over depth.
 *
 * <pre>
 * y = MaxPool(x) {kernel_size: [2, 3, 3]}                                    x of [1, 4, 8, 32, 32]
 * y = MaxPool(MaxPool(x') {kernel_size: [3, 3]}) {kernel_size: [2, 1]}       x' of [1, 32, 32, 32]
 * </pre>
 *
 * <p>The elements that count in a mean are those of each axis together, so that a mean of means is the mean; where padding
 * counts and windows reach beyond it, that is not so.
 */
final class VolumePoolAsPictures implements Rewrite {

    private static final int RANK = 5;

    @Override
    public List<Replacement> of(Site site) {
        if (site.outputSizes().length != RANK) {
            return List.of();
        }
        Optional<Pool> pictures = Pool.over(site, new int[] {1, 2});
        Optional<Pool> depths = Pool.over(site, new int[] {0});
        if (pictures.isEmpty() || depths.isEmpty()) {
            return List.of();
        }
        Optional<Geometry> window = pictures.get().roundedDown();
        Optional<Geometry> depth = depths.get().roundedDown();
        return window.isPresent() && depth.isPresent()
                ? site.by(
                        "volume as pictures, its depth by itself",
                        draft -> rewritten(draft, depths.get(), window.get(), depth.get()))
                : List.of();
    }

    private static Edge rewritten(Draft draft, Pool pool, Geometry window, Geometry depth) {
        Site site = pool.site();
        Binding binding = site.node().binding();
        long[] in = binding.integers("in3");
        long[] out = binding.integers("out3");
        long[] sizes = site.outputSizes();
        Edge planes = draft.reshaped(draft.x(), sizes[0], sizes[1] * in[0], in[1], in[2]);
        Edge pooled = pool.pooled(draft, planes, window);
        Edge columns = draft.reshaped(pooled, sizes[0], sizes[1], in[0], out[1] * out[2]);
        return draft.reshaped(pool.pooled(draft, columns, depth), sizes);
    }
}
