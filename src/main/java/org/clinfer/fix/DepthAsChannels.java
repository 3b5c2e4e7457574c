package org.clinfer.fix;

import java.util.List;
import org.clinfer.ops.Conv2dOp;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.Tensor;

/**
 * Convolves volumes as pictures whose channels are those of all positions in depth, with zeros where a window does not reach.
 *
 * <pre>
 * y = Convolution(x, w)                     x of [1, 3, 4, 32, 32], w of [16, 3, 3, 5, 5]
 * y = Conv2d(x', w')                        x' of [1, 12, 32, 32], w' of [64, 12, 5, 5]
 * </pre>
 */
final class DepthAsChannels implements Rewrite {

    private static final long MOST_WEIGHTS = 1L << 22;

    /** The multiply-adds may become so many times as many. */
    private static final long MOST_WORK = 8;

    @Override
    public List<Replacement> of(Site site) {
        return Volume.at(site)
                .filter(DepthAsChannels::isSmall)
                .map(of -> site.by("depth as channels, with zeros between the weights", draft -> convolved(draft, of)))
                .orElse(List.of());
    }

    private static boolean isSmall(Volume of) {
        long each = of.outChannels() * of.channelsPerGroup() * of.kernel()[1] * of.kernel()[2];
        return of.in()[0] <= MOST_WORK * of.kernel()[0] && each * of.in()[0] * of.out()[0] <= MOST_WEIGHTS;
    }

    private static Edge convolved(Draft draft, Volume of) {
        long[] in = of.in();
        long[] out = of.out();
        Edge pictures = draft.reshaped(of.x(draft), of.batch(), of.inChannels() * in[0], in[1], in[2]);
        Conv2dOp op = of.convolved(draft, pictures, weights(of));
        of.bias().ifPresent(bias -> op.bias(draft.constant(repeated(bias, Math.toIntExact(out[0])))));
        return of.finished(draft, draft.reshaped(op.y(), of.batch(), of.outChannels(), out[0], out[1] * out[2]));
    }

    private static Tensor weights(Volume of) {
        long inDepth = of.in()[0];
        long outDepth = of.out()[0];
        return Weights.of(
                of.weights().dtype(),
                of.outChannels() * outDepth,
                of.channelsPerGroup() * inDepth,
                of.kernel()[1],
                of.kernel()[2],
                (o, i, y, x) -> {
                    long from = i % inDepth + of.begin() - o % outDepth * of.stride();
                    boolean isRead = from >= 0 && from % of.dilation() == 0 && from / of.dilation() < of.kernel()[0];
                    return isRead ? of.weight(o / outDepth, i / inDepth, from / of.dilation(), y, x) : 0;
                });
    }

    private static Tensor repeated(Tensor vector, int times) {
        Tensor repeated = Tensor.allocate(vector.dtype(), vector.elements() * times);
        for (long i = 0; i < repeated.elements(); i++) {
            repeated.setDouble(i, vector.getDouble(i / times));
        }
        return repeated;
    }
}
