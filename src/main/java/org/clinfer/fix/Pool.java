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
        return site.outputSizes().length == 4 ? over(site, new int[] {1, 2}) : Optional.empty();
    }

    /**
     * The pool at a site over some of its axes alone, which are two at most; empty where there is none.
     *
     * @param axes among depth, height and width
     */
    static Optional<Pool> over(Site site, int[] axes) {
        boolean isMean = site.isOp("AvgPool");
        if ((!isMean && !site.isOp("MaxPool")) || !site.outputType().dtype().isFloating()) {
            return Optional.empty();
        }
        Binding binding = site.node().binding();
        Geometry window = new Geometry(
                of(axes, binding.integers("in3"), 1),
                of(axes, binding.integers("out3"), 1),
                of(axes, binding.integers("kernel3"), 1),
                of(axes, binding.integers("stride3"), 1),
                of(axes, binding.integers("dilation3"), 1),
                of(axes, binding.integers("pad_begin3"), 0),
                of(axes, binding.integers("pad_end3"), 0));
        return Optional.of(new Pool(
                site,
                isMean,
                window,
                isMean && binding.flag("count_include_pad"),
                binding.text("ceil_mode").equals("CEIL")));
    }

    private static long[] of(int[] axes, long[] three, long otherwise) {
        return axes.length == Geometry.AXES
                ? new long[] {three[axes[0]], three[axes[1]]}
                : new long[] {three[axes[0]], otherwise};
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

    /**
     * The window with the padding that is read of a size that is rounded down; empty where padding counts and windows reach
     * beyond it, which does not.
     */
    Optional<Geometry> roundedDown() {
        if (isPaddingCounted) {
            return readsAll() ? Optional.of(geometry) : Optional.empty();
        }
        long[] end = new long[Geometry.AXES];
        for (int i = 0; i < end.length; i++) {
            end[i] = Math.max(
                    0,
                    geometry.end(i, geometry.out()[i], geometry.begin()[i], geometry.strides()[i], geometry.extent(i)));
        }
        return Optional.of(geometry.withPadding(geometry.begin(), end));
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
