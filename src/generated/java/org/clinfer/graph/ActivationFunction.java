package org.clinfer.graph;

import java.util.Arrays;
import java.util.Optional;
import javax.annotation.processing.Generated;

/** The activations that may follow sums or be in the gates of recurrent operators. */
@Generated("org.clinfer.generate.GeneratedFiles")
public enum ActivationFunction {
    /** {@code x}. */
    NONE("None", true),
    /** {@code max(x, 0)}. */
    RELU("Relu", true),
    /** {@code min(max(x, 0), 6)}. */
    RELU6("Relu6", true),
    /** {@code x where x >= 0, else alpha * x}. */
    LEAKY_RELU("LeakyRelu", true),
    /** {@code x where x >= 0, else slope * x}. */
    PRELU("PRelu", true),
    /** {@code min(max(x, alpha), beta)}. */
    CLIP("Clip", true),
    /** {@code 1 / (1 + exp(-x))}. */
    SIGMOID("Sigmoid", true),
    /** {@code x * min(max(x / 6 + 0.5, 0), 1)}. */
    HARD_SWISH("HardSwish", true),
    /** {@code tanh(x)}. */
    TANH("Tanh", true),
    /** {@code x / (1 + exp(-x))}. */
    SWISH("Swish", true),
    /** {@code x / 2 * (1 + erf(x / sqrt(2)))}. */
    GELU("Gelu", true),
    /** {@code alpha * x + beta}. */
    AFFINE("Affine", false),
    /** {@code x where x > alpha, else 0}. */
    THRESHOLDED_RELU("ThresholdedRelu", false),
    /** {@code alpha * tanh(beta * x)}. */
    SCALED_TANH("ScaledTanh", false),
    /** {@code min(max(alpha * x + beta, 0), 1)}. */
    HARD_SIGMOID("HardSigmoid", false),
    /** {@code x where x > 0, else alpha * (exp(x) - 1)}. */
    ELU("Elu", false),
    /** {@code x / (1 + |x|)}. */
    SOFTSIGN("Softsign", false),
    /** {@code log(1 + exp(x))}. */
    SOFTPLUS("Softplus", false);

    private final String operator;
    private final boolean isAfterSums;

    ActivationFunction(String operator, boolean isAfterSums) {
        this.operator = operator;
        this.isAfterSums = isAfterSums;
    }

    /**
     * The name of the activation.
     *
     * @return its name in gates, and that of the operator that computes it, if there is one
     */
    public String operator() {
        return operator;
    }

    /**
     * The use after sums.
     *
     * @return whether it may follow the sums of an operator such as FusedConv
     */
    public boolean isAfterSums() {
        return isAfterSums;
    }

    /**
     * The bounds between which it keeps its values, where it does nothing else.
     *
     * @param alpha its first parameter, where it has one
     * @param beta its second parameter, where it has one
     * @return empty where it does anything else
     */
    public Optional<Bounds> bounds(double alpha, double beta) {
        return switch (this) {
            case RELU -> Optional.of(new Bounds(0.0, Double.POSITIVE_INFINITY));
            case RELU6 -> Optional.of(new Bounds(0.0, 6.0));
            case CLIP -> Optional.of(new Bounds(alpha, beta));
            default -> Optional.empty();
        };
    }

    /**
     * Finds an activation by its name.
     *
     * @param operator the name in gates
     * @return empty where there is none of this name
     */
    public static Optional<ActivationFunction> of(String operator) {
        return Arrays.stream(values())
                .filter(activation -> activation.operator.equals(operator))
                .findFirst();
    }

    /**
     * The lowest and the highest value of an activation.
     *
     * @param low the lowest
     * @param high the highest
     */
    public record Bounds(double low, double high) {}
}
