package org.clinfer.judge;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.clinfer.check.CheckReport;
import org.clinfer.tensor.TensorType;

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
            long bytes = of(value);
            if (bytes < 0) {
                return OptionalLong.empty();
            }
            sum += bytes;
        }
        return OptionalLong.of(sum);
    }

    /** The bytes of a value; negative where they are not known. */
    static long of(CheckReport.Value value) {
        return value.type().map(NodeBytes::of).orElse(-1L);
    }

    /** The bytes of a tensor; negative where they are not known. */
    static long of(TensorType type) {
        return type.shape().isKnown() ? type.bytes() : -1;
    }

    static NodeBytes of(long read, long written, long weights) {
        return new NodeBytes(OptionalLong.of(read), OptionalLong.of(written), OptionalLong.of(weights));
    }

    NodeBytes plus(NodeBytes other) {
        return new NodeBytes(sum(read, other.read), sum(written, other.written), sum(weights, other.weights));
    }

    private static OptionalLong sum(OptionalLong one, OptionalLong other) {
        return one.isPresent() && other.isPresent()
                ? OptionalLong.of(one.getAsLong() + other.getAsLong())
                : OptionalLong.empty();
    }
}
