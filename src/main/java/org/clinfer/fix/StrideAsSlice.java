package org.clinfer.fix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.clinfer.ops.Edge;

/**
 * Convolves with a smaller stride, and takes every so many-th result; a kernel of one element takes every so many-th input.
 *
 * <pre>
 * y = Conv2d(x, w) {strides: [4, 4]}
 * y = Slice(Conv2d(x, w)) {steps: [4, 4]}          or MaxPool {kernel_size: [1, 1], strides: [4, 4]} for Slice
 * </pre>
 */
final class StrideAsSlice implements Rewrite {

    private static final long[] STRIDES = {8, 4, 3, 2, 1};

    @Override
    public List<Replacement> of(Site site) {
        List<Replacement> all = new ArrayList<>();
        RewritableConvolution.at(site).filter(of -> of.geometry().isStrided()).ifPresent(of -> {
            for (Subsampling by : Subsampling.values()) {
                all.addAll(before(of, by));
                for (long stride : STRIDES) {
                    all.addAll(behind(of, stride, by));
                }
            }
        });
        return all;
    }

    /** Of a kernel of one element, whose other inputs nobody reads. */
    private static List<Replacement> before(RewritableConvolution convolution, Subsampling by) {
        Geometry window = convolution.geometry();
        if (window.kernel()[0] * window.kernel()[1] != 1 || window.isPadded()) {
            return List.of();
        }
        return convolution.by(by.words() + " in front of the convolution", draft -> {
            Edge x = by.of(draft, convolution.x(draft), window.strides());
            Geometry dense = new Geometry(
                    window.in(),
                    window.out(),
                    window.kernel(),
                    new long[] {1, 1},
                    window.dilations(),
                    window.begin(),
                    window.end());
            return convolution.whole(draft, x, convolution.weights(), dense);
        });
    }

    private static List<Replacement> behind(RewritableConvolution convolution, long most, Subsampling by) {
        Geometry window = convolution.geometry();
        long[] strides = new long[Geometry.AXES];
        long[] steps = new long[Geometry.AXES];
        long[] end = new long[Geometry.AXES];
        for (int i = 0; i < Geometry.AXES; i++) {
            long stride = window.strides()[i];
            strides[i] = stride <= most ? stride : stride % most == 0 ? most : 1;
            steps[i] = stride / strides[i];
            long results = (window.out()[i] - 1) * steps[i] + 1;
            end[i] = Math.max(0, window.end(i, results, window.begin()[i], strides[i], window.extent(i)));
        }
        if (Arrays.equals(strides, window.strides())) {
            return List.of();
        }
        return convolution.by("stride " + strides[0] + " x " + strides[1] + " and " + by.words(), draft -> {
            Geometry dense = new Geometry(
                    window.in(), window.out(), window.kernel(), strides, window.dilations(), window.begin(), end);
            Edge y = convolution.convolved(
                    draft,
                    convolution.x(draft),
                    convolution.weights(),
                    convolution.bias(),
                    dense,
                    convolution.groups());
            Edge all = convolution.activated(draft, y);
            return convolution.finished(draft, by.of(draft, all, steps));
        });
    }
}
