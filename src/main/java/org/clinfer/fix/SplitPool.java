package org.clinfer.fix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.clinfer.ops.Edge;

/**
 * Pools in two steps of smaller windows.
 *
 * <pre>
 * y = MaxPool(x) {kernel_size: [5, 5]}
 * y = MaxPool(MaxPool(x) {kernel_size: [3, 3]}) {kernel_size: [3, 3]}
 *
 * y = AvgPool(x) {kernel_size: [14, 14], strides: [14, 14]}
 * y = AvgPool(AvgPool(x) {kernel_size: [7, 7], strides: [7, 7]}) {kernel_size: [2, 2], strides: [2, 2]}
 * </pre>
 *
 * <p>Windows of a maximum may overlap; those of a mean do not, and have no padding.
 */
final class SplitPool implements Rewrite {

    private static final long[] SIZES = {64, 32, 16, 8, 7, 6, 5, 4, 3, 2};

    @Override
    public List<Replacement> of(Site site) {
        List<Replacement> all = new ArrayList<>();
        Pool.at(site).filter(of -> !of.geometry().isDilated()).ifPresent(of -> {
            for (long size : SIZES) {
                all.addAll(of.isMean() ? ofMeans(of, size) : ofMaxima(of, size));
            }
        });
        return all;
    }

    private static List<Replacement> ofMaxima(Pool of, long size) {
        Geometry window = of.geometry();
        long[] first = new long[Geometry.AXES];
        long[] second = new long[Geometry.AXES];
        long[] begin = new long[Geometry.AXES];
        long[] end = new long[Geometry.AXES];
        long[] restBegin = new long[Geometry.AXES];
        long[] restEnd = new long[Geometry.AXES];
        for (int i = 0; i < Geometry.AXES; i++) {
            first[i] = Math.min(size, window.kernel()[i]);
            second[i] = window.kernel()[i] - first[i] + 1;
            begin[i] = Math.min(window.begin()[i], first[i] - 1);
            restBegin[i] = window.begin()[i] - begin[i];
            long ending = Math.max(
                    0, window.end(i, window.out()[i], window.begin()[i], window.strides()[i], window.extent(i)));
            end[i] = Math.min(ending, first[i] - 1);
            restEnd[i] = ending - end[i];
        }
        if (Arrays.equals(first, window.kernel())) {
            return List.of();
        }
        long[] ones = {1, 1};
        return of.site().by("maximum in two steps, of " + size + " first", draft -> {
            Geometry one = new Geometry(window.in(), window.in(), first, ones, ones, begin, end);
            Geometry other =
                    new Geometry(window.in(), window.out(), second, window.strides(), ones, restBegin, restEnd);
            return of.pooled(draft, of.pooled(draft, draft.x(), one), other);
        });
    }

    private static List<Replacement> ofMeans(Pool of, long size) {
        Geometry window = of.geometry();
        long[] first = new long[Geometry.AXES];
        long[] second = new long[Geometry.AXES];
        for (int i = 0; i < Geometry.AXES; i++) {
            long kernel = window.kernel()[i];
            first[i] = kernel % size == 0 ? size : 1;
            second[i] = kernel / first[i];
            boolean isApart = window.strides()[i] == kernel || window.out()[i] == 1;
            if (!isApart || window.in()[i] < window.out()[i] * kernel) {
                return List.of();
            }
        }
        if (!of.isEvenlyDivided() || window.isPadded() || first[0] * first[1] == 1 || second[0] * second[1] == 1) {
            return List.of();
        }
        long[] ones = {1, 1};
        long[] none = new long[Geometry.AXES];
        return of.site().by("mean in two steps, of " + size + " first", draft -> {
            Geometry one = new Geometry(window.in(), window.in(), first, first, ones, none, none);
            Geometry other = new Geometry(window.in(), window.out(), second, second, ones, none, none);
            Edge read = draft.slice(
                    draft.slice(draft.x(), 2, 0, window.out()[0] * window.kernel()[0], 1),
                    3,
                    0,
                    window.out()[1] * window.kernel()[1],
                    1);
            return of.pooled(draft, of.pooled(draft, read, one), other);
        });
    }
}
