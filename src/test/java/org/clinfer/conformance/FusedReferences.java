package org.clinfer.conformance;

import java.util.Map;
import org.clinfer.tensor.DType;

/** Convolutions with what follows them: inputs x, weights, bias, residual, slope. */
final class FusedReferences {

    private FusedReferences() {}

    static Map<String, Reference> all() {
        return Map.of(
                "FusedConv", Reference.single(call -> finished(call, WindowReferences.fusedConvolution(call))),
                "FusedConvTranspose",
                        Reference.single(call -> finished(call, TransposedReferences.fusedConvolution(call))));
    }

    /** Residual and activation after a sum in the layout of y. */
    private static Array finished(Call call, Array sums) {
        boolean isAfter = call.text("residual_add", "BEFORE").equals("AFTER");
        int channelAxis = isChannelsLast(call) ? sums.rank() - 1 : 1;
        Array y = Array.of(sums.dims(), at -> {
            double residual = call.hasInput(3) ? call.input(3).at(at) : 0;
            double activated = activated(call, sums.at(at) + (isAfter ? 0 : residual), at[channelAxis]);
            // Integers are rounded before anything is added to them.
            return (call.isInteger() ? Math.rint(activated) : activated) + (isAfter ? residual : 0);
        });
        return call.text("out_type", "SAME").equals("INT32") ? y.as(DType.INT32) : y;
    }

    static boolean isChannelsLast(Call call) {
        return call.text("data_format", "NCX").equals("NXC");
    }

    static double activated(Call call, double x, long channel) {
        return switch (call.text("activation", "NONE")) {
            case "NONE" -> x;
            case "RELU" -> Math.max(x, 0);
            case "RELU6" -> Math.min(Math.max(x, 0), 6);
            case "LEAKY_RELU" -> x < 0 ? call.real("alpha", 0.01) * x : x;
            case "PRELU" -> {
                Array slope = call.input(4);
                yield x < 0 ? slope.at(slope.elements() == 1 ? 0 : channel) * x : x;
            }
            case "CLIP" -> Math.min(Math.max(x, call.real("alpha", 0)), call.real("beta", 0));
            case "SIGMOID" -> 1 / (1 + Math.exp(-x));
            case "HARD_SWISH" -> x * Math.min(Math.max(x / 6 + 0.5, 0), 1);
            case "SWISH" -> x / (1 + Math.exp(-x));
            case "GELU" -> x / 2 * FunctionReferences.complement(-x * Math.sqrt(0.5));
            case "TANH" -> Math.tanh(x);
            default -> throw new IllegalArgumentException(call.text("activation", ""));
        };
    }
}
