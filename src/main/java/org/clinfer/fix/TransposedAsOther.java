package org.clinfer.fix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.clinfer.ops.Conv2dOp;
import org.clinfer.ops.Edge;
import org.clinfer.ops.ReorgOp;
import org.clinfer.tensor.Tensor;

/**
 * Writes a transposed convolution by others, or by a convolution.
 *
 * <pre>
 * y = ConvTranspose(x, w) {padding: [1, 1, 1, 1]}     y = Slice(ConvTranspose(x, w))
 * y = ConvTranspose(x, w) {group: 2}                  y = Concat(ConvTranspose(x1, w1), ConvTranspose(x2, w2))
 * y = ConvTranspose(x, w) {strides: [2, 2]}           y = Slice(Reorg(Conv2d(x, w')) {scale: 2, reversed: true})
 * </pre>
 *
 * <p>In the last w' has the weights of each of the 2 x 2 places of a block as output channels of their own.
 */
final class TransposedAsOther implements Rewrite {

    private static final int MOST_GROUPS = 16;

    private static final long MOST_WEIGHTS = 1L << 24;

    @Override
    public List<Replacement> of(Site site) {
        List<Replacement> all = new ArrayList<>();
        TransposedConvolution.at(site)
                .filter(of -> of.end()[0] >= 0 && of.end()[1] >= 0)
                .ifPresent(of -> {
                    if (of.begin()[0] + of.begin()[1] + of.end()[0] + of.end()[1] > 0) {
                        all.addAll(site.by(
                                "full result, and a slice",
                                draft -> cut(
                                        of, draft, of.full(draft, draft.x(), of.weights(), of.bias(), of.groups()))));
                    }
                    if (of.groups() > 1 && of.groups() <= MOST_GROUPS) {
                        all.addAll(groups(of));
                    }
                    if (of.groups() > 1 && of.weights().elements() * of.groups() <= MOST_WEIGHTS) {
                        all.addAll(zeros(of));
                    }
                    all.addAll(phases(of));
                });
        return all;
    }

    /** The part of a full result that is not cut off. */
    private static Edge cut(TransposedConvolution of, Draft draft, Edge full) {
        long[] out = of.site().outputSizes();
        Edge rows = draft.slice(full, 2, of.begin()[0], of.begin()[0] + out[2], 1);
        return draft.slice(rows, 3, of.begin()[1], of.begin()[1] + out[3], 1);
    }

    private static List<Replacement> groups(TransposedConvolution of) {
        return of.site().by("groups in " + of.groups() + " transposed convolutions", draft -> {
            long[] sizes = of.weights().shape().sizes();
            long ins = sizes[0] / of.groups();
            long[] parts = new long[of.groups()];
            Arrays.fill(parts, ins);
            List<Edge> xs = draft.split(draft.x(), 1, parts);
            List<Edge> results = new ArrayList<>();
            for (int i = 0; i < of.groups(); i++) {
                long from = i * ins;
                long first = i * sizes[1];
                Tensor weights = of.site()
                        .made()
                        .add(Weights.part(of.weights(), new long[] {from, 0, 0, 0}, new long[] {
                            from + ins, sizes[1], sizes[2], sizes[3]
                        }));
                Optional<Tensor> bias =
                        of.bias().map(all -> of.site().made().add(Weights.part(all, first, first + sizes[1])));
                results.add(of.cut(draft, xs.get(i), weights, bias, 1));
            }
            return draft.concat(results, 1);
        });
    }

    private static List<Replacement> zeros(TransposedConvolution of) {
        return of.site().by("zeros instead of groups", draft -> {
            long[] sizes = of.weights().shape().sizes();
            long ins = sizes[0] / of.groups();
            Tensor weights = of.site()
                    .made()
                    .add(Weights.of(
                            of.weights().dtype(),
                            sizes[0],
                            of.outChannels(),
                            sizes[2],
                            sizes[3],
                            (in, out, y, x) -> in / ins == out / sizes[1]
                                    ? Weights.at(of.weights(), in, (int) (out % sizes[1]), y, x)
                                    : 0));
            return of.cut(draft, draft.x(), weights, of.bias(), 1);
        });
    }

    private static List<Replacement> phases(TransposedConvolution of) {
        long stride = of.strides()[0];
        boolean isTaken =
                of.groups() == 1 && stride == of.strides()[1] && of.dilations()[0] == 1 && of.dilations()[1] == 1;
        return isTaken
                ? of.site()
                        .by(
                                stride == 1 ? "as a convolution" : "as a convolution and depth to space",
                                draft -> phases(of, draft, stride))
                : List.of();
    }

    private static Edge phases(TransposedConvolution of, Draft draft, long stride) {
        long[] sizes = of.weights().shape().sizes();
        long height = Geometry.ceilDiv(sizes[2], stride);
        long width = Geometry.ceilDiv(sizes[3], stride);
        int channels = of.outChannels();
        Tensor weights = of.site()
                .made()
                .add(Weights.of(
                        of.weights().dtype(), channels * stride * stride, sizes[0], height, width, (o, i, y, x) -> {
                            long place = o / channels;
                            long row = (height - 1 - y) * stride + place / stride;
                            long column = (width - 1 - x) * stride + place % stride;
                            return row < sizes[2] && column < sizes[3]
                                    ? Weights.at(of.weights(), i, o % channels, (int) row, (int) column)
                                    : 0;
                        }));
        Conv2dOp op = draft.ops()
                .conv2d(draft.x(), draft.given(weights))
                .padding(height - 1, height - 1, width - 1, width - 1);
        of.bias().ifPresent(bias -> op.bias(draft.constant(repeated(bias, stride * stride))));
        Edge y = op.y();
        Edge full = stride == 1
                ? y
                : draft.ops()
                        .reorg(y, stride)
                        .reversed(true)
                        .order(ReorgOp.Order.DCR)
                        .y();
        return cut(of, draft, full);
    }

    private static Tensor repeated(Tensor bias, long times) {
        Tensor repeated = Tensor.allocate(bias.dtype(), bias.elements() * times);
        for (long i = 0; i < repeated.elements(); i++) {
            repeated.setDouble(i, bias.getDouble(i % bias.elements()));
        }
        return repeated;
    }
}
