package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import org.clinfer.importer.Params;
import org.clinfer.importer.RoundedRange;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Rounding to as many steps as a quantised number has, in floating point. */
final class QuantizationTranslators {

    private QuantizationTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "FakeQuantWithMinMaxArgs",
                call -> round(call, call.node().real("min", -6), call.node().real("max", 6)),
                "FakeQuantWithMinMaxVars",
                QuantizationTranslators::roundBetweenValues);
    }

    /** A range of 0 alone, as before a training, gives 0; as attributes TensorFlow refuses it. */
    private static void roundBetweenValues(TfCall call) {
        double min = number(call, 1);
        double max = number(call, 2);
        if (min == 0 && max == 0) {
            TfValue x = call.input(0);
            Params zero = new Params().put("min", 0.0).put("max", 0.0);
            call.give("Clip", List.of(x.stored()), zero, x.second());
        } else {
            round(call, min, max);
        }
    }

    private static double number(TfCall call, int input) {
        Tensor tensor = call.constant(input).orElseThrow(() -> call.unsupportedUse("a computed range"));
        if (tensor.elements() != 1) {
            throw call.malformed("input " + input + " must be one number, but is " + tensor.type());
        }
        return tensor.getDouble(0);
    }

    private static void round(TfCall call, double min, double max) {
        long bits = call.node().integer("num_bits", 8);
        RoundedRange range = RoundedRange.of(min, max, bits, call.node().flag("narrow_range", false))
                .orElseThrow(() -> call.malformed("it has " + bits + " bits for numbers from " + min + " to " + max));
        TfValue x = call.input(0);
        double least = range.least();
        Params bounds = new Params().put("min", least).put("max", range.most());
        String inside = call.step("Clip", List.of(x.stored()), bounds);
        DType type = x.dtype().orElse(DType.FLOAT32);
        String above = call.step("Sub", inside, call.scalar(type, least));
        String steps = call.step("Mul", above, call.scalar(type, 1 / range.step()));
        String half = call.step("Add", steps, call.scalar(type, 0.5));
        String whole = call.step("Floor", half);
        String scaled = call.step("Mul", whole, call.scalar(type, range.step()));
        call.give("Add", List.of(scaled, call.scalar(type, least)), new Params(), x.second());
    }
}
