package org.clinfer.fix;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.ops.Conv2dOp;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.Tensor;

/**
 * Convolves volumes as pictures, one for each position in depth.
 *
 * <pre>
 * y = Convolution(x, w)                     x of [1, 3, 8, 32, 32], w of [16, 3, 3, 5, 5]
 * y = Conv2d(x', w')                        x' of [8, 9, 32, 32], w' of [16, 9, 5, 5]
 * </pre>
 *
 * <p>The pictures that a window reads stand behind each other as channels; with groups, their convolutions are added up.
 */
final class VolumeAsPictures implements Rewrite {

    private static final long MOST_TAPS = 16;

    @Override
    public List<Replacement> of(Site site) {
        return Volume.at(site)
                .filter(of -> of.kernel()[0] <= MOST_TAPS)
                .map(of -> site.by("volume as pictures, one for each position in depth", draft -> convolved(draft, of)))
                .orElse(List.of());
    }

    private static Edge convolved(Draft draft, Volume of) {
        List<Edge> taps = taps(draft, of);
        List<Edge> terms = new ArrayList<>();
        if (of.groups() == 1) {
            terms.add(term(draft, of, draft.concat(taps, 2), 0));
        } else {
            for (Edge tap : taps) {
                terms.add(term(draft, of, tap, terms.size()));
            }
        }
        long[] out = of.out();
        Edge y = draft.reshaped(draft.sum(terms), of.batch(), out[0], of.outChannels(), out[1] * out[2]);
        return of.finished(draft, draft.withAxisMoved(y, 1, 2));
    }

    /** For each position in the depth of the window, what windows read there: [batch, depth, channels, height * width]. */
    private static List<Edge> taps(Draft draft, Volume of) {
        long read = (of.out()[0] - 1) * of.stride() + (of.kernel()[0] - 1) * of.dilation() + 1;
        long end = Math.max(0, read - of.begin() - of.in()[0]);
        Edge x = draft.withAxisMoved(of.x(draft), 2, 1);
        if (of.begin() > 0 || end > 0) {
            x = draft.ops().pad(x).padWith(0, 0, of.begin(), end, 0, 0, 0, 0).y();
        }
        List<Edge> all = new ArrayList<>();
        for (long tap = 0; tap < of.kernel()[0]; tap++) {
            long from = tap * of.dilation();
            all.add(draft.slice(x, 1, from, from + (of.out()[0] - 1) * of.stride() + 1, of.stride()));
        }
        return all;
    }

    /** The convolution with the weights of positions in depth from one on, of which the first adds the bias. */
    private static Edge term(Draft draft, Volume of, Edge taps, int first) {
        long[] in = of.in();
        long channels = Draft.sizes(taps)[2];
        Edge pictures = draft.reshaped(taps, of.batch() * of.out()[0], channels, in[1], in[2]);
        int each = of.channelsPerGroup();
        Tensor weights = Weights.of(
                of.weights().dtype(),
                of.outChannels(),
                channels / of.groups(),
                of.kernel()[1],
                of.kernel()[2],
                (o, i, y, x) -> of.weight(o, i % each, first + i / each, y, x));
        Conv2dOp op = of.convolved(draft, pictures, weights);
        if (first == 0) {
            of.bias().ifPresent(bias -> op.bias(draft.given(bias)));
        }
        return op.y();
    }
}
