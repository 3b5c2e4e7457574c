package org.clinfer.check;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * The bytes that a run of a node moves; each is empty where not known.
 *
 * @param read of what it takes, without constants
 * @param written of what it gives
 * @param weights of its constants
 */
record NodeBytes(OptionalLong read, OptionalLong written, OptionalLong weights) {

    /** The bytes of the values as the network has them. */
    static NodeBytes of(CheckReport.NodeReport node, Predicate<String> isConstant) {
        List<CheckReport.Value> read = node.inputs().stream()
                .filter(value -> !isConstant.test(value.name()))
                .toList();
        return new NodeBytes(
                bytes(read), bytes(node.outputs()), OptionalLong.of(node.work().weightBytes()));
    }

    private static OptionalLong bytes(List<CheckReport.Value> values) {
        long sum = 0;
        for (CheckReport.Value value : values) {
            if (value.bytes() < 0) {
                return OptionalLong.empty();
            }
            sum += value.bytes();
        }
        return OptionalLong.of(sum);
    }

    static NodeBytes of(long read, long written, long weights) {
        return new NodeBytes(OptionalLong.of(read), OptionalLong.of(written), OptionalLong.of(weights));
    }

    NodeBytes plus(NodeBytes other) {
        return new NodeBytes(
                NetworkCost.sum(read, other.read),
                NetworkCost.sum(written, other.written),
                NetworkCost.sum(weights, other.weights));
    }
}
