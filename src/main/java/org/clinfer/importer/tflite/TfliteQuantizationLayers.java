package org.clinfer.importer.tflite;

import java.util.Optional;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.RoundedRange;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Real numbers into quantized ones and back, and rounding to as many steps as a quantized number has. */
final class TfliteQuantizationLayers {

    private TfliteQuantizationLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        all.one("QUANTIZE", TfliteQuantizationLayers::quantize);
        all.one("DEQUANTIZE", TfliteQuantizationLayers::dequantize);
        all.one("DENSIFY", TfliteQuantizationLayers::same);
        all.one("FAKE_QUANT", TfliteQuantizationLayers::round);
    }

    /** The end of a call quantizes what is real, with the scale of the output. */
    private static Value quantize(TfliteCall call) {
        call.requireInputs(1, 1);
        if (call.output(0).quantization().isEmpty()) {
            throw call.malformed("its output has no scale");
        }
        if (call.tensor(0).quantization().isEmpty() && !call.tensor(0).dtype().isFloating()) {
            throw call.malformed("its input has no scale");
        }
        return call.give(call.real(0));
    }

    /** Weights that are kept in 16 bits become constants of float32. */
    private static Value dequantize(TfliteCall call) {
        call.requireInputs(1, 1);
        DType to = call.output(0).dtype();
        if (to != DType.FLOAT32) {
            throw call.malformed("its output is " + to);
        }
        if (!call.tensor(0).dtype().isFloating()) {
            if (call.tensor(0).quantization().isEmpty()) {
                throw call.malformed("its input has no scale");
            }
            return call.give(call.real(0));
        }
        Optional<Tensor> constant = call.constant(0);
        return constant.isPresent()
                ? call.constant("weights", constant.get().to(to))
                : call.each("Cast", new Params().put("to", to.label()), call.stored(0));
    }

    /** Constants of which only some elements are stored have all of them already. */
    private static Value same(TfliteCall call) {
        call.requireInputs(1, 1);
        return call.give(call.stored(0));
    }

    private static Value round(TfliteCall call) {
        call.requireInputs(1, 1);
        TfliteOptions options = call.options();
        double min = options.real("min");
        double max = options.real("max");
        int bits = options.integer("num_bits");
        RoundedRange range = RoundedRange.of(min, max, bits, options.flag("narrow_range"))
                .orElseThrow(() -> call.malformed("it has " + bits + " bits for numbers from " + min + " to " + max));
        double least = range.least();
        TfliteValue x = call.real(0);
        DType type = x.held().type().dtype();
        Value inside = call.add("Clip", new Params().put("min", least).put("max", range.most()), x.held());
        Value above = call.add("Sub", inside, call.scalar("least", type, least));
        Value steps = call.add("Mul", above, call.scalar("steps", type, 1 / range.step()));
        Value whole = call.add("Floor", call.add("Add", steps, call.scalar("half", type, 0.5)));
        Value scaled = call.add("Mul", whole, call.scalar("step", type, range.step()));
        return call.give(call.add("Add", scaled, call.scalar("offset", type, least)), x.second());
    }
}
