package org.clinfer.fix;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.clinfer.tensor.Tensor;

/**
 * Puts zeros around the weights of a convolution, whose window is then of another size.
 *
 * <pre>
 * y = Conv2d(x, w) {padding: [1, 1, 1, 1]}      w of 1 x 1
 * y = Conv2d(x, w') {padding: [2, 2, 2, 2]}     w' of 3 x 3 with w in its centre
 * </pre>
 */
final class WidenKernel implements Rewrite {

    private static final List<Long> USUAL = List.of(3L, 5L, 7L);

    @Override
    public List<Replacement> of(Site site) {
        List<Replacement> all = new ArrayList<>();
        RewritableConvolution.at(site)
                .filter(of -> !of.geometry().isDilated())
                .ifPresent(of -> additions(of.geometry()).forEach(each -> all.addAll(widened(of, each))));
        return all;
    }

    /** Rows and columns of zeros to add: those at the top and left, then those at the bottom and right. */
    private record Addition(List<Long> begin, List<Long> end) {}

    private static Set<Addition> additions(Geometry window) {
        Set<Addition> all = new LinkedHashSet<>();
        List<Long> outside = new ArrayList<>();
        List<Long> behind = new ArrayList<>();
        for (int i = 0; i < Geometry.AXES; i++) {
            long kernel = window.kernel()[i];
            outside.add(Math.max(0, window.end()[i] - kernel + 1));
            behind.add(Math.max(0, window.begin()[i] - kernel + 1));
        }
        all.add(new Addition(outside, behind));
        long largest = Math.max(window.kernel()[0], window.kernel()[1]);
        all.add(upTo(window, window.kernel()[0] | 1, window.kernel()[1] | 1));
        all.add(upTo(window, largest, largest));
        for (long size : USUAL) {
            if (size >= largest) {
                all.add(upTo(window, size, size));
            }
        }
        all.removeIf(each -> each.equals(new Addition(List.of(0L, 0L), List.of(0L, 0L))));
        return all;
    }

    private static Addition upTo(Geometry window, long height, long width) {
        long rows = height - window.kernel()[0];
        long columns = width - window.kernel()[1];
        return new Addition(List.of(rows / 2, columns / 2), List.of(rows - rows / 2, columns - columns / 2));
    }

    private static List<Replacement> widened(RewritableConvolution convolution, Addition addition) {
        Geometry window = convolution.geometry();
        long[] kernel = new long[Geometry.AXES];
        long[] before = new long[Geometry.AXES];
        long[] begin = new long[Geometry.AXES];
        long[] end = new long[Geometry.AXES];
        for (int i = 0; i < Geometry.AXES; i++) {
            before[i] = addition.begin.get(i);
            kernel[i] = window.kernel()[i] + before[i] + addition.end.get(i);
            begin[i] = window.begin()[i] + before[i];
            end[i] = window.end()[i] + addition.end.get(i);
        }
        return convolution.by("zeros around the kernel, " + kernel[0] + " x " + kernel[1], draft -> {
            Tensor weights = convolution
                    .site()
                    .made()
                    .add(Weights.among(convolution.weights(), kernel[0], kernel[1], before, new long[] {1, 1}));
            return convolution.whole(
                    draft, convolution.x(draft), weights, window.withKernel(kernel, window.dilations(), begin, end));
        });
    }
}
