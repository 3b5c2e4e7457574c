package org.clinfer.importer.tfjs;

import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/** Pools over windows and over everything. */
final class TfjsPoolingLayers {

    private static final long DEFAULT_SIZE = 2;

    private TfjsPoolingLayers() {}

    static void addTo(LayerTable<TfjsLayerCall> all) {
        for (int spatial = 1; spatial <= 3; spatial++) {
            int axes = spatial;
            all.one("MaxPooling" + axes + "D", call -> window(call, axes, "MaxPool", new Params()));
            all.one(
                    "AveragePooling" + axes + "D",
                    call -> window(call, axes, "AvgPool", new Params().put("count_include_pad", false)));
            all.one("GlobalMaxPooling" + axes + "D", call -> global(call, axes, "ReduceMax"));
            all.one("GlobalAveragePooling" + axes + "D", call -> global(call, axes, "Mean"));
        }
    }

    private static Value window(TfjsLayerCall call, int spatial, String op, Params params) {
        TfjsFields config = call.config();
        Value x = call.input(spatial + 2);
        long[] size = config.perAxis("pool_size", spatial, 1)
                .orElseGet(() ->
                        LongStream.generate(() -> DEFAULT_SIZE).limit(spatial).toArray());
        params.put("kernel_size", size)
                .put("strides", config.perAxis("strides", spatial, 1).orElse(size))
                .put("pad_mode", config.choice("padding", "valid", "same").equals("same") ? "SAME" : "VALID");
        return Layout.channelsSecond(call, x, first -> call.add(op, params, first));
    }

    private static Value global(TfjsLayerCall call, int spatial, String op) {
        Value x = call.input(spatial + 2);
        int first = Layout.firstSpatial(call);
        Params params = new Params()
                .put("axis", LongStream.range(first, first + spatial).toArray())
                .put("keep_dims", call.config().flag("keepdims", false));
        return call.add(op, params, x);
    }
}
