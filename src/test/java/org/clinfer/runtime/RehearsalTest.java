package org.clinfer.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.device.DeviceFacts;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.Step;
import org.junit.jupiter.api.Test;

/** The plan that is made beside the opening of a device. */
class RehearsalTest {

    private static DeviceFacts device(DeviceFacts.Kind kind) {
        return new DeviceFacts(
                "Toaster",
                "Acme",
                "1",
                "Acme CL",
                "3.0",
                kind,
                Set.of("cl_khr_fp64"),
                Map.of(
                        "local_mem_size", 48L << 10,
                        "max_work_group_size", 1024L,
                        "max_compute_units", 132L,
                        "global_mem_size", 8L << 30,
                        "max_mem_alloc_size", 2L << 30));
    }

    @Test
    void theNetworkIsPlannedWithItsFusions() {
        DescriptionLoading.Loaded loaded =
                DescriptionLoading.start(List.of(), false).join();
        ExecutionPlan plan = Rehearsal.of(loaded, device(DeviceFacts.Kind.GPU)).orElseThrow();
        assertThat(plan.steps().stream()
                        .filter(Step.Launch.class::isInstance)
                        .map(Step.Launch.class::cast)
                        .filter(launch -> !launch.kernels().isEmpty())
                        .map(launch -> launch.node().node().node().op()))
                .as("normalizations, activations and the sum are in the convolutions")
                .containsExactly("FusedConv", "MaxPool", "FusedConv", "FusedConv", "AvgPool", "Gemm");
    }

    @Test
    void aProcessRehearsesOnceAndWhereTwoProcessorsAreLeft() {
        assertThat(Rehearsal.isDue(device(DeviceFacts.Kind.CPU), 64)).isFalse();
        assertThat(Rehearsal.isDue(device(DeviceFacts.Kind.GPU), 2)).isFalse();
        boolean isFirst = Rehearsal.isDue(device(DeviceFacts.Kind.GPU), 3);
        assertThat(Rehearsal.isDue(device(DeviceFacts.Kind.GPU), 64))
                .as("after another one, which was due: %s", isFirst)
                .isFalse();
    }
}
