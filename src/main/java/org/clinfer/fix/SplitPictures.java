package org.clinfer.fix;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.ops.Edge;

/**
 * Convolves parts of the rows or columns, each with what its windows read.
 *
 * <pre>
 * y = Conv2d(x, w)
 * y = Concat(Conv2d(Slice(x), w), Conv2d(Slice(x), w)) {axis: 3}
 * </pre>
 */
final class SplitPictures implements Rewrite {

    private static final int[] COUNTS = {2, 3, 4, 8, 16};

    @Override
    public List<Replacement> of(Site site) {
        List<Replacement> all = new ArrayList<>();
        RewritableConvolution.at(site).ifPresent(of -> {
            for (int axis = 0; axis < Geometry.AXES; axis++) {
                for (int count : COUNTS) {
                    if (count * 2L <= of.geometry().out()[axis]) {
                        all.addAll(split(of, axis, count));
                    }
                }
            }
        });
        return all;
    }

    private static List<Replacement> split(RewritableConvolution of, int axis, int count) {
        return of.by((axis == 0 ? "rows in " : "columns in ") + count + " parts", draft -> {
            Edge x = of.x(draft);
            List<Edge> parts = new ArrayList<>();
            long from = 0;
            for (long size : Weights.parts(of.geometry().out()[axis], count)) {
                parts.add(part(draft, of, x, axis, from, size));
                from += size;
            }
            return of.finished(draft, draft.concat(parts, 2 + axis));
        });
    }

    /** @param size the number of outputs from a position on */
    private static Edge part(Draft draft, RewritableConvolution of, Edge x, int axis, long from, long size) {
        Geometry window = of.geometry();
        long stride = window.strides()[axis];
        long beginning = window.begin()[axis] - from * stride;
        long ending = window.end(axis, size, beginning, stride, window.extent(axis));
        long[] begin = window.begin().clone();
        long[] end = window.end().clone();
        begin[axis] = Math.max(0, beginning);
        end[axis] = Math.max(0, ending);
        Edge read = draft.slice(x, 2 + axis, Math.max(0, -beginning), window.in()[axis] + Math.min(0, ending), 1);
        Edge y = of.convolved(draft, read, of.weights(), of.bias(), window.withPadding(begin, end), of.groups());
        return of.activated(draft, y);
    }
}
