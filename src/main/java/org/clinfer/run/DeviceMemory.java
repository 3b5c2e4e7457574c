package org.clinfer.run;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.clinfer.kernel.ChainSource;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.kernel.KernelPlan;
import org.clinfer.opencl.ClAccess;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClHostBuffer;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.MemoryLimits;
import org.clinfer.plan.Step;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The device memory of one plan: its arena, cut into one buffer per value, and the constants its kernels read. */
final class DeviceMemory implements AutoCloseable {

    private final ExecutionPlan plan;
    private final DeviceRuntime runtime;
    private final DeviceWeights shared;
    private final BufferPool ownPool;
    private final Set<String> readInRuns;
    private final PassingMemory passing = new PassingMemory();
    private final List<StaticPart> ownStatics = new ArrayList<>();
    private final LentMemory lent;
    private final List<ClBuffer> owned = new ArrayList<>();
    private final Map<String, ClBuffer> values = new HashMap<>();

    /** The memory of values that the host sees as well. */
    private final Map<String, ByteBuffer> visible = new HashMap<>();

    /**
     * Uploads what constants are not on the device yet.
     *
     * @param chunks memory for those of the plan's arena
     * @param shared the weights shared by all plans of the model; constants that only this plan has are its own
     */
    DeviceMemory(DeviceRuntime runtime, ExecutionPlan plan, List<ClBuffer> chunks, DeviceWeights shared) {
        this.plan = plan;
        this.runtime = runtime;
        this.shared = shared;
        this.ownPool = new BufferPool(runtime);
        this.readInRuns = DeviceNeeds.readInRuns(plan);
        this.lent = new LentMemory(runtime.context(), !plan.lent().isEmpty() && runtime.worksInPlace());
        try {
            allocate(chunks);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private void allocate(List<ClBuffer> chunks) {
        List<ClBuffer> wholes = wholes(chunks);
        plan.deviceArena().regions().forEach((value, region) -> {
            ClBuffer whole = wholes.get(region.chunk());
            values.put(
                    value,
                    region.offset() == 0
                            ? whole
                            : own(chunks.get(region.chunk()).sub(region.offset(), region.bytes())));
        });
        plan.deviceArena().regions().forEach((value, region) -> {
            if (chunks.get(region.chunk()) instanceof ClHostBuffer chunk) {
                chunk.memory()
                        .ifPresent(memory ->
                                visible.put(value, memory.slice((int) region.offset(), (int) region.bytes())));
            }
        });
        for (String value : plan.lent()) {
            TensorType type = Objects.requireNonNull(plan.graph().types().get(value));
            values.put(value, lent.buffer(value, type, isInput(value)));
        }
        plan.deviceArena().wholes().forEach((value, whole) -> {
            if (plan.lent().contains(whole)) {
                values.put(value, buffer(whole)); // an input of which an output replaces elements
            }
        });
        if (plan.steps().stream().anyMatch(step -> step instanceof Step.Chain)) {
            announce();
        }
        Map<String, Tensor> weights = weights();
        List<String> ofPlan = new ArrayList<>();
        for (String name : readInRuns) {
            Tensor weight = weights.get(name);
            if (weight == null) {
                ofPlan.add(name);
            } else {
                values.put(name, shared.buffer(name, weight));
            }
        }
        List<ClBuffer> there =
                ownPool.upload(ofPlan.stream().map(this::constant).toList());
        for (int i = 0; i < ofPlan.size(); i++) {
            values.put(ofPlan.get(i), own(there.get(i)));
        }
    }

    private boolean isInput(String value) {
        return plan.graph().inputs().stream().anyMatch(input -> input.name().equals(value));
    }

    /** {@return whether the device works in the host's memory, so that values are as near to both} */
    boolean isHostMemory() {
        return MemoryLimits.of(runtime.facts()).sharesHost();
    }

    /** The values whose memory is lent for each run. */
    LentMemory lent() {
        return lent;
    }

    private Tensor constant(String value) {
        String name = plan.owner(value);
        Tensor constant = plan.graph().constants().get(name);
        if (constant == null) {
            throw new IllegalStateException("constant '" + name + "' has no value");
        }
        return constant;
    }

    /** {@return whether a constant is on the device as long as the plan} */
    boolean isKept(String value) {
        return readInRuns.contains(plan.owner(value));
    }

    /** A constant that is not kept, in a buffer that belongs to the caller; where it is, if the device reads it there. */
    ClBuffer uploaded(String value) {
        Tensor constant = constant(value);
        if (constant.elements() == 0) {
            return runtime.context().buffer(1, ClAccess.READ_ONLY);
        }
        ByteBuffer memory = constant.isStored() ? constant.bytes() : passing.take(constant);
        if (!runtime.worksInPlace() || !ClHostBuffer.fits(memory)) {
            return runtime.context().bufferOf(memory, ClAccess.READ_ONLY);
        }
        ClHostBuffer buffer = runtime.context().hostBuffer(memory.remaining(), ClAccess.READ_ONLY);
        buffer.lend(memory);
        return buffer;
    }

    /** Commands that read constants that are not kept are done, and their buffers closed. */
    void passed() {
        passing.end();
    }

    /** The weights were brought into other forms: the memory for that goes back. */
    void prepared() {
        passing.close();
    }

    private Map<String, Tensor> weights() {
        return plan.graph().ofModel();
    }

    /** Tells the pools of all constants and static tensors that are to come, so that chains find them in few buffers. */
    private void announce() {
        long ofModel = 0;
        long ofPlan = 0;
        for (String name : readInRuns) {
            long bytes = ownPool.aligned(constant(name).type().bytes());
            if (!weights().containsKey(name)) {
                ofPlan += bytes;
            } else if (!shared.has(name)) {
                ofModel += bytes;
            }
        }
        for (PlacedNode node : plan.graph().nodes()) {
            if (node.launches().isEmpty() || !StaticPart.isNeeded(node)) {
                continue;
            }
            long bytes = node.launches().get().scratch().stream()
                    .filter(KernelPlan.Scratch::isStatic)
                    .mapToLong(tensor -> ownPool.aligned(tensor.type().bytes()))
                    .sum();
            if (!isOfModel(node)) {
                ofPlan += bytes;
            } else if (!shared.has(StaticPart.Key.of(node))) {
                ofModel += bytes;
            }
        }
        ownPool.announce(ofPlan);
        shared.pool().announce(ofModel);
    }

    /** The program for chains of these launches. */
    ChainSource chainSource(List<KernelLaunch> launches) {
        return shared.chainSource(launches);
    }

    /** The launches that fill static tensors that are not there yet. */
    List<KernelLaunch> staticLaunches() {
        return plan.graph().nodes().stream()
                .filter(node -> node.launches().isPresent() && StaticPart.isNeeded(node))
                .filter(node -> !isOfModel(node) || !shared.has(StaticPart.Key.of(node)))
                .flatMap(node -> node.launches().get().staticRun().stream())
                .toList();
    }

    /** {@return whether the constants of a node are the model's own} */
    private boolean isOfModel(PlacedNode node) {
        return node.inputs().stream().filter(this::isConstant).allMatch(weights()::containsKey);
    }

    /**
     * The buffers of values at the begin of each chunk: the chunk, or where other values need parts of it and the driver
     * does not show them what is written in the chunk itself, a part that is as large.
     */
    private List<ClBuffer> wholes(List<ClBuffer> chunks) {
        Set<Integer> cut = new HashSet<>();
        if (!runtime.context().showsWritesInParts()) {
            plan.deviceArena().regions().values().stream()
                    .filter(region -> region.offset() > 0)
                    .forEach(region -> cut.add(region.chunk()));
        }
        List<ClBuffer> wholes = new ArrayList<>();
        for (int i = 0; i < chunks.size(); i++) {
            ClBuffer chunk = chunks.get(i);
            wholes.add(own(cut.contains(i) ? chunk.sub(0, chunk.bytes()) : chunk.share()));
        }
        return wholes;
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

    /** The elements of a value that the host sees where they are, while no commands are under way. */
    Optional<ByteBuffer> visible(String value, int bytes) {
        return Optional.ofNullable(visible.get(plan.owner(value))).map(memory -> memory.slice(0, bytes));
    }

    /** The name of a scratch tensor of a node in the arena, or empty for a static one. */
    String scratchName(PlacedNode node, int position) {
        return Objects.requireNonNull(plan.scratch().get(node.form().name())).get(position);
    }

    /** {@return whether a value is a constant that kernels read} */
    boolean isConstant(String value) {
        return plan.deviceConstants().contains(plan.owner(value));
    }

    /** The static data of a node; what depends on the model's own weights alone is shared by all its plans. */
    StaticPart statics(PlacedNode node) {
        if (isOfModel(node)) {
            return shared.statics(StaticPart.Key.of(node), () -> StaticPart.of(runtime, node, this, shared.pool()));
        }
        StaticPart part = StaticPart.of(runtime, node, this, ownPool);
        ownStatics.add(part);
        return part;
    }

    @Override
    public void close() {
        ownStatics.forEach(StaticPart::close);
        ownStatics.clear();
        passing.close();
        lent.close();
        for (int i = owned.size() - 1; i >= 0; i--) {
            owned.get(i).close();
        }
        owned.clear();
        values.clear();
        visible.clear();
        ownPool.close();
    }
}
