package org.clinfer.run;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.cpu.call.FloatArrays;
import org.clinfer.plan.ArenaPlan;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** The host memory of one plan: its arena, its constants and, during a run, the caller's inputs and the results. */
final class HostMemory {

    private final ExecutionPlan plan;
    private final List<ByteBuffer> chunks;
    private final List<float[]> arrays;
    private final Map<String, Tensor> values = new HashMap<>();
    private final Set<String> results;
    private final Map<String, Tensor> ofRun = new HashMap<>();
    private Map<String, Tensor> inputs = Map.of();
    private Map<String, ByteBuffer> bound = Map.of();

    /** Outputs that are written in the memory of inputs, with these. */
    private final Map<String, String> updated = new HashMap<>();

    /**
     * @param chunks memory for those of the plan's arena
     * @param arrays those of the plan's arena
     */
    HostMemory(ExecutionPlan plan, List<ByteBuffer> chunks, List<float[]> arrays) {
        this.plan = plan;
        this.chunks = chunks;
        this.arrays = arrays;
        this.results = resultOwners(plan);
    }

    /** Owners of outputs that nodes write where the caller gets them: each is one output alone, and all of its memory. */
    private static Set<String> resultOwners(ExecutionPlan plan) {
        ArenaPlan arena = plan.hostArena();
        Set<String> once = new HashSet<>();
        Set<String> others = new HashSet<>(arena.wholes().keySet());
        others.addAll(arena.wholes().values());
        for (String output : plan.graph().outputs()) {
            String owner = plan.owner(output);
            ArenaPlan.Region region = arena.regions().get(owner);
            TensorType type = plan.graph().types().get(output);
            boolean isWhole = region != null && type != null && region.bytes() == type.bytes();
            if (!isWhole || plan.deviceOutputs().contains(output) || !once.add(owner)) {
                others.add(owner);
            }
        }
        once.removeAll(others);
        return Set.copyOf(once);
    }

    /** Begins a run with these inputs, which are read, never written. */
    void begin(Map<String, Tensor> runInputs) {
        inputs = runInputs;
    }

    /** Sets the memory of the outputs of the run. */
    void bindResults(Map<String, ByteBuffer> memory) {
        Map<String, ByteBuffer> owned = new HashMap<>();
        memory.forEach((output, bytes) -> {
            if (isResult(output)) {
                owned.put(plan.owner(output), bytes);
            }
        });
        bound = owned;
    }

    /** Lets an output of the run be the tensor of an input, in whose memory it is bound. */
    void update(String output, String input) {
        updated.put(output, input);
    }

    /** {@return whether an output lies in the memory that the caller gets} */
    boolean isResult(String output) {
        return results.contains(plan.owner(output));
    }

    /** Forgets the memory that belongs to a run. */
    void end() {
        inputs = Map.of();
        bound = Map.of();
        updated.clear();
        ofRun.clear();
    }

    /** The caller's tensor that a value is, or null where it is none. */
    @Nullable
    Tensor input(String value) {
        return inputs.get(plan.owner(value));
    }

    /** {@return whether the memory of a value is the caller's} */
    boolean isInput(String value) {
        return inputs.containsKey(plan.owner(value));
    }

    /** The value as a tensor of its own type over its planned memory. */
    Tensor tensor(String value, TensorType type) {
        Tensor known = values.get(value);
        if (known == null) {
            known = ofRun.get(value);
        }
        if (known != null) {
            return known;
        }
        String owner = plan.owner(value);
        String data = updated.get(value);
        Tensor located = data == null ? locate(value, type) : tensor(data, type);
        // a result of this run may be the caller's in the next one
        (inputs.containsKey(owner) || results.contains(owner) ? ofRun : values).put(value, located);
        return located;
    }

    /** {@return whether there are values in arrays} */
    boolean hasArrays() {
        return !arrays.isEmpty();
    }

    /** The elements of a value that lies in an array, null for others. */
    @Nullable
    FloatBuffer array(String value, TensorType type) {
        String owner = plan.owner(value);
        ArenaPlan arena = plan.hostArena();
        if (!arena.isInArray(owner)) {
            return null;
        }
        ArenaPlan.Region region = arena.regions().get(owner);
        if (region == null) {
            throw new IllegalStateException("value '" + value + "' has no host memory");
        }
        float[] array = arrays.get(region.chunk() - arena.memoryBytes().size());
        int first = FloatArrays.BEFORE + Math.toIntExact(region.offset() / Float.BYTES);
        int count = Math.toIntExact(type.bytes() / Float.BYTES);
        return FloatBuffer.wrap(array, first, count).slice();
    }

    /** The constant that a value shows, or null where it is none. */
    @Nullable
    Tensor constant(String value) {
        return plan.graph().constants().get(plan.owner(value));
    }

    private Tensor locate(String value, TensorType type) {
        String owner = plan.owner(value);
        Tensor constant = plan.graph().constants().get(owner);
        if (constant != null) {
            return constant.reshaped(type.shape());
        }
        Tensor input = inputs.get(owner);
        if (input != null) {
            return input.reshaped(type.shape());
        }
        ByteBuffer result = bound.get(owner);
        if (result != null) {
            return Tensor.wrap(type, result);
        }
        ArenaPlan.Region region = plan.hostArena().regions().get(owner);
        if (region == null) {
            throw new IllegalStateException("value '" + value + "' has no host memory");
        }
        if (plan.hostArena().isInArray(owner)) {
            return Tensor.deferred(type, memory -> {
                throw new IllegalStateException("value '" + value + "' lies in an array");
            });
        }
        int offset = Math.toIntExact(region.offset());
        int bytes = Math.toIntExact(type.bytes());
        return Tensor.wrap(type, chunks.get(region.chunk()).slice(offset, bytes));
    }
}
