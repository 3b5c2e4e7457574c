package org.clinfer.importer.onnx.export;

import java.util.List;
import java.util.stream.IntStream;

/** Values whose channels are the last axis, which ONNX's operators want second. */
final class ChannelsLast {

    private ChannelsLast() {}

    /** The value with its channels second. */
    static String toSecond(Use use, ModelWriter model, String value, int rank) {
        int[] perm = IntStream.range(0, rank)
                .map(axis -> axis == 0 ? 0 : axis == 1 ? rank - 1 : axis - 1)
                .toArray();
        return model.permuted(use, value, perm);
    }

    /** Writes the transposition that gives the node's output of a value with the channels second. */
    static void addFromSecond(Use use, ModelWriter model, String value, int rank) {
        long[] perm = IntStream.range(0, rank)
                .mapToLong(axis -> axis == 0 ? 0 : axis == rank - 1 ? 1 : axis + 1)
                .toArray();
        model.add(use, "Transpose", List.of(value), new AttributeWriter().put("perm", perm));
    }
}
