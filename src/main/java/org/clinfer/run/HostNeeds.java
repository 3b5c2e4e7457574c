package org.clinfer.run;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.device.DeviceFacts;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.Step;
import org.clinfer.tensor.Tensor;

/** The needs of a plan in memory of the host. */
public final class HostNeeds {

    private HostNeeds() {}

    /** Bytes through which values pass on their way to and from a device. */
    public static long staged(ExecutionPlan plan, DeviceFacts facts) {
        return StagedValues.of(plan, facts).bytes();
    }

    /** All constants but deferred ones that nothing on the host looks at. */
    public static List<Tensor> constants(ExecutionPlan plan) {
        Set<String> read = new HashSet<>();
        plan.graph().outputs().forEach(output -> read.add(plan.owner(output)));
        for (Step step : plan.steps()) {
            if (step instanceof Step.HostCall call) {
                call.node().inputs().stream()
                        .filter(input -> !input.isEmpty())
                        .forEach(input -> read.add(plan.owner(input)));
            }
        }
        return plan.graph().constants().entrySet().stream()
                .filter(constant -> !constant.getValue().isDeferred() || read.contains(constant.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }
}
