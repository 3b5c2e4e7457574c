package org.clinfer.fix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.clinfer.ops.Edge;
import org.jspecify.annotations.Nullable;

/**
 * Takes each element of the batch by itself.
 *
 * <pre>
 * y = Conv2d(x, w)                                       x of 4 elements
 * y = Concat(Conv2d(x1, w), ..., Conv2d(x4, w)) {axis: 0}
 * </pre>
 */
final class SplitBatch implements Rewrite {

    private static final int MOST_PARTS = 8;

    /** Operators whose first input alone has a batch, and that treat its elements alike. */
    private static final Set<String> WINDOWS = Set.of(
            "Conv2d", "Convolution", "DepthwiseConv2d", "Conv2dTranspose", "ConvTranspose", "MaxPool", "AvgPool");

    private static final Set<String> BY_CHANNEL = Set.of("BatchNorm", "PRelu");

    @Override
    public List<Replacement> of(Site site) {
        boolean isWindow = WINDOWS.contains(site.op());
        boolean isAlike = isWindow || Site.ELEMENT_WISE.contains(site.op()) || BY_CHANNEL.contains(site.op());
        if (!isAlike
                || site.node().node().outputs().size() != 1
                || site.outputType().shape().rank() < 2) {
            return List.of();
        }
        long batch = site.outputSizes()[0];
        if (batch < 2 || batch > MOST_PARTS || site.constant(0).isPresent() || site.sizes(site.x())[0] != batch) {
            return List.of();
        }
        return site.by("each of the batch by itself", draft -> parts(site, draft, Math.toIntExact(batch), isWindow));
    }

    private static @Nullable Edge parts(Site site, Draft draft, int batch, boolean isWindow) {
        long[] ones = new long[batch];
        Arrays.fill(ones, 1);
        List<List<Edge>> inputs = new ArrayList<>();
        List<String> names = site.node().node().inputs();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            if (name.isEmpty()) {
                return null;
            }
            long[] sizes = site.sizes(name);
            boolean isBatch = sizes.length == site.outputSizes().length && sizes[0] == batch && (i == 0 || !isWindow);
            inputs.add(isBatch ? draft.split(draft.edge(name), 0, ones) : Collections.nCopies(batch, draft.edge(name)));
        }
        List<Edge> results = new ArrayList<>();
        for (int i = 0; i < batch; i++) {
            int element = i;
            results.add(draft.again(
                    site.node(), inputs.stream().map(each -> each.get(element)).toList()));
        }
        return draft.concat(results, 0);
    }
}
