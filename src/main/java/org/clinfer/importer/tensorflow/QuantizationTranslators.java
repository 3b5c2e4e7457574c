package org.clinfer.importer.tensorflow;

import java.util.HashMap;
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
        Map<String, TfTranslator> all = new HashMap<>(QuantizeAndDequantize.all());
        all.put(
                "FakeQuantWithMinMaxArgs",
                call -> round(call, call.node().real("min", -6), call.node().real("max", 6)));
        all.put("FakeQuantWithMinMaxVars", QuantizationTranslators::roundBetweenValues);
        all.put("FakeQuantWithMinMaxVarsPerChannel", QuantizationTranslators::roundChannels);
        return all;
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

    /** Each channel, along the last axis, between values of its own. */
    private static void roundChannels(TfCall call) {
        Tensor min = range(call, 1);
        Tensor max = range(call, 2);
        if (min.shape().rank() != 1 || !min.shape().equals(max.shape())) {
            throw call.malformed("its ranges are " + min.type() + " and " + max.type());
        }
        DType type = call.dtype(call.input(0));
        long channels = min.elements();
        Tensor least = Tensor.allocate(type, channels);
        Tensor most = Tensor.allocate(type, channels);
        Tensor step = Tensor.allocate(type, channels);
        Tensor steps = Tensor.allocate(type, channels);
        for (long i = 0; i < channels; i++) {
            boolean isNothing = min.getDouble(i) == 0 && max.getDouble(i) == 0;
            RoundedRange range =
                    isNothing ? new RoundedRange(0, 0, 1) : range(call, min.getDouble(i), max.getDouble(i));
            least.setDouble(i, range.least());
            most.setDouble(i, range.most());
            step.setDouble(i, range.step());
            steps.setDouble(i, 1 / range.step());
        }
        String first = call.constant("least", least);
        String below = call.step("Min", call.plain(0), call.constant("most", most));
        String inside = call.step("Max", below, first);
        String above = call.step("Mul", call.step("Sub", inside, first), call.constant("steps", steps));
        String whole = call.step("Floor", call.step("Add", above, call.scalar(type, 0.5)));
        call.give("Add", call.step("Mul", whole, call.constant("step", step)), first);
    }

    private static Tensor range(TfCall call, int input) {
        return call.constant(input).orElseThrow(() -> call.unsupportedUse("a computed range"));
    }

    private static RoundedRange range(TfCall call, double min, double max) {
        long bits = call.node().integer("num_bits", 8);
        return RoundedRange.of(min, max, bits, call.node().flag("narrow_range", false))
                .orElseThrow(() -> call.malformed("it has " + bits + " bits for numbers from " + min + " to " + max));
    }

    private static double number(TfCall call, int input) {
        Tensor tensor = range(call, input);
        if (tensor.elements() != 1) {
            throw call.malformed("input " + input + " must be one number, but is " + tensor.type());
        }
        return tensor.getDouble(0);
    }

    private static void round(TfCall call, double min, double max) {
        RoundedRange range = range(call, min, max);
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
