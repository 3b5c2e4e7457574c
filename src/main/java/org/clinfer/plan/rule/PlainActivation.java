package org.clinfer.plan.rule;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.clinfer.describe.Binding;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.ActivationFunction;
import org.clinfer.place.PlacedNode;

/** Activations without tensors of their own, as parameters of the operators that end with one: all but PRelu. */
public final class PlainActivation {

    private PlainActivation() {}

    /** Values of {@code activation} and, where it has them, {@code alpha} and {@code beta}; empty for other nodes. */
    public static Optional<Map<String, ExpressionValue>> of(PlacedNode placed) {
        return ActivationFunction.of(placed.op())
                .filter(ActivationFunction::isAfterSums)
                .flatMap(activation -> params(activation, placed.binding()));
    }

    private static Optional<Map<String, ExpressionValue>> params(ActivationFunction activation, Binding binding) {
        Map<String, ExpressionValue> params = new HashMap<>();
        params.put("activation", ExpressionValue.of(activation.name()));
        switch (activation) {
            case PRELU -> {
                return Optional.empty();
            }
            case LEAKY_RELU -> params.put("alpha", ExpressionValue.of(binding.real("alpha")));
            case CLIP -> addClip(params, binding.real("low"), binding.real("high"));
            case SWISH -> {
                if (binding.real("alpha") != 1) {
                    return Optional.empty();
                }
            }
            default -> {}
        }
        return Optional.of(params);
    }

    private static void addClip(Map<String, ExpressionValue> params, double low, double high) {
        if (low == 0 && high == 6) {
            params.put("activation", ExpressionValue.of(ActivationFunction.RELU6.name()));
        } else {
            params.put("alpha", ExpressionValue.of(low));
            params.put("beta", ExpressionValue.of(high));
        }
    }
}
