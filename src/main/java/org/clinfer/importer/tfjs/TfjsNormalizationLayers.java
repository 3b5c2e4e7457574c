package org.clinfer.importer.tfjs;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Tensor;

/**
 * Normalisation by the statistics of the value itself: of layers, instances and groups. TensorFlow Addons and keras-contrib
 * both have an instance normalisation; the latter, whose class has no prefix, adds epsilon to the deviation and not to the
 * variance.
 */
final class TfjsNormalizationLayers {

    private static final double EPSILON = 1e-3;
    private static final int DEFAULT_GROUPS = 32;

    private TfjsNormalizationLayers() {}

    static void addTo(LayerTable<TfjsLayerCall> all) {
        all.one("LayerNormalization", TfjsNormalizationLayers::layer);
        all.one("InstanceNormalization", TfjsNormalizationLayers::contributedInstance);
        all.one("Addons>InstanceNormalization", call -> groups(call, -1));
        all.one("Addons>GroupNormalization", call -> groups(call, DEFAULT_GROUPS));
        all.one("GroupNormalization", call -> groups(call, DEFAULT_GROUPS));
    }

    /** The axis of the channels, which is not that of the batch. */
    static int axis(TfjsLayerCall call, Value x) {
        int rank = x.rank();
        long[] axes = call.config().integers("axis").orElse(new long[] {-1});
        if (axes.length != 1) {
            throw call.unsupportedUse(axes.length + " axes");
        }
        long axis = axes[0] < 0 ? axes[0] + rank : axes[0];
        if (axis < 1 || axis >= rank) {
            throw call.malformed("config.axis is " + axes[0] + ", but its input has " + rank + " axes");
        }
        return (int) axis;
    }

    /** Over the last axes; each of their elements has a scale and a shift of its own. */
    private static Value layer(TfjsLayerCall call) {
        Value x = call.input();
        int rank = x.rank();
        long[] axes = call.config().integers("axis").orElse(new long[] {-1});
        if (axes.length == 0 || axes.length >= rank) {
            throw call.malformed("config.axis names " + axes.length + " axes of " + rank);
        }
        long[] last = Arrays.stream(axes)
                .map(axis -> axis < 0 ? axis : axis - rank)
                .sorted()
                .toArray();
        if (!Arrays.equals(last, LongStream.range(-axes.length, 0).toArray())) {
            throw call.unsupportedUse("axes that are not the last");
        }
        return Affine.of(call, axes.length).apply(call, normalized(call, x, last, false), 0);
    }

    /** Over all axes but those of the batch and the channels; without a channel axis over all but that of the batch. */
    private static Value contributedInstance(TfjsLayerCall call) {
        Value x = call.input();
        int rank = x.rank();
        int channels = call.config().find("axis").isPresent() ? axis(call, x) : 0;
        long[] axes = IntStream.range(1, rank)
                .filter(axis -> axis != channels)
                .asLongStream()
                .toArray();
        if (axes.length == 0) {
            throw call.malformed("its input has " + rank + " axes, and none to normalise over");
        }
        return Affine.of(call, 1).apply(call, normalized(call, x, axes, true), channels == 0 ? 0 : rank - 1 - channels);
    }

    private static Value normalized(TfjsLayerCall call, Value x, long[] axes, boolean epsilonOutside) {
        Params params = new Params()
                .put("axes", axes)
                .put("epsilon", call.config().real("epsilon", EPSILON))
                .put("epsilon_mode", epsilonOutside ? "outside_sqrt" : "inside_sqrt");
        return call.add("MeanVarianceNorm", params, x);
    }

    /** Each group of channels of each image by itself; -1 groups are as many as there are channels. */
    private static Value groups(TfjsLayerCall call, int otherwise) {
        Value x = call.input();
        int rank = x.rank();
        if (rank < 3 || axis(call, x) != rank - 1) {
            throw call.unsupportedUse("channels that are not the last of three axes or more");
        }
        long groups = call.config().integer("groups", otherwise);
        Affine affine = Affine.of(call, 1);
        if (groups == -1) {
            groups = affine.gamma()
                    .or(affine::beta)
                    .map(Tensor::elements)
                    .orElseThrow(() -> call.unsupportedUse("neither scale nor center"));
        }
        if (groups < 1 || groups > Integer.MAX_VALUE) {
            throw call.malformed("config.groups is " + groups);
        }
        Params params = new Params()
                .put("num_groups", groups)
                .put("epsilon", call.config().real("epsilon", EPSILON));
        return affine.apply(call, Layout.channelsSecond(call, x, first -> call.add("GroupNorm", params, first)), 0);
    }
}
