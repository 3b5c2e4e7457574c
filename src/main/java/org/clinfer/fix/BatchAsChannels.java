package org.clinfer.fix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.clinfer.ops.Edge;

/**
 * Takes the elements of a batch for further channels of one element, which is the same to operators on single elements.
 *
 * <pre>
 * y = Relu(x)                         x of [4, 8, 5, 5]
 * y = Reshape(Relu(Reshape(x)))       [1, 32, 5, 5] in between
 * </pre>
 *
 * <p>In the same way more than four dimensions become four, and fewer do.
 */
final class BatchAsChannels implements Rewrite {

    private static final int PICTURES = 4;

    @Override
    public List<Replacement> of(Site site) {
        if (!Site.ELEMENT_WISE.contains(site.op())
                || site.node().node().outputs().size() != 1) {
            return List.of();
        }
        long[] sizes = site.outputSizes();
        boolean isEqual = site.node().node().inputs().stream()
                .allMatch(input -> !input.isEmpty() && Arrays.equals(site.sizes(input), sizes));
        if (!isEqual || sizes.length == 0 || site.outputType().shape().elements() == 0) {
            return List.of();
        }
        long[] pictures = pictures(sizes);
        return Arrays.equals(pictures, sizes)
                ? List.of()
                : site.by("as one picture", draft -> {
                    List<Edge> inputs = new ArrayList<>();
                    site.node().node().inputs().forEach(input -> inputs.add(shaped(site, draft, input, pictures)));
                    return draft.reshaped(draft.again(site.node(), inputs), sizes);
                });
    }

    private static Edge shaped(Site site, Draft draft, String input, long[] sizes) {
        return site.constant(input)
                .map(tensor -> draft.constant(Weights.shaped(tensor, sizes)))
                .orElseGet(() -> draft.reshaped(draft.edge(input), sizes));
    }

    /** All but the last two dimensions as channels. */
    private static long[] pictures(long[] sizes) {
        long[] pictures = new long[PICTURES];
        Arrays.fill(pictures, 1);
        int rank = sizes.length;
        for (int i = 0; i < rank; i++) {
            int axis = Math.max(1, PICTURES - rank + i);
            pictures[axis] *= sizes[i];
        }
        return pictures;
    }
}
