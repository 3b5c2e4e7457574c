package org.clinfer.run;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.ArenaPlan;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.Step;

/** The memory that values of a plan need while its steps run: from the step that makes a value to the last that takes it. */
final class LiveMemory {

    /** First and last step of a value. */
    private record Life(int first, int last) {}

    private final ExecutionPlan plan;

    private LiveMemory(ExecutionPlan plan) {
        this.plan = plan;
    }

    /** Bytes on host and device for each step, and at the end of the run. */
    static long[] of(ExecutionPlan plan, List<Step> steps) {
        LiveMemory memory = new LiveMemory(plan);
        long[] bytes = new long[steps.size() + 1];
        memory.add(plan.deviceArena(), steps, bytes, true);
        memory.add(plan.hostArena(), steps, bytes, false);
        return bytes;
    }

    private void add(ArenaPlan arena, List<Step> steps, long[] bytes, boolean onDevice) {
        Map<String, Life> lives = new HashMap<>();
        for (int i = 0; i < steps.size(); i++) {
            int step = i;
            values(steps.get(i), onDevice).forEach(value -> touch(lives, arena, value, step));
        }
        for (String output : plan.graph().outputs()) {
            if (lives.containsKey(whole(arena, output))) {
                touch(lives, arena, output, steps.size());
            }
        }
        lives.forEach((value, life) -> {
            ArenaPlan.Region region = arena.regions().get(value);
            for (int i = life.first(); region != null && i <= life.last(); i++) {
                bytes[i] += region.bytes();
            }
        });
    }

    private void touch(Map<String, Life> lives, ArenaPlan arena, String value, int step) {
        lives.merge(whole(arena, value), new Life(step, step), (life, now) -> new Life(life.first(), now.last()));
    }

    /** The value with memory of its own in which another one lies. */
    private String whole(ArenaPlan arena, String value) {
        String owner = plan.owner(value);
        return arena.wholes().getOrDefault(owner, owner);
    }

    private Stream<String> values(Step step, boolean onDevice) {
        if (step instanceof Step.Upload upload) {
            return Stream.of(upload.value());
        }
        if (step instanceof Step.Download download) {
            return Stream.of(download.value());
        }
        if (step instanceof Step.HostCall call) {
            return onDevice ? Stream.empty() : values(call.node());
        }
        if (!onDevice) {
            return Stream.empty();
        }
        return step instanceof Step.Chain chain
                ? chain.nodes().stream().flatMap(launch -> values(launch.node()))
                : values(((Step.Launch) step).node());
    }

    private Stream<String> values(PlacedNode node) {
        List<String> scratch = plan.scratch().getOrDefault(node.form().name(), List.of());
        return Stream.of(node.inputs(), node.outputs(), scratch)
                .flatMap(List::stream)
                .filter(value -> !value.isEmpty());
    }
}
