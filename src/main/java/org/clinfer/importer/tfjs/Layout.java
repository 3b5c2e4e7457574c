package org.clinfer.importer.tfjs;

import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/** The place of the channels: the last axis, unless a layer says {@code channels_first}. */
final class Layout {

    private Layout() {}

    /** Applies operators that want the channels to be the second axis. */
    static Value channelsSecond(TfjsLayerCall call, Value input, UnaryOperator<Value> operators) {
        if (call.isChannelsFirst()) {
            return operators.apply(input);
        }
        int rank = input.rank();
        long[] there = new long[rank];
        long[] back = new long[rank];
        Arrays.setAll(there, axis -> axis == 0 ? 0 : axis == 1 ? rank - 1 : axis - 1);
        Arrays.setAll(back, axis -> axis == 0 ? 0 : axis == rank - 1 ? 1 : axis + 1);
        Value moved = call.add("Transpose", new Params().put("perm", there), input);
        return call.add("Transpose", new Params().put("perm", back), operators.apply(moved));
    }

    /** The first of the axes that are neither batch nor channels. */
    static int firstSpatial(TfjsLayerCall call) {
        return call.isChannelsFirst() ? 2 : 1;
    }
}
