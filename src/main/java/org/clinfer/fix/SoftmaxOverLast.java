package org.clinfer.fix;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.ops.Edge;

/**
 * Turns the axis of a softmax to the end, or to the channels, and back.
 *
 * <pre>
 * y = Softmax(x) {axis: 1}
 * y = Transpose(Softmax(Transpose(x)) {axis: -1})
 * </pre>
 */
final class SoftmaxOverLast implements Rewrite {

    @Override
    public List<Replacement> of(Site site) {
        long[] sizes = site.outputSizes();
        if ((!site.isOp("Softmax") && !site.isOp("LogSoftmax"))
                || sizes.length < 2
                || site.node().binding().flag("flatten")) {
            return List.of();
        }
        int axis = Math.floorMod((int) site.node().binding().integer("axis"), sizes.length);
        List<Replacement> all = new ArrayList<>();
        for (int other : new int[] {sizes.length - 1, 1}) {
            if (other != axis) {
                all.addAll(turned(site, axis, other));
            }
        }
        return all;
    }

    private static List<Replacement> turned(Site site, int axis, int other) {
        long[] perm = LongStream.range(0, site.outputSizes().length).toArray();
        perm[axis] = other;
        perm[other] = axis;
        return site.by("over another axis, between transposes", draft -> {
            Edge x = draft.ops().transpose(draft.x()).perm(perm).y();
            Edge y = site.isOp("Softmax")
                    ? draft.ops().softmax(x).axis(other).y()
                    : draft.ops().logSoftmax(x).axis(other).y();
            return draft.ops().transpose(y).perm(perm).y();
        });
    }
}
