package org.clinfer.cpu.recurrent;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.cpu.elements.Activations;
import org.clinfer.cpu.elements.MapOperator;
import org.clinfer.cpu.vector.VectorFunctions;
import org.clinfer.graph.ActivationFunction;
import org.clinfer.graph.Parameters;
import org.jspecify.annotations.Nullable;

/** The activations of recurrent operators, in the order of their parameter, with what goes into them clipped. */
final class GateActivations {

    private final List<MapOperator.Loops> functions = new ArrayList<>();
    private final double clip;

    /** @param vectors functions in vectors, or null */
    GateActivations(Parameters params, @Nullable VectorFunctions vectors) {
        List<String> names = params.texts("activations");
        double[] alpha = params.reals("activation_alpha");
        double[] beta = params.reals("activation_beta");
        for (int i = 0; i < alpha.length; i++) {
            ActivationFunction activation = ActivationFunction.of(names.get(i)).orElseThrow();
            functions.add(Activations.of(activation, alpha[i], beta[i], vectors));
        }
        clip = params.real("clip");
    }

    /** Of what goes into a gate. */
    double gate(int index, double sum) {
        return state(index, clip > 0 ? Math.max(-clip, Math.min(clip, sum)) : sum);
    }

    /** Of what a gate has let through. */
    double state(int index, double value) {
        return functions.get(index).doubles().applyAsDouble(value);
    }

    /** {@link #gate(int, double)} of the elements {@code from … to - 1}, in place. */
    void gates(int index, float[] sums, int from, int to) {
        if (clip > 0) {
            float most = (float) clip;
            for (int i = from; i < to; i++) {
                sums[i] = Math.max(-most, Math.min(most, sums[i]));
            }
        }
        states(index, sums, from, to);
    }

    /** {@link #state(int, double)} of the elements {@code from … to - 1}, in place. */
    void states(int index, float[] values, int from, int to) {
        functions.get(index).floats().run(values, from, to);
    }
}
