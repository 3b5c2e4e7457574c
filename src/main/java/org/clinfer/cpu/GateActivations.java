package org.clinfer.cpu;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.clinfer.graph.Parameters;

/** The activations of recurrent operators, in the order of their parameter, with what goes into them clipped. */
final class GateActivations {

    private final List<DoubleUnaryOperator> functions = new ArrayList<>();
    private final double clip;

    GateActivations(Parameters params) {
        int[] kinds = params.ints("activation_kinds");
        double[] alpha = params.reals("activation_alpha");
        double[] beta = params.reals("activation_beta");
        for (int i = 0; i < kinds.length; i++) {
            functions.add(function(kinds[i], alpha[i], beta[i]));
        }
        clip = params.real("clip");
    }

    /** By the number that the description gives its name. */
    private static DoubleUnaryOperator function(int kind, double alpha, double beta) {
        return switch (kind) {
            case 0 -> v -> Math.max(v, 0);
            case 1 -> Math::tanh;
            case 2 -> v -> 1 / (1 + Math.exp(-v));
            case 3 -> v -> alpha * v + beta;
            case 4 -> v -> v >= 0 ? v : alpha * v;
            case 5 -> v -> v > alpha ? v : 0;
            case 6 -> v -> alpha * Math.tanh(beta * v);
            case 7 -> v -> Math.min(Math.max(alpha * v + beta, 0), 1);
            case 8 -> v -> v > 0 ? v : alpha * Math.expm1(v);
            case 9 -> v -> v / (1 + Math.abs(v));
            case 10 -> v -> Math.max(v, 0) + Math.log1p(Math.exp(-Math.abs(v)));
            default -> throw new IllegalArgumentException("no activation " + kind);
        };
    }

    /** Of what goes into a gate. */
    double gate(int index, double sum) {
        return functions.get(index).applyAsDouble(clip > 0 ? Math.max(-clip, Math.min(clip, sum)) : sum);
    }

    /** Of what a gate has let through. */
    double state(int index, double value) {
        return functions.get(index).applyAsDouble(value);
    }
}
