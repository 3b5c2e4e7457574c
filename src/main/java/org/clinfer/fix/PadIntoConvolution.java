package org.clinfer.fix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.clinfer.describe.Binding;
import org.clinfer.infer.CheckedNode;
import org.clinfer.ops.Edge;

/**
 * Makes a Pad with zeros the padding of the convolution that alone reads it.
 *
 * <pre>
 * y = Conv2d(Pad(x, [1, 1, 1, 1]), w)
 * y = Conv2d(x, w) {padding: [1, 1, 1, 1]}
 * </pre>
 */
final class PadIntoConvolution implements Rewrite {

    private static final int PICTURES = 4;

    @Override
    public boolean isJoint() {
        return true;
    }

    @Override
    public List<Replacement> of(Site site) {
        Optional<RewritableConvolution> reader = site.isOp("Pad") && site.outputSizes().length == PICTURES
                ? site.region().onlyReader(site.output()).flatMap(node -> RewritableConvolution.at(site.at(node)))
                : Optional.empty();
        if (reader.isEmpty() || reader.get().isChannelsLast() || !isOfZeros(site)) {
            return List.of();
        }
        RewritableConvolution of = reader.get();
        long[] before = site.node().binding().integers("before");
        long[] after = site.node().binding().integers("after");
        long[] begin = new long[Geometry.AXES];
        long[] end = new long[Geometry.AXES];
        for (int i = 0; i < Geometry.AXES; i++) {
            begin[i] = of.geometry().begin()[i] + before[2 + i];
            end[i] = of.geometry().end()[i] + after[2 + i];
        }
        List<CheckedNode> members = new ArrayList<>(List.of(site.node()));
        members.addAll(of.members());
        return site.by("padding into the convolution", members, of.output(), draft -> {
            Geometry window = of.geometry().withPadding(begin, end);
            Edge y = of.convolved(draft, draft.x(), of.weights(), of.bias(), window, of.groups());
            return of.activated(draft, y);
        });
    }

    /** Tells whether it adds zeros alone, and to rows and columns alone. */
    private static boolean isOfZeros(Site site) {
        Binding binding = site.node().binding();
        long[] before = binding.integers("before");
        long[] after = binding.integers("after");
        boolean isSpatial = before[0] == 0 && before[1] == 0 && after[0] == 0 && after[1] == 0;
        return isSpatial
                && LongStream.concat(LongStream.of(before), LongStream.of(after))
                        .allMatch(size -> size >= 0)
                && binding.text("mode").equals("CONSTANT")
                && Arrays.stream(binding.reals("constant_values")).allMatch(value -> value == 0);
    }
}
