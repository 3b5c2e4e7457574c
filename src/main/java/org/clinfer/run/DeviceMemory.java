package org.clinfer.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.opencl.ClAccess;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.plan.ArenaPlan;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.tensor.Tensor;

/** The device memory of one plan: its arena, cut into one buffer per value, and the constants its kernels read. */
final class DeviceMemory implements AutoCloseable {

    private final ExecutionPlan plan;
    private final List<ClBuffer> owned = new ArrayList<>();
    private final Map<String, ClBuffer> values = new HashMap<>();

    /**
     * Allocates the arena and uploads what constants are not on the device yet.
     *
     * @param shared the weights shared by all plans of the model; constants that only this plan has are its own
     */
    DeviceMemory(DeviceRuntime runtime, ExecutionPlan plan, DeviceWeights shared) {
        this.plan = plan;
        try {
            allocate(runtime, shared);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void allocate(DeviceRuntime runtime, DeviceWeights shared) {
        List<ClBuffer> chunks = new ArrayList<>();
        for (long bytes : plan.deviceArena().chunkBytes()) {
            chunks.add(own(runtime.context().buffer(bytes, ClAccess.READ_WRITE)));
        }
        plan.deviceArena().regions().forEach((value, region) -> values.put(value, own(part(chunks, region))));
        Map<String, Tensor> weights = plan.graph().graph().graph().constants();
        for (String name : plan.deviceConstants()) {
            Tensor weight = weights.get(name);
            Tensor constant = plan.graph().graph().constants().get(name);
            if (constant == null) {
                throw new IllegalStateException("constant '" + name + "' has no value");
            }
            values.put(
                    name, weight != null ? shared.buffer(name, weight) : own(DeviceWeights.upload(runtime, constant)));
        }
    }

    private static ClBuffer part(List<ClBuffer> chunks, ArenaPlan.Region region) {
        return chunks.get(region.chunk()).sub(region.offset(), region.bytes());
    }

    private ClBuffer own(ClBuffer buffer) {
        owned.add(buffer);
        return buffer;
    }

    /** The memory of a value, or of the value it is a view of. */
    ClBuffer buffer(String value) {
        ClBuffer buffer = values.get(plan.owner(value));
        if (buffer == null) {
            throw new IllegalStateException("value '" + value + "' has no device memory");
        }
        return buffer;
    }

    @Override
    public void close() {
        for (int i = owned.size() - 1; i >= 0; i--) {
            owned.get(i).close();
        }
        owned.clear();
        values.clear();
    }
}
