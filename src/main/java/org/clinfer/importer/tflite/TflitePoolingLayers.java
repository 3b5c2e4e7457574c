package org.clinfer.importer.tflite;

import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/** Pools of pictures. What is outside of a picture does not count. */
final class TflitePoolingLayers {

    private TflitePoolingLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        all.one("MAX_POOL_2D", call -> pool(call, "MaxPool"));
        all.one("AVERAGE_POOL_2D", call -> pool(call, "AvgPool"));
        all.one("L2_POOL_2D", TflitePoolingLayers::rootOfSquares);
    }

    private static Params window(TfliteCall call, String op) {
        call.requireInputs(1, 1);
        call.stored(0, 4);
        TfliteOptions options = call.options();
        long[] kernel = {options.size("filter_height", 1), options.size("filter_width", 1)};
        Params params = TfliteWindow.of(call, 2, false).params().put("kernel_size", kernel);
        return op.equals("AvgPool") ? params.put("count_include_pad", false) : params;
    }

    /** Quantized numbers of one scale are pooled as they are. */
    private static Value pool(TfliteCall call, String op) {
        Params params = window(call, op);
        Value result = call.add(op, params, call.second(call.kept(0)));
        return call.give(TfliteActivations.after(call, result), true);
    }

    private static Value rootOfSquares(TfliteCall call) {
        Params params = window(call, "AvgPool");
        Value x = call.second(call.real(0));
        Value mean = call.add("AvgPool", params, call.add("Mul", x, x));
        return call.give(TfliteActivations.after(call, call.add("Sqrt", mean)), true);
    }
}
