package org.clinfer.fix;

import java.util.List;

/**
 * Writes a pool whose size is rounded up with the padding that its last windows read, and a size that is rounded down.
 *
 * <pre>
 * y = MaxPool(x) {kernel_size: [2, 2], strides: [2, 2], ceil_mode: CEIL}     of 7 x 7
 * y = MaxPool(x) {kernel_size: [2, 2], strides: [2, 2], padding: [0, 1, 0, 1]}
 * </pre>
 *
 * <p>Not for a mean that counts padding, because it does not count what is read beyond it.
 */
final class PoolRoundedDown implements Rewrite {

    @Override
    public List<Replacement> of(Site site) {
        return Pool.at(site)
                .filter(of -> of.isRoundedUp() && !of.isPaddingCounted())
                .flatMap(of -> of.roundedDown()
                        .map(window -> site.by(
                                "size rounded down, and padding", draft -> of.pooled(draft, draft.x(), window))))
                .orElse(List.of());
    }
}
