package org.clinfer.cpu.elements;

import org.clinfer.cpu.call.CpuCall;
import org.clinfer.graph.Parameters;

/**
 * The bounds within which the sums of a convolution are kept.
 *
 * @param isAll whether nothing but a bias and these bounds follows the sums; else there are none
 */
public record SumBounds(float low, float high, boolean isAll) {

    private static final int RESIDUAL = 3;
    /** No bounds, and something else that follows the sums. */
    public static final SumBounds NONE = new SumBounds(Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, false);

    public static SumBounds of(CpuCall call) {
        return call.optionalInput(RESIDUAL) != null ? NONE : of(call.parameters());
    }

    /** Those of the activation, whether or not there is a residual. */
    public static SumBounds of(Parameters parameters) {
        return switch (Activations.named(parameters)) {
            case NONE -> new SumBounds(Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, true);
            case RELU -> new SumBounds(0, Float.POSITIVE_INFINITY, true);
            case RELU6 -> new SumBounds(0, 6, true);
            case CLIP -> new SumBounds((float) parameters.real("alpha"), (float) parameters.real("beta"), true);
            default -> NONE;
        };
    }
}
