package org.clinfer.cpu.elements;

import java.util.function.DoubleUnaryOperator;
import org.clinfer.cpu.elements.MapOperator.Loops;
import org.clinfer.cpu.memory.LongValues;
import org.clinfer.cpu.vector.VectorFunctions;
import org.clinfer.graph.ActivationFunction;
import org.clinfer.graph.Parameters;
import org.jspecify.annotations.Nullable;

/** The loops of activations. */
public final class Activations {

    private Activations() {}

    /** The activation that ends an operator; null where there is none, or PRELU, whose slopes are a tensor. */
    public static @Nullable Loops after(Parameters parameters, @Nullable VectorFunctions vectors) {
        ActivationFunction activation = named(parameters);
        return switch (activation) {
            case NONE, PRELU -> null;
            default -> of(activation, parameters.real("alpha"), parameters.real("beta"), vectors);
        };
    }

    /** The activation that ends an operator. */
    static ActivationFunction named(Parameters parameters) {
        return ActivationFunction.valueOf(parameters.text("activation"));
    }

    /**
     * The loops of an activation.
     *
     * @param vectors functions in vectors, or null
     */
    public static Loops of(
            ActivationFunction activation, double alpha, double beta, @Nullable VectorFunctions vectors) {
        return switch (activation) {
            case RELU -> relu();
            case RELU6 -> clamp(0, 6, 0, 6);
            case CLIP -> clamp(alpha, beta, LongValues.rounded(alpha), LongValues.rounded(beta));
            case LEAKY_RELU -> leakyRelu(alpha);
            case SIGMOID -> sigmoid(vectors);
            case HARD_SWISH -> hardSwish();
            case TANH -> tanh(vectors);
            case SWISH -> swish(1, vectors);
            case GELU -> MapOperators.gelu("NONE", vectors);
            case AFFINE -> Loops.floating(v -> alpha * v + beta);
            case THRESHOLDED_RELU -> Loops.floating(v -> v > alpha ? v : 0);
            case SCALED_TANH -> Loops.floating(v -> alpha * Math.tanh(beta * v));
            case HARD_SIGMOID -> hardSigmoid(alpha, beta);
            case ELU -> Loops.floating(v -> v > 0 ? v : alpha * Math.expm1(v));
            case SOFTSIGN -> softsign();
            case SOFTPLUS -> softplus(vectors);
            case NONE, PRELU -> throw new IllegalArgumentException(activation + " has no loop of its own");
        };
    }

    private static Loops relu() {
        return new Loops(
                (values, from, to) -> {
                    for (int i = from; i < to; i++) {
                        values[i] = Math.max(values[i], 0);
                    }
                },
                v -> Math.max(v, 0),
                v -> Math.max(v, 0));
    }

    private static Loops hardSwish() {
        return Loops.floating(
                (values, from, to) -> {
                    for (int i = from; i < to; i++) {
                        values[i] *= Math.min(Math.max(values[i] / 6 + 0.5f, 0), 1);
                    }
                },
                v -> v * Math.min(Math.max(v / 6 + 0.5, 0), 1));
    }

    private static Loops sigmoid(@Nullable VectorFunctions vectors) {
        return Loops.floating(
                vectors != null
                        ? vectors::sigmoid
                        : (values, from, to) -> {
                            for (int i = from; i < to; i++) {
                                values[i] = 1 / (1 + FloatFunctions.exp(-values[i]));
                            }
                        },
                v -> 1 / (1 + Math.exp(-v)));
    }

    private static Loops tanh(@Nullable VectorFunctions vectors) {
        return Loops.floating(
                vectors != null
                        ? vectors::tanh
                        : (values, from, to) -> {
                            for (int i = from; i < to; i++) {
                                values[i] = FloatFunctions.tanh(values[i]);
                            }
                        },
                Math::tanh);
    }

    static Loops swish(double alpha, @Nullable VectorFunctions vectors) {
        float factor = (float) -alpha;
        return Loops.floating(
                vectors != null
                        ? (values, from, to) -> vectors.swish(factor, values, from, to)
                        : (values, from, to) -> {
                            for (int i = from; i < to; i++) {
                                values[i] = values[i] / (1 + FloatFunctions.exp(factor * values[i]));
                            }
                        },
                v -> v / (1 + Math.exp(-alpha * v)));
    }

    static Loops clamp(double low, double high, long lowest, long highest) {
        float least = (float) low;
        float most = (float) high;
        return new Loops(
                (values, from, to) -> {
                    for (int i = from; i < to; i++) {
                        values[i] = Math.min(Math.max(values[i], least), most);
                    }
                },
                v -> Math.min(Math.max(v, low), high),
                v -> Math.min(Math.max(v, lowest), highest));
    }

    private static Loops hardSigmoid(double alpha, double beta) {
        float slope = (float) alpha;
        float shift = (float) beta;
        return Loops.floating(
                (values, from, to) -> {
                    for (int i = from; i < to; i++) {
                        values[i] = Math.min(Math.max(slope * values[i] + shift, 0), 1);
                    }
                },
                v -> Math.min(Math.max(alpha * v + beta, 0), 1));
    }

    /** The loop over floats is one of vectors where the function is a maximum. */
    private static Loops leakyRelu(double alpha) {
        float slope = (float) alpha;
        return new Loops(
                slope > 0 && slope <= 1
                        ? (values, from, to) -> {
                            for (int i = from; i < to; i++) {
                                values[i] = Math.max(values[i], slope * values[i]);
                            }
                        }
                        : (values, from, to) -> {
                            for (int i = from; i < to; i++) {
                                float value = values[i];
                                values[i] = value >= 0 ? value : slope * value;
                            }
                        },
                v -> v >= 0 ? v : alpha * v,
                v -> v >= 0 ? v : (long) Math.rint(alpha * v));
    }

    private static Loops softsign() {
        return Loops.floating(
                (values, from, to) -> {
                    for (int i = from; i < to; i++) {
                        values[i] = values[i] / (1 + Math.abs(values[i]));
                    }
                },
                v -> v / (1 + Math.abs(v)));
    }

    private static Loops softplus(@Nullable VectorFunctions vectors) {
        DoubleUnaryOperator softplus = v -> Math.max(v, 0) + Math.log1p(Math.exp(-Math.abs(v)));
        return vectors != null ? Loops.floating(vectors::softplus, softplus) : Loops.floating(softplus);
    }
}
