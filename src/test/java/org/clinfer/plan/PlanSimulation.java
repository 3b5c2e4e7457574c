package org.clinfer.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.ArenaPlan.Region;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * Carries a plan out on paper: every byte of both arenas remembers which value was written there last, and reading
 * anything else is an error.
 */
final class PlanSimulation {

    /** One memory space. */
    private final class Space {
        private final ArenaPlan arena;
        private final boolean device;
        private final List<String[]> chunks = new ArrayList<>();
        private final Set<String> lent = new HashSet<>();

        Space(ArenaPlan arena, boolean device) {
            this.arena = arena;
            this.device = device;
            arena.chunkBytes().forEach(bytes -> chunks.add(new String[Math.toIntExact(bytes)]));
        }

        void write(String value) {
            if (isLent(plan.owner(value))) {
                lent.add(plan.owner(value));
                return;
            }
            Region region = arena.regions().get(plan.owner(value));
            if (region == null) {
                throw new AssertionError(value + " is written, but has no memory (device: " + device + ")");
            }
            String[] chunk = chunks.get(region.chunk());
            for (long i = region.offset(); i < region.offset() + region.bytes(); i++) {
                chunk[(int) i] = plan.owner(value);
            }
        }

        private boolean isLent(String owner) {
            return device && plan.lent().contains(arena.wholes().getOrDefault(owner, owner));
        }

        void read(String value, Object reader) {
            String owner = plan.owner(value);
            boolean permanent = plan.graph().constants().containsKey(owner);
            boolean given = plan.graph().graph().inputTypes().containsKey(owner);
            if (permanent ? !device || plan.deviceConstants().contains(owner) : given && !device) {
                return;
            }
            if (isLent(owner) && lent.contains(owner)) {
                return;
            }
            Region region = arena.regions().get(owner);
            if (region == null) {
                throw new AssertionError(reader + " reads " + value + ", which has no memory (device: " + device + ")");
            }
            String[] chunk = chunks.get(region.chunk());
            for (long i = region.offset(); i < region.offset() + region.bytes(); i++) {
                if (!isSameMemory(owner, chunk[(int) i], arena)) {
                    throw new AssertionError(reader + " reads " + value + " (device: " + device + "), but finds "
                            + chunk[(int) i] + " in " + plan.steps());
                }
            }
        }
    }

    /** Whether what was written last is the value itself, a value of which it is a part, or a part of it. */
    private static boolean isSameMemory(String value, @Nullable String written, ArenaPlan arena) {
        String whole = arena.wholes().getOrDefault(value, value);
        return written != null && whole.equals(arena.wholes().getOrDefault(written, written));
    }

    private final ExecutionPlan plan;
    private final Space device;
    private final Space host;
    private final Map<String, Integer> uploads = new HashMap<>();
    private final Map<String, Integer> downloads = new HashMap<>();

    private PlanSimulation(ExecutionPlan plan) {
        this.plan = plan;
        this.device = new Space(plan.deviceArena(), true);
        this.host = new Space(plan.hostArena(), false);
    }

    /** Throws where a step reads what is not there, a value is moved twice, or an output is lost. */
    static void verify(ExecutionPlan plan) {
        PlanSimulation simulation = new PlanSimulation(plan);
        plan.steps().forEach(simulation::step);
        for (String output : plan.graph().outputs()) {
            boolean fromDevice = plan.deviceOutputs().contains(output);
            (fromDevice ? simulation.device : simulation.host).read(output, "the caller");
        }
        simulation.movedOnce(simulation.uploads);
        simulation.movedOnce(simulation.downloads);
        simulation.regionsAreLargeEnough(plan.deviceArena());
        simulation.regionsAreLargeEnough(plan.hostArena());
    }

    private void step(Step step) {
        if (step instanceof Step.Upload upload) {
            host.read(upload.value(), step);
            device.write(upload.value());
            uploads.merge(upload.value(), 1, Integer::sum);
        } else if (step instanceof Step.Download download) {
            device.read(download.value(), step);
            host.write(download.value());
            downloads.merge(download.value(), 1, Integer::sum);
        } else if (step instanceof Step.Launch launch) {
            run(launch.node(), device);
        } else if (step instanceof Step.Chain chain) {
            chain.nodes().forEach(this::step);
        } else if (step instanceof Step.HostCall call) {
            run(call.node(), host);
        }
    }

    private void run(PlacedNode placed, Space space) {
        var node = placed.form();
        for (int i = 0; i < node.inputs().size(); i++) {
            boolean seenByKernels = i >= placed.node().op().inputs().size()
                    || !placed.node().op().inputs().get(i).value();
            if (!node.inputs().get(i).isEmpty() && (seenByKernels || space == host)) {
                space.read(node.inputs().get(i), node);
            }
        }
        for (int i = 0; i < node.outputs().size(); i++) {
            String output = OutputNames.of(node, i);
            if (plan.owner(output).equals(output)) {
                space.write(output);
            }
        }
        // All inputs must still be whole after the outputs are written: a kernel reads while it writes.
        for (String input : node.inputs()) {
            boolean own = space.arena.regions().containsKey(plan.owner(input));
            if (own) {
                space.read(input, node + " after writing");
            }
        }
    }

    private void movedOnce(Map<String, Integer> moves) {
        moves.forEach((value, times) -> {
            if (times > 1) {
                throw new AssertionError(value + " is moved " + times + " times in " + plan.steps());
            }
        });
    }

    private void regionsAreLargeEnough(ArenaPlan arena) {
        arena.regions().forEach((value, region) -> {
            TensorType type = plan.graph().types().get(value);
            if (type != null && region.bytes() < type.bytes()) {
                throw new AssertionError(value + " needs " + type.bytes() + " bytes, but has " + region);
            }
            if (plan.graph().constants().containsKey(value)) {
                throw new AssertionError("the constant " + value + " has memory in an arena");
            }
        });
    }
}
