package org.clinfer.predict;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.device.GpuFigures;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.Step;

/**
 * A kernel launch of a plan with its predicted time.
 *
 * @param node the node that it is for
 */
public record PredictedLaunch(PlacedNode node, KernelLaunch launch, LaunchWork work, LaunchTime time) {

    /** The launches of a run of a plan on a GPU, in their order. */
    public static List<PredictedLaunch> of(ExecutionPlan plan, GpuFigures gpu) {
        List<PredictedLaunch> launches = new ArrayList<>();
        for (Step step : plan.steps()) {
            if (step instanceof Step.Launch of) {
                // Without tiles, the first launch does the products.
                boolean hasTiles = of.kernels().stream()
                        .anyMatch(launch -> RegisterTile.of(launch).isPresent());
                for (int i = 0; i < of.kernels().size(); i++) {
                    KernelLaunch launch = of.kernels().get(i);
                    LaunchWork work = LaunchWork.of(of.node(), launch, !hasTiles && i == 0);
                    launches.add(new PredictedLaunch(of.node(), launch, work, LaunchTime.of(work, gpu)));
                }
            }
        }
        return launches;
    }
}
