package org.clinfer.judge;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.clinfer.check.CheckReport;

/**
 * The bytes that a run of a node moves; each is empty where not known.
 *
 * @param read of what it takes, without constants
 * @param written of what it gives
 * @param weights of its constants
 */
record NodeBytes(OptionalLong read, OptionalLong written, OptionalLong weights) {

    static NodeBytes of(CheckReport.NodeReport node, Predicate<String> isConstant, ValuesOnDevice values) {
        Map<Boolean, List<CheckReport.Value>> inputs =
                node.inputs().stream().collect(Collectors.partitioningBy(value -> isConstant.test(value.name())));
        return new NodeBytes(
                bytes(inputs.getOrDefault(false, List.of()), values),
                bytes(node.outputs(), values),
                bytes(inputs.getOrDefault(true, List.of()), values));
    }

    private static OptionalLong bytes(List<CheckReport.Value> of, ValuesOnDevice values) {
        long sum = 0;
        for (CheckReport.Value value : of) {
            OptionalLong bytes = values.bytes(value);
            if (bytes.isEmpty()) {
                return bytes;
            }
            sum += bytes.getAsLong();
        }
        return OptionalLong.of(sum);
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
