package org.clinfer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.clinfer.opencl.ClBuildException;
import org.clinfer.run.VariantException;
import org.clinfer.runtime.VariantTrials;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.Tolerance;

/**
 * The outcome of holding one kernel variant against the CPU, see {@link Model#tryKernels}.
 *
 * @param variant the unique name of the variant
 * @param outcome of the trial
 * @param detail what differs, and by how much, or what it writes that is no output; where the compiler refuses the kernel; why the variant does not take the
 *     node, or is not compared. Empty where it is right
 * @param log what the compiler says that refuses the kernel; empty where none does
 */
public record KernelTrial(String variant, Outcome outcome, String detail, String log) {

    /** The outcome of one trial. */
    public enum Outcome {
        /** It gives what the CPU gives. */
        RIGHT,
        /** It gives something else, or writes into its inputs or outside of its outputs. */
        WRONG,
        /** The device's compiler or the device refuses it. */
        FAILED,
        /** It runs, but the CPU does not take the node. */
        UNCOMPARED,
        /** It does not take the node. */
        REFUSED
    }

    static List<KernelTrial> of(VariantTrials trials, Tolerance tolerance) {
        Optional<Map<String, Tensor>> expected = trials.onHost();
        List<KernelTrial> all = new ArrayList<>();
        for (VariantTrials.Tried tried : trials.onDevice()) {
            all.add(of(tried, expected, tolerance));
        }
        return List.copyOf(all);
    }

    private static KernelTrial of(
            VariantTrials.Tried tried, Optional<Map<String, Tensor>> expected, Tolerance tolerance) {
        if (tried.failure().isPresent()) {
            return failed(tried.optype(), tried.failure().get());
        }
        if (tried.outputs().isEmpty()) {
            return new KernelTrial(tried.optype(), Outcome.REFUSED, String.join("; ", tried.reasons()), "");
        }
        if (tried.stray().isPresent()) {
            return new KernelTrial(tried.optype(), Outcome.WRONG, tried.stray().get(), "");
        }
        if (expected.isEmpty()) {
            String why = "the CPU does not compute it, so that there is nothing to compare with";
            return new KernelTrial(tried.optype(), Outcome.UNCOMPARED, why, "");
        }
        Optional<String> difference = difference(expected.get(), tried.outputs().get(), tolerance);
        return new KernelTrial(
                tried.optype(), difference.isPresent() ? Outcome.WRONG : Outcome.RIGHT, difference.orElse(""), "");
    }

    private static Optional<String> difference(
            Map<String, Tensor> expected, Map<String, Tensor> given, Tolerance tolerance) {
        return expected.entrySet().stream()
                .flatMap(output -> TensorComparison.difference(
                        output.getValue(), Objects.requireNonNull(given.get(output.getKey())), tolerance)
                        .map(by -> output.getKey() + ": " + by)
                        .stream())
                .findFirst();
    }

    private static KernelTrial failed(String optype, VariantException failure) {
        if (failure.failure() instanceof ClBuildException build) {
            BuildFailure refused = BuildFailure.of(optype, build);
            return new KernelTrial(optype, Outcome.FAILED, "does not compile: " + refused.reason(), refused.log());
        }
        String message =
                String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
        return new KernelTrial(optype, Outcome.FAILED, message, "");
    }
}
