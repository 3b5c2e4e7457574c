package org.clinfer.run;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.plan.ArenaPlan;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** The host memory of one plan: its arena, its constants and, during a run, the caller's inputs. */
final class HostMemory {

    private final ExecutionPlan plan;
    private final List<ByteBuffer> chunks = new ArrayList<>();
    private final Map<String, Tensor> values = new HashMap<>();
    private Map<String, Tensor> inputs = Map.of();

    HostMemory(ExecutionPlan plan) {
        this.plan = plan;
        for (long bytes : plan.hostArena().chunkBytes()) {
            chunks.add(ByteBuffer.allocateDirect(Math.toIntExact(bytes)));
        }
    }

    /** Sets the inputs of the run that begins; they are read, never written. */
    void bind(Map<String, Tensor> runInputs) {
        values.keySet().removeIf(name -> inputs.containsKey(plan.owner(name)));
        inputs = runInputs;
    }

    /** Whether the memory of a value is the caller's. */
    boolean isInput(String value) {
        return inputs.containsKey(plan.owner(value));
    }

    /** The value as a tensor of its own type over its planned memory. */
    Tensor tensor(String value, TensorType type) {
        return values.computeIfAbsent(value, name -> locate(name, type));
    }

    /** The constant that a value shows, or null where it is none. */
    @Nullable
    Tensor constant(String value) {
        return plan.graph().graph().constants().get(plan.owner(value));
    }

    private Tensor locate(String value, TensorType type) {
        String owner = plan.owner(value);
        Tensor constant = plan.graph().graph().constants().get(owner);
        if (constant != null) {
            return constant.reshaped(type.shape());
        }
        Tensor input = inputs.get(owner);
        if (input != null) {
            return input.reshaped(type.shape());
        }
        ArenaPlan.Region region = plan.hostArena().regions().get(owner);
        if (region == null) {
            throw new IllegalStateException("value '" + value + "' has no host memory");
        }
        int offset = Math.toIntExact(region.offset());
        int bytes = Math.toIntExact(type.bytes());
        return Tensor.wrap(type, chunks.get(region.chunk()).slice(offset, bytes));
    }
}
