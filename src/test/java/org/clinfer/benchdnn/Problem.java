package org.clinfer.benchdnn;

import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * One convolution problem of a public list.
 *
 * @param transposed whether it is a transposed convolution; its input channels are those of the smaller side then
 * @param list the list it stands in
 * @param name its name there, with the number of uses in its network, {@code net:conv2*3}; or empty
 * @param inChannels of all groups together, as are the output channels
 * @param axes the one to three spatial axes
 */
record Problem(
        boolean transposed,
        String list,
        String name,
        long batch,
        long groups,
        long inChannels,
        long outChannels,
        List<Axis> axes) {

    private static final List<String> AXIS_NAMES = List.of("d", "h", "w");

    Problem {
        axes = List.copyOf(axes);
    }

    int spatial() {
        return axes.size();
    }

    /** The list's full name: convolutions and transposed ones have lists of the same name. */
    String driverAndList() {
        return (transposed ? "deconv " : "conv ") + list;
    }

    /** One number per axis. */
    long[] each(ToLongFunction<Axis> part) {
        return axes.stream().mapToLong(part).toArray();
    }

    private long product(ToLongFunction<Axis> part) {
        return LongStream.of(each(part)).reduce(1, Math::multiplyExact);
    }

    boolean isConsistent() {
        return axes.stream().allMatch(axis -> axis.isConsistent(transposed));
    }

    boolean isDepthwise() {
        return groups > 1 && groups == inChannels && groups == outChannels;
    }

    long inputElements() {
        return batch * inChannels * product(Axis::input);
    }

    long outputElements() {
        return batch * outChannels * product(Axis::output);
    }

    long weightElements() {
        return inChannels / groups * outChannels * product(Axis::kernel);
    }

    /** Products of the whole result, those with padding included. */
    long multiplyAdds() {
        long positions = transposed ? product(Axis::input) : product(Axis::output);
        return Math.multiplyExact(Math.multiplyExact(weightElements(), positions), batch);
    }

    Problem withBatch(long other) {
        return new Problem(transposed, list, name, other, groups, inChannels, outChannels, axes);
    }

    /** The convolution that takes the output's shape back to the input's, as training needs it. */
    Problem reversed() {
        List<Axis> back = axes.stream().map(Axis::reversed).toList();
        return new Problem(!transposed, list, name, batch, groups, outChannels, inChannels, back);
    }

    /** The canonical descriptor without batch and name: equal for equal computations. */
    String geometry() {
        return (transposed ? "deconv " : "conv ") + "g" + groups + "ic" + inChannels + sizes("i", Axis::input) + "oc"
                + outChannels + sizes("o", Axis::output) + sizes("k", Axis::kernel) + sizes("s", Axis::stride)
                + sizes("p", Axis::padBegin) + sizes("d", axis -> axis.dilation() - 1);
    }

    private String sizes(String letter, ToLongFunction<Axis> part) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < axes.size(); i++) {
            text.append(letter).append(AXIS_NAMES.get(3 - axes.size() + i)).append(part.applyAsLong(axes.get(i)));
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return list + " mb" + batch + " " + geometry() + (name.isEmpty() ? "" : " n\"" + name + "\"");
    }
}
