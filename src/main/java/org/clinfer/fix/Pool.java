package org.clinfer.fix;

import java.util.Arrays;
import java.util.Optional;
import org.clinfer.describe.Binding;
import org.clinfer.ops.Edge;

/**
 * A maximum or mean over windows of pictures.
 *
 * @param site the pool
 * @param isMean whether it is a mean
 * @param geometry with the padding that windows read
 * @param isPaddingCounted whether padding counts in the divisor of a mean
 * @param isRoundedUp whether the output size is rounded up
 */
record Pool(Site site, boolean isMean, Geometry geometry, boolean isPaddingCounted, boolean isRoundedUp) {

    /** The pool at a site; empty where there is none, or none of pictures. */
    static Optional<Pool> at(Site site) {
        boolean isMean = site.isOp("AvgPool");
        if ((!isMean && !site.isOp("MaxPool"))
                || site.outputSizes().length != 4
                || !site.outputType().dtype().isFloating()) {
            return Optional.empty();
        }
        Binding binding = site.node().binding();
        Geometry window = new Geometry(
                lastTwo(binding.integers("in3")),
                lastTwo(binding.integers("out3")),
                lastTwo(binding.integers("kernel3")),
                lastTwo(binding.integers("stride3")),
                lastTwo(binding.integers("dilation3")),
                lastTwo(binding.integers("pad_begin3")),
                lastTwo(binding.integers("pad_end3")));
        return Optional.of(new Pool(
                site,
                isMean,
                window,
                isMean && binding.flag("count_include_pad"),
                binding.text("ceil_mode").equals("CEIL")));
    }

    private static long[] lastTwo(long[] three) {
        return new long[] {three[1], three[2]};
    }

    /** Tells whether the window is the whole of each picture. */
    boolean isWhole() {
        return Arrays.equals(geometry.in(), geometry.kernel()) && !geometry.isPadded();
    }

    int channels() {
        return Math.toIntExact(site.outputSizes()[1]);
    }

    /** Tells whether padding and rounding leave the divisor of each mean the number of elements in the window. */
    boolean isEvenlyDivided() {
        return (!geometry.isPadded() || isPaddingCounted) && readsAll();
    }

    /** Tells whether no window reaches beyond the padding. */
    private boolean readsAll() {
        for (int i = 0; i < Geometry.AXES; i++) {
            long ending =
                    geometry.end(i, geometry.out()[i], geometry.begin()[i], geometry.strides()[i], geometry.extent(i));
            if (ending > geometry.end()[i]) {
                return false;
            }
        }
        return true;
    }

    /** The same kind of pool over other windows, with sizes rounded down. */
    Edge pooled(Draft draft, Edge x, Geometry window) {
        if (isMean) {
            return draft.ops()
                    .avgPool(x)
                    .kernelSize(window.kernel())
                    .strides(window.strides())
                    .dilation(window.dilations())
                    .padding(window.padding())
                    .countIncludePad(isPaddingCounted)
                    .y();
        }
        return draft.ops()
                .maxPool(x)
                .kernelSize(window.kernel())
                .strides(window.strides())
                .dilation(window.dilations())
                .padding(window.padding())
                .y();
    }
}
