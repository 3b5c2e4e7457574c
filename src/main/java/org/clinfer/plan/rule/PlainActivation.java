package org.clinfer.plan.rule;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.clinfer.describe.Binding;
import org.clinfer.expr.Value;
import org.clinfer.place.PlacedNode;

/** Activations without tensors of their own, as parameters of the operators that end with one: all but PRelu. */
public final class PlainActivation {

    private static final Map<String, String> NAMES = Map.of(
            "Relu", "RELU",
            "Relu6", "RELU6",
            "LeakyRelu", "LEAKY_RELU",
            "Clip", "CLIP",
            "Sigmoid", "SIGMOID",
            "HardSwish", "HARD_SWISH",
            "Tanh", "TANH",
            "Swish", "SWISH");

    private PlainActivation() {}

    /** Values of {@code activation} and, where it has them, {@code alpha} and {@code beta}; empty for other nodes. */
    public static Optional<Map<String, Value>> of(PlacedNode placed) {
        String op = placed.op();
        if (!NAMES.containsKey(op)) {
            return Optional.empty();
        }
        Binding binding = placed.binding();
        Map<String, Value> params = new HashMap<>();
        params.put("activation", Value.of(Objects.requireNonNull(NAMES.get(op))));
        switch (op) {
            case "LeakyRelu" -> params.put("alpha", Value.of(binding.real("alpha")));
            case "Clip" -> addClip(params, binding.real("low"), binding.real("high"));
            case "Swish" -> {
                if (binding.real("alpha") != 1) {
                    return Optional.empty();
                }
            }
            default -> {}
        }
        return Optional.of(params);
    }

    private static void addClip(Map<String, Value> params, double low, double high) {
        if (low == 0 && high == 6) {
            params.put("activation", Value.of("RELU6"));
        } else {
            params.put("alpha", Value.of(low));
            params.put("beta", Value.of(high));
        }
    }
}
