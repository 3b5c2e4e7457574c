package org.clinfer.importer.tflite;

import java.util.List;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;

/** Functions of each element that follow an operator: {@code fused_activation_function}. */
final class TfliteActivations {

    private static final String OPTION = "fused_activation_function";

    private static final List<String> FUNCTIONS = List.of("NONE", "RELU", "RELU_N1_TO_1", "RELU6", "TANH", "SIGN_BIT");

    private TfliteActivations() {}

    /** The result of an operator after its function; quantized numbers are kept to those of the function's bounds. */
    static Value after(TfliteCall call, Value result) {
        String function = call.options().word(OPTION, FUNCTIONS);
        if (function.equals("NONE")) {
            return result;
        }
        call.principal(result);
        return call.give(applied(call, function, result), call.isSecond(result));
    }

    private static Value applied(TfliteCall call, String function, Value result) {
        boolean isReal = result.type().dtype().isFloating();
        return switch (function) {
            case "RELU" -> isReal ? call.add("Relu", result) : bounded(call, result, 0, Double.POSITIVE_INFINITY);
            case "RELU6" -> isReal ? call.add("Relu6", result) : bounded(call, result, 0, 6);
            case "RELU_N1_TO_1" ->
                isReal
                        ? call.add("Clip", new Params().put("min", -1.0).put("max", 1.0), result)
                        : bounded(call, result, -1, 1);
            case "TANH" -> {
                if (!isReal) {
                    throw call.unsupportedUse(OPTION + " TANH of integers");
                }
                yield call.add("Tanh", result);
            }
            default -> throw call.unsupportedUse(OPTION + " " + function);
        };
    }

    /** Quantized numbers, or integers, that stand for what is within bounds. */
    private static Value bounded(TfliteCall call, Value quantized, double least, double most) {
        DType dtype = quantized.type().dtype();
        TfliteQuantization quantization =
                call.output(0).quantization().orElse(new TfliteQuantization(new float[] {1}, new long[0], 0));
        boolean cutsHigh = !Double.isInfinite(most);
        long low = quantization.quantized(least, dtype);
        long high = cutsHigh ? quantization.quantized(most, dtype) : TfliteQuantization.highest(dtype);
        Params bounds = new Params();
        if (low > TfliteQuantization.lowest(dtype)) {
            bounds.put("min", (double) low);
        }
        if (cutsHigh && high < TfliteQuantization.highest(dtype)) {
            bounds.put("max", (double) high);
        }
        return bounds.map().isEmpty() ? quantized : call.add("Clip", bounds, quantized);
    }
}
