package org.clinfer.fix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.clinfer.ops.Edge;

/**
 * Gives the padding of a convolution to a Pad in front of it: all of it, or what one side has more than the other.
 *
 * <pre>
 * y = Conv2d(x, w) {padding: [1, 2, 1, 2]}
 * y = Conv2d(Pad(x, [1, 2, 1, 2]), w)
 * </pre>
 */
final class PadBeforeConvolution implements Rewrite {

    @Override
    public List<Replacement> of(Site site) {
        List<Replacement> all = new ArrayList<>();
        RewritableConvolution.at(site).filter(of -> of.geometry().isPadded()).ifPresent(convolution -> {
            Geometry window = convolution.geometry();
            long[] even = new long[Geometry.AXES];
            for (int i = 0; i < even.length; i++) {
                even[i] = Math.min(window.begin()[i], window.end()[i]);
            }
            if (even[0] + even[1] > 0 && !Arrays.equals(window.begin(), window.end())) {
                all.addAll(padded(convolution, even));
            }
            all.addAll(padded(convolution, new long[Geometry.AXES]));
        });
        return all;
    }

    /** @param left the padding on each side that stays with the convolution */
    private static List<Replacement> padded(RewritableConvolution convolution, long[] left) {
        Geometry window = convolution.geometry();
        long[] begin = window.begin();
        long[] end = window.end();
        return convolution.by("padding in front of the convolution", draft -> {
            Edge x = draft.padded(
                    convolution.x(draft), begin[0] - left[0], end[0] - left[0], begin[1] - left[1], end[1] - left[1]);
            return convolution.whole(draft, x, convolution.weights(), window.withPadding(left, left));
        });
    }
}
