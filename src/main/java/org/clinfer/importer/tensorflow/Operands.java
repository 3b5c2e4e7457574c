package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.Params;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/**
 * Values that broadcast, brought to one order of axes: the channels second if one of them has them there, unless the
 * number of axes of another one is not known.
 *
 * @param names the values of ours
 */
record Operands(List<String> names, boolean second) {

    static Operands of(TfCall call, List<TfValue> values) {
        int rank = call.commonRank(values).orElse(0);
        boolean second = values.stream().allMatch(value -> value.shape().isPresent())
                && values.stream().anyMatch(TfValue::second)
                && values.stream().allMatch(value -> !value.second() || value.hasRank(rank));
        List<String> names = new ArrayList<>();
        for (TfValue value : values) {
            names.add(second ? aligned(call, value, rank) : call.plain(value));
        }
        return new Operands(names, second);
    }

    /** The value so that it broadcasts with those of this rank that have the channels second. */
    private static String aligned(TfCall call, TfValue value, int rank) {
        int own = call.rank(value);
        if (value.second() || own == rank) {
            return call.second(value);
        }
        Optional<Tensor> constant = call.graph().constant(value);
        if (own == 0 || constant.filter(tensor -> tensor.elements() == 1).isPresent()) {
            return call.plain(value);
        }
        if (own == 1) {
            return perChannel(call, value, rank);
        }
        long[] front = ChannelAxes.range(0, rank - own);
        String longer = call.step("Unsqueeze", List.of(value.stored()), new Params().put("axis", front));
        return call.step("Transpose", List.of(longer), new Params().put("perm", ChannelAxes.toSecond(rank)));
    }

    /** A vector along the channels, followed by as many axes of size 1 as there are behind the channels. */
    static String perChannel(TfCall call, TfValue value, int rank) {
        if (rank <= 2) {
            return call.plain(value);
        }
        Optional<Tensor> constant = call.graph().constant(value);
        if (constant.isPresent()) {
            long[] sizes = ChannelAxes.ones(rank - 1);
            sizes[0] = constant.get().elements();
            return call.constant("per_channel", constant.get().reshaped(Shape.of(sizes)));
        }
        long[] behind = ChannelAxes.range(1, rank - 1);
        return call.step("Unsqueeze", List.of(call.plain(value)), new Params().put("axis", behind));
    }
}
