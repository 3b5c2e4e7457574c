package org.clinfer.kernel;

import java.util.List;
import org.clinfer.tensor.TensorType;

/**
 * All launches of one use of an operator by one variant; those with nothing to do are left out.
 *
 * @param scratch tensors of the variant's own
 * @param staticRun once, after memory is planned; they read constants and fill static scratch tensors
 * @param run in every run, in order
 * @param postRun once, before the memory is given back
 */
public record KernelPlan(
        List<Scratch> scratch, List<KernelLaunch> staticRun, List<KernelLaunch> run, List<KernelLaunch> postRun) {

    /**
     * A tensor of a variant's own.
     *
     * @param isStatic whether it keeps its contents between runs
     */
    public record Scratch(String name, TensorType type, boolean isStatic) {}

    public KernelPlan {
        scratch = List.copyOf(scratch);
        staticRun = List.copyOf(staticRun);
        run = List.copyOf(run);
        postRun = List.copyOf(postRun);
    }

    /** Bytes of tensors of its own that a run needs beside its inputs and outputs. */
    public long workspaceBytes() {
        return scratch.stream()
                .filter(tensor -> !tensor.isStatic())
                .mapToLong(tensor -> tensor.type().bytes())
                .sum();
    }
}
