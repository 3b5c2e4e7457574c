package org.clinfer.run;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClQueue;
import org.clinfer.plan.ArenaPlan;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.tensor.Tensor;

/**
 * Finds what kernels have written where they should not, after a run in memory with margins that was filled before: outside
 * of all values, or into inputs.
 */
final class StrayWrites {

    private static final byte FILLING = -1;

    private final ClQueue queue;
    private final ExecutionPlan plan;

    StrayWrites(ClQueue queue, ExecutionPlan plan) {
        this.queue = queue;
        this.plan = plan;
    }

    /** The first of them in words; empty if there is none. */
    Optional<String> first(List<ClBuffer> chunks, Map<String, Tensor> inputs) {
        for (int chunk = 0; chunk < chunks.size(); chunk++) {
            ByteBuffer bytes = read(chunks.get(chunk));
            Optional<String> found = outside(bytes, values(chunk));
            for (Map.Entry<String, ArenaPlan.Region> value : values(chunk)) {
                Tensor input = inputs.get(value.getKey());
                if (found.isEmpty() && input != null && !isUpdated(value.getKey())) {
                    found = changed(bytes, value, input);
                }
            }
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** The bytes of a chunk, as a part of it: some drivers show in parts alone what was written in others. */
    private ByteBuffer read(ClBuffer chunk) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(Math.toIntExact(chunk.bytes()));
        try (ClBuffer part = chunk.sub(0, chunk.bytes())) {
            queue.read(part, 0, bytes.duplicate());
        }
        return bytes;
    }

    private List<Map.Entry<String, ArenaPlan.Region>> values(int chunk) {
        List<Map.Entry<String, ArenaPlan.Region>> values = new ArrayList<>();
        plan.deviceArena().regions().forEach((name, region) -> {
            if (region.chunk() == chunk) {
                values.add(Map.entry(name, region));
            }
        });
        values.sort(Comparator.comparingLong(value -> value.getValue().offset()));
        return values;
    }

    /** An input of which an output replaces elements may be written. */
    private boolean isUpdated(String input) {
        return plan.updates().containsValue(input)
                || plan.deviceArena().wholes().containsKey(input);
    }

    private static Optional<String> outside(ByteBuffer bytes, List<Map.Entry<String, ArenaPlan.Region>> values) {
        String before = "";
        long end = 0;
        for (Map.Entry<String, ArenaPlan.Region> value : values) {
            long begin = value.getValue().offset();
            for (long at = end; at < begin; at++) {
                if (bytes.get((int) at) != FILLING) {
                    boolean isBehind = !before.isEmpty() && at - end < begin - at;
                    return Optional.of(isBehind ? behind(before) : "writes before the begin of " + value.getKey());
                }
            }
            if (begin + value.getValue().bytes() > end) {
                end = begin + value.getValue().bytes();
                before = value.getKey();
            }
        }
        for (long at = end; at < bytes.capacity(); at++) {
            if (bytes.get((int) at) != FILLING) {
                return Optional.of(behind(before));
            }
        }
        return Optional.empty();
    }

    private static String behind(String value) {
        return "writes behind the end of " + value;
    }

    private static Optional<String> changed(ByteBuffer bytes, Map.Entry<String, ArenaPlan.Region> value, Tensor input) {
        ByteBuffer given = input.bytes();
        ByteBuffer there = bytes.slice((int) value.getValue().offset(), given.remaining());
        return given.mismatch(there) < 0 ? Optional.empty() : Optional.of("writes into its input " + value.getKey());
    }
}
