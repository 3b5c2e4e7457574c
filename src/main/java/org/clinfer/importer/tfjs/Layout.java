package org.clinfer.importer.tfjs;

import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.clinfer.importer.Params;

/** The place of the channels: the last axis, unless a layer says {@code channels_first}. */
final class Layout {

    private Layout() {}

    /**
     * Applies operators that want the channels to be the second axis.
     *
     * @param rank the number of axes of the layer's values
     */
    static Value channelsSecond(LayerCall call, Value input, int rank, UnaryOperator<Value> operators) {
        if (call.isChannelsFirst()) {
            return operators.apply(input);
        }
        long[] there = new long[rank];
        long[] back = new long[rank];
        Arrays.setAll(there, axis -> axis == 0 ? 0 : axis == 1 ? rank - 1 : axis - 1);
        Arrays.setAll(back, axis -> axis == 0 ? 0 : axis == rank - 1 ? 1 : axis + 1);
        Value moved = call.add("Transpose", input, new Params().put("perm", there));
        return call.add("Transpose", operators.apply(moved), new Params().put("perm", back));
    }

    /** The first of the axes that are neither batch nor channels. */
    static int firstSpatial(LayerCall call) {
        return call.isChannelsFirst() ? 2 : 1;
    }
}
