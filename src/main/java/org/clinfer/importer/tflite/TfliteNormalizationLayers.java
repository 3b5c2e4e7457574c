package org.clinfer.importer.tflite;

import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;

/** Softmax, and division by norms. */
final class TfliteNormalizationLayers {

    private static final double LEAST_NORM = 1e-6;

    private TfliteNormalizationLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        all.one("SOFTMAX", TfliteNormalizationLayers::softmax);
        all.one("LOG_SOFTMAX", call -> alongChannels(call, "LogSoftmax", input(call)));
        all.one("L2_NORMALIZATION", TfliteNormalizationLayers::unitLength);
        all.one("LOCAL_RESPONSE_NORMALIZATION", TfliteNormalizationLayers::localResponse);
    }

    private static TfliteValue input(TfliteCall call) {
        call.requireInputs(1, 1);
        return call.real(0);
    }

    private static Value alongChannels(TfliteCall call, String op, TfliteValue x) {
        return call.each(op, new Params().put("axis", x.second() ? 1L : -1L), x);
    }

    private static Value softmax(TfliteCall call) {
        TfliteValue x = input(call);
        double beta = call.options().real("beta");
        if (beta == 1) {
            return alongChannels(call, "Softmax", x);
        }
        Value scaled =
                call.add("Mul", x.held(), call.scalar("beta", x.held().type().dtype(), beta));
        return alongChannels(call, "Softmax", new TfliteValue(scaled, x.second()));
    }

    /** Along the channels; a shorter norm counts as the least one. */
    private static Value unitLength(TfliteCall call) {
        TfliteValue x = input(call);
        Params params = new Params()
                .put("axes", new long[] {x.second() ? 1 : -1})
                .put("p", 2L)
                .put("epsilon", LEAST_NORM)
                .put("epsilon_mode", "max_norm");
        return TfliteActivations.after(call, call.each("LpNorm", params, x));
    }

    /** Alpha counts for each neighbour here, for all of them in the operator. */
    private static Value localResponse(TfliteCall call) {
        call.requireInputs(1, 1);
        call.stored(0, 4);
        TfliteOptions options = call.options();
        int radius = options.size("radius", 0);
        if (radius >= 1 << 20) {
            throw options.wrong("radius", "it is " + radius);
        }
        long size = 2L * radius + 1;
        Params params = new Params()
                .put("size", size)
                .put("alpha", (double) options.real("alpha") * size)
                .put("beta", (double) options.real("beta"))
                .put("bias", (double) options.real("bias"));
        if (call.tensor(0).dtype() != DType.FLOAT32) {
            throw call.unsupportedUse("an input of type " + call.tensor(0).dtype());
        }
        return call.give(call.add("Lrn", params, call.second(call.stored(0))), true);
    }
}
