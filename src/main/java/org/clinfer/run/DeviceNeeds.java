package org.clinfer.run;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.device.DeviceFacts;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.kernel.KernelPlan;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.MemoryLimits;
import org.clinfer.plan.Step;

/**
 * The device memory of a plan in bytes, known before any is allocated. Constants and what kernels make of them are the
 * model's, and there once for all its plans; values are each plan's own.
 *
 * @param constants those that kernels read in runs, as they are
 * @param prepared what kernels keep of constants in forms of their own: packed, transformed
 * @param values all others, as far as they are not where the host has them
 * @param tables what chains of launches read of themselves
 */
public record DeviceNeeds(long constants, long prepared, long values, long tables) {

    /** Of a plan without a device. */
    public static final DeviceNeeds NONE = new DeviceNeeds(0, 0, 0, 0);

    /** The needs of a plan on a device. */
    public static DeviceNeeds of(ExecutionPlan plan, DeviceFacts facts) {
        List<Step.Chain> chains = plan.steps().stream()
                .filter(Step.Chain.class::isInstance)
                .map(Step.Chain.class::cast)
                .toList();
        // one launch takes few buffers, so that chains have constants in large ones
        long alignment = chains.isEmpty() ? 1 : MemoryLimits.of(facts).alignment();
        long constants = readInRuns(plan).stream()
                .mapToLong(name -> aligned(bytes(plan, name), alignment))
                .sum();
        long prepared = plan.graph().nodes().stream()
                .flatMap(node -> node.launches().stream())
                .flatMap(launches -> launches.scratch().stream())
                .filter(KernelPlan.Scratch::isStatic)
                .mapToLong(tensor -> aligned(tensor.type().bytes(), alignment))
                .sum();
        long tables = chains.stream().mapToLong(chain -> tables(chain, facts)).sum();
        return new DeviceNeeds(constants, prepared, plan.deviceArena().totalBytes(), tables);
    }

    private static long bytes(ExecutionPlan plan, String constant) {
        return Objects.requireNonNull(plan.graph().constants().get(constant), constant)
                .type()
                .bytes();
    }

    private static long aligned(long bytes, long alignment) {
        return (Math.max(bytes, 1) + alignment - 1) / alignment * alignment;
    }

    private static long tables(Step.Chain chain, DeviceFacts facts) {
        List<KernelLaunch> launches =
                chain.nodes().stream().flatMap(node -> node.kernels().stream()).toList();
        return ChainTable.bytes(launches) + PreparedChain.counterBytes(launches.size(), PreparedChain.workers(facts));
    }

    /** The constants that kernels read in runs or after them; the others only fill static tensors. */
    static Set<String> readInRuns(ExecutionPlan plan) {
        Set<String> names = new LinkedHashSet<>();
        for (PlacedNode node : plan.graph().nodes()) {
            KernelPlan launches = node.launches().orElse(null);
            if (launches != null) {
                Stream.concat(launches.run().stream(), launches.postRun().stream())
                        .flatMap(launch -> launch.inputs().stream())
                        .map(position -> plan.owner(node.inputs().get(position)))
                        .filter(plan.deviceConstants()::contains)
                        .forEach(names::add);
            }
        }
        return names;
    }

    /**
     * The memory that is needed beside these while the weights of a plan are prepared: of constants that the device has only to
     * fill what it keeps in another form, the most that one node has.
     */
    public static long passing(ExecutionPlan plan, DeviceFacts facts) {
        if (facts.kind() == DeviceFacts.Kind.CPU) {
            return 0; // kernels read them where the host has them
        }
        Set<String> kept = readInRuns(plan);
        return plan.graph().nodes().stream()
                .filter(node -> node.launches().isPresent())
                .mapToLong(node -> node.launches().get().staticRun().stream()
                        .flatMap(launch -> launch.inputs().stream())
                        .distinct()
                        .map(position -> plan.owner(node.inputs().get(position)))
                        .filter(constant -> !kept.contains(constant))
                        .mapToLong(constant -> bytes(plan, constant))
                        .sum())
                .max()
                .orElse(0);
    }

    /** Memory that belongs to the model. */
    public long weights() {
        return constants + prepared;
    }

    /** Memory that belongs to the plan. */
    public long own() {
        return values + tables;
    }
}
