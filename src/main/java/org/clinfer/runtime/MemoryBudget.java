package org.clinfer.runtime;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.clinfer.device.DeviceFacts;
import org.clinfer.errors.InputException;
import org.clinfer.graph.GraphException;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.run.DeviceNeeds;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * The one place where total memory is bounded. Constants are folded, and plans accepted, only as far as they fit: the
 * property {@value #PROPERTY} in bytes, else what Java may use on the host and what the device has. A {@link MemoryAccount}
 * counts what an engine holds of it.
 *
 * @param given by the property, for the host and for each device
 * @param javaBytes what Java may use
 * @param ofEngine what all of an engine may hold
 */
public record MemoryBudget(OptionalLong given, long javaBytes, OptionalLong ofEngine) {

    /** The memory of the objects of a node in a plan, of which plans for other sizes share many, and where it is ready to run. */
    private static final long NODE_BYTES = 2 << 10;

    /** The memory of a node that is ready to run on a device: kernels with their arguments, Java's and the driver's. */
    private static final long LAUNCH_BYTES = 6 << 10;

    public static final String PROPERTY = "clinfer.memory.limit";

    /**
     * The limits in force.
     *
     * @throws InputException if the property is not a number of bytes
     */
    public static MemoryBudget current() {
        String text = System.getProperty(PROPERTY, "");
        long javaBytes = Runtime.getRuntime().maxMemory();
        if (text.isEmpty()) {
            return new MemoryBudget(OptionalLong.empty(), javaBytes, OptionalLong.empty());
        }
        if (!text.matches("[1-9][0-9]{0,17}")) {
            throw new InputException(PROPERTY + " must be a number of bytes, but is '" + text + "'");
        }
        return new MemoryBudget(OptionalLong.of(Long.parseLong(text)), javaBytes, OptionalLong.empty());
    }

    /**
     * The same for an engine that may hold so many bytes in all; then less is made of constants.
     *
     * @param bytes empty: as many as there are
     */
    public MemoryBudget within(OptionalLong bytes) {
        return new MemoryBudget(given, javaBytes, bytes);
    }

    /** What is there to keep constants and plans in, in bytes. */
    private long kept() {
        return Math.min(host(), ofEngine.orElse(Long.MAX_VALUE));
    }

    /** Host memory, in bytes. */
    long host() {
        return given.orElse(javaBytes);
    }

    /** Constants and what is folded from them, in bytes: half the host's, so that there is room for values. */
    public long folded() {
        return kept() / 2;
    }

    /** The bytes of what the CPU may make of a model's constants and keep: half of what they leave. */
    long packed(Collection<Tensor> constants) {
        return Math.max(0, kept() - Tensor.bytes(constants)) / 2;
    }

    /**
     * The bytes that plans that are ready to run may take beside the memory that they share, and once more what other
     * plans may take that are kept: small parts, because both only save time.
     */
    long ready() {
        return kept() / 16;
    }

    /** Device memory, in bytes. */
    long device(DeviceFacts facts) {
        return Math.min(given.orElse(Long.MAX_VALUE), facts.limit("global_mem_size", Long.MAX_VALUE));
    }

    /**
     * Refuses a plan that needs more than the host has: constants, intermediate values, and the outputs given away.
     *
     * @throws GraphException saying what is needed and what the limit is
     */
    void requireHost(ExecutionPlan plan) {
        PlacedGraph graph = plan.graph();
        long constants = Tensor.bytes(graph.constants().values());
        long values = plan.hostArena().totalBytes() + outputs(graph);
        excess("memory", constants, values, host()).ifPresent(excess -> {
            throw new GraphException(graph.source(), excess);
        });
    }

    /** About what a plan, ready to run, takes beside weights and the memory that it shares with others. */
    static long ready(ExecutionPlan plan) {
        long launches = plan.graph().nodes().stream()
                .filter(node -> node.target() == PlacedNode.Target.DEVICE)
                .count();
        return planned(plan) + LAUNCH_BYTES * launches;
    }

    /** About what a plan by itself takes: objects, and constants that the model has not. */
    static long planned(ExecutionPlan plan) {
        PlacedGraph graph = plan.graph();
        List<Tensor> all = new ArrayList<>(graph.ofModel().values());
        long ofModel = Tensor.bytes(all);
        all.addAll(graph.constants().values());
        return Tensor.bytes(all) - ofModel + NODE_BYTES * graph.nodes().size();
    }

    /** The outputs of a graph, in bytes. */
    static long outputs(PlacedGraph graph) {
        long bytes = 0;
        for (String output : graph.outputs()) {
            TensorType type = graph.types().get(output);
            Tensor constant = graph.constants().get(output);
            bytes += type != null
                    ? type.bytes()
                    : constant != null ? constant.type().bytes() : 0;
        }
        return bytes;
    }

    /** The excess of a plan's needs over the device, in words; empty where it suffices. */
    Optional<String> deviceExcess(ExecutionPlan plan, DeviceFacts facts) {
        DeviceNeeds needs = DeviceNeeds.of(plan, facts);
        long constants = needs.weights() + DeviceNeeds.passing(plan, facts);
        return excess("device memory", constants, needs.own(), device(facts));
    }

    private static Optional<String> excess(String kind, long constants, long values, long limit) {
        return constants + values > limit
                ? Optional.of("it needs " + (constants + values) + " bytes of " + kind + " (constants " + constants
                        + ", values " + values + "), limit " + limit)
                : Optional.empty();
    }
}
