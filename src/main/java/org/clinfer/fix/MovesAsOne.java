package org.clinfer.fix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.clinfer.infer.CheckedNode;
import org.clinfer.ops.ReorgOp;
import org.clinfer.tensor.Tensor;

/**
 * Writes a chain of nodes that only move elements of pictures as one node.
 *
 * <pre>
 * y = Reshape(Transpose(Reshape(x)))     channels in another order: those of a ShuffleNet
 * y = Conv2d(x, w)                       w of single elements, a 1 for each channel of y
 * y = Slice(x)                           where the channels follow each other at equal distances
 * y = Reshape(x)                         where nothing changes its place
 * y = Reorg(x)                           where it is depth to space or space to depth
 * </pre>
 */
final class MovesAsOne implements Rewrite {

    private static final int PICTURES = 4;

    private static final int LARGEST_BLOCK = 8;

    @Override
    public boolean isJoint() {
        return true;
    }

    @Override
    public List<Replacement> of(Site site) {
        CheckedNode last = site.region()
                .checked()
                .nodes()
                .get(site.region().checked().nodes().size() - 1);
        if (!MovedElements.isMove(site.node()) || !MovedElements.isMove(last)) {
            return List.of();
        }
        List<CheckedNode> chain = MovedElements.chain(site.region(), last);
        Optional<int[]> positions = chain.size() > 1 && chain.contains(site.node())
                ? MovedElements.positions(site, chain)
                : Optional.empty();
        if (positions.isEmpty()) {
            return List.of();
        }
        Site end = site.at(last);
        String x = chain.get(0).node().inputs().get(0);
        List<Replacement> all = new ArrayList<>();
        if (isInOrder(positions.get())) {
            all.addAll(end.by(
                    "moves as one reshape",
                    chain,
                    end.output(),
                    draft -> draft.reshaped(draft.edge(x), end.outputSizes())));
        }
        if (site.sizes(x).length == PICTURES && end.outputSizes().length == PICTURES) {
            all.addAll(ofPictures(end, chain, x, positions.get()));
        }
        return all;
    }

    private static boolean isInOrder(int[] positions) {
        for (int i = 0; i < positions.length; i++) {
            if (positions[i] != i) {
                return false;
            }
        }
        return true;
    }

    private static List<Replacement> ofPictures(Site end, List<CheckedNode> chain, String x, int[] positions) {
        long[] in = end.sizes(x);
        long[] out = end.outputSizes();
        List<Replacement> all = new ArrayList<>();
        if (in[0] == out[0] && in[2] == out[2] && in[3] == out[3]) {
            channels(in, out, positions).ifPresent(channels -> all.addAll(ofChannels(end, chain, x, channels)));
        }
        for (int block = 2; block <= LARGEST_BLOCK; block++) {
            for (boolean isReversed : new boolean[] {true, false}) {
                for (ReorgOp.Order order : List.of(ReorgOp.Order.DCR, ReorgOp.Order.CRD)) {
                    if (isReorg(in, out, positions, block, isReversed, order)) {
                        int scale = block;
                        all.addAll(end.by(
                                isReversed ? "moves as depth to space" : "moves as space to depth",
                                chain,
                                end.output(),
                                draft -> draft.ops()
                                        .reorg(draft.edge(x), scale)
                                        .reversed(isReversed)
                                        .order(order)
                                        .y()));
                    }
                }
            }
        }
        return all;
    }

    /** The channel of the input that each channel of the output is; empty where elements change their place in it. */
    private static Optional<int[]> channels(long[] in, long[] out, int[] positions) {
        int area = (int) (in[2] * in[3]);
        int[] channels = new int[(int) out[1]];
        if (area == 0) {
            return Optional.empty();
        }
        for (int i = 0; i < channels.length; i++) {
            channels[i] = positions[i * area] / area;
        }
        for (int i = 0; i < positions.length; i++) {
            int channel = i / area % channels.length;
            int element = i / area / channels.length;
            if (positions[i] != (element * (int) in[1] + channels[channel]) * area + i % area) {
                return Optional.empty();
            }
        }
        return Optional.of(channels);
    }

    private static List<Replacement> ofChannels(Site end, List<CheckedNode> chain, String x, int[] channels) {
        List<Replacement> all = new ArrayList<>();
        int step = channels.length > 1 ? channels[1] - channels[0] : 1;
        boolean isEven = step > 0;
        for (int i = 1; i < channels.length; i++) {
            isEven &= channels[i] - channels[i - 1] == step;
        }
        if (isEven) {
            int last = channels[channels.length - 1] + 1;
            all.addAll(end.by(
                    "moves as a slice of the channels",
                    chain,
                    end.output(),
                    draft -> draft.slice(draft.edge(x), 1, channels[0], last, step)));
        }
        if (end.outputType().dtype().isFloating()) {
            all.addAll(end.by("moves of channels as a convolution of ones and zeros", chain, end.output(), draft -> {
                Tensor weights = Weights.of(
                        end.outputType().dtype(),
                        channels.length,
                        end.sizes(x)[1],
                        1,
                        1,
                        (o, i, row, column) -> channels[o] == i ? 1 : 0);
                return draft.ops()
                        .conv2d(draft.edge(x), draft.constant(weights))
                        .y();
            }));
        }
        return all;
    }

    private static boolean isReorg(
            long[] in, long[] out, int[] positions, int block, boolean isReversed, ReorgOp.Order order) {
        long[] shallow = isReversed ? out : in;
        long[] deep = isReversed ? in : out;
        boolean isSized = Arrays.equals(
                deep, new long[] {shallow[0], shallow[1] * block * block, shallow[2] / block, shallow[3] / block});
        if (!isSized || shallow[2] % block != 0 || shallow[3] % block != 0) {
            return false;
        }
        for (int i = 0; i < positions.length; i++) {
            int from = isReversed ? i : positions[i];
            int to = isReversed ? positions[i] : i;
            if (deepPosition(from, shallow, block, order) != to) {
                return false;
            }
        }
        return true;
    }

    /** The position of an element of the shallow side on the deep side. */
    private static long deepPosition(int position, long[] shallow, int block, ReorgOp.Order order) {
        long column = position % shallow[3];
        long row = position / shallow[3] % shallow[2];
        long channel = position / shallow[3] / shallow[2] % shallow[1];
        long element = position / shallow[3] / shallow[2] / shallow[1];
        long place = row % block * block + column % block;
        long deep = order == ReorgOp.Order.DCR ? place * shallow[1] + channel : channel * block * block + place;
        long channels = shallow[1] * block * block;
        return ((element * channels + deep) * (shallow[2] / block) + row / block) * (shallow[3] / block)
                + column / block;
    }
}
