package org.clinfer.importer.tflite;

import java.util.List;
import java.util.Map;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;

/** Functions of each element. */
final class TfliteElementLayers {

    private static final Map<String, String> PLAIN = Map.ofEntries(
            Map.entry("ABS", "Abs"),
            Map.entry("CEIL", "Ceil"),
            Map.entry("COS", "Cos"),
            Map.entry("ELU", "Elu"),
            Map.entry("EXP", "Exp"),
            Map.entry("FLOOR", "Floor"),
            Map.entry("HARD_SWISH", "HardSwish"),
            Map.entry("LOG", "Log"),
            Map.entry("LOGICAL_NOT", "Not"),
            Map.entry("LOGISTIC", "Sigmoid"),
            Map.entry("NEG", "Neg"),
            Map.entry("RELU", "Relu"),
            Map.entry("RELU6", "Relu6"),
            Map.entry("ROUND", "Round"),
            Map.entry("SIGN", "Sign"),
            Map.entry("SIN", "Sin"),
            Map.entry("SQRT", "Sqrt"),
            Map.entry("TANH", "Tanh"));

    /** The numbers of data types that Cast names. */
    private static final String IN = "in_data_type";

    private static final String OUT = "out_data_type";

    private TfliteElementLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        PLAIN.forEach((type, op) -> all.one(type, call -> one(call, op, new Params())));
        all.one("RELU_N1_TO_1", call -> clip(call, -1));
        all.one("RELU_0_TO_1", call -> clip(call, 0));
        all.one("LEAKY_RELU", TfliteElementLayers::leakyRelu);
        all.one("GELU", TfliteElementLayers::gelu);
        all.one("PRELU", TfliteElementLayers::prelu);
        all.one("RSQRT", TfliteElementLayers::reciprocalRoot);
        all.one("SQUARE", TfliteElementLayers::square);
        all.one("CAST", TfliteElementLayers::cast);
        all.one("ZEROS_LIKE", TfliteElementLayers::zeros);
    }

    private static TfliteValue input(TfliteCall call) {
        call.requireInputs(1, 1);
        return call.real(0);
    }

    private static Value one(TfliteCall call, String op, Params params) {
        return call.each(op, params, input(call));
    }

    private static Value clip(TfliteCall call, double least) {
        return one(call, "Clip", new Params().put("min", least).put("max", 1.0));
    }

    private static Value leakyRelu(TfliteCall call) {
        double alpha = call.options().real("alpha");
        return one(call, "LeakyRelu", new Params().put("alpha", alpha));
    }

    private static Value gelu(TfliteCall call) {
        boolean approximate = call.options().flag("approximate");
        return one(call, "Gelu", new Params().put("approximate", approximate ? "TANH" : "NONE"));
    }

    /** The slopes broadcast to the input; they are of its last axes. */
    private static Value prelu(TfliteCall call) {
        call.requireInputs(2, 2);
        TfliteOperands operands = TfliteOperands.of(call, List.of(call.real(0), call.real(1)));
        Params params = new Params().put("per_channel", false);
        return call.give(call.add("PRelu", operands.values(), params), operands.second());
    }

    private static Value reciprocalRoot(TfliteCall call) {
        TfliteValue x = input(call);
        return call.give(call.add("Reciprocal", call.add("Sqrt", x.held())), x.second());
    }

    private static Value square(TfliteCall call) {
        TfliteValue x = input(call);
        return call.give(call.add("Mul", x.held(), x.held()), x.second());
    }

    /** The types of the tensors count, as in TensorFlow Lite itself. */
    private static Value cast(TfliteCall call) {
        call.options().ignore(IN, OUT);
        call.requireInputs(1, 1);
        TfliteValue x = call.stored(0);
        DType to = call.output(0).dtype();
        boolean quantized = call.tensor(0).quantization().isPresent()
                || call.output(0).quantization().isPresent();
        if (quantized && call.tensor(0).dtype().isFloating() != to.isFloating()) {
            throw call.unsupportedUse("quantized numbers");
        }
        return call.each("Cast", new Params().put("to", to.label()), x);
    }

    private static Value zeros(TfliteCall call) {
        TfliteValue x = input(call);
        Params params = new Params().put("dtype", x.held().type().dtype().label());
        Value shape = call.add("Shape", x.held());
        return call.give(
                call.add("ConstantOfShape", List.of(shape), params, x.held().type()), x.second());
    }
}
