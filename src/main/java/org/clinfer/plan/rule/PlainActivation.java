package org.clinfer.plan.rule;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.clinfer.describe.Binding;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.ActivationFunction;
import org.clinfer.graph.ActivationFunction.Bounds;
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

    /** The bounds between which a node keeps its values, if it is an activation that does nothing else. */
    static Optional<Bounds> bounds(PlacedNode placed) {
        return ActivationFunction.of(placed.op()).flatMap(activation -> bounds(activation, placed.binding()));
    }

    private static Optional<Bounds> bounds(ActivationFunction activation, Binding binding) {
        return activation == ActivationFunction.CLIP
                ? activation.bounds(binding.real("low"), binding.real("high"))
                : activation.bounds(0, 0);
    }

    private static Optional<Map<String, ExpressionValue>> params(ActivationFunction activation, Binding binding) {
        Map<String, ExpressionValue> params = new HashMap<>();
        params.put("activation", ExpressionValue.of(activation.name()));
        switch (activation) {
            case PRELU -> {
                return Optional.empty();
            }
            case GELU -> {
                if (!binding.text("approximate").equals("NONE")) {
                    return Optional.empty();
                }
            }
            case LEAKY_RELU -> params.put("alpha", ExpressionValue.of(binding.real("alpha")));
            case CLIP -> bounds(activation, binding).ifPresent(bounds -> addClip(params, bounds));
            case SWISH -> {
                if (binding.real("alpha") != 1) {
                    return Optional.empty();
                }
            }
            default -> {}
        }
        return Optional.of(params);
    }

    private static void addClip(Map<String, ExpressionValue> params, Bounds bounds) {
        if (ActivationFunction.RELU6.bounds(0, 0).equals(Optional.of(bounds))) {
            params.put("activation", ExpressionValue.of(ActivationFunction.RELU6.name()));
        } else {
            params.put("alpha", ExpressionValue.of(bounds.low()));
            params.put("beta", ExpressionValue.of(bounds.high()));
        }
    }
}
