package org.clinfer.importer.tfjs;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.clinfer.importer.Params;

/** Pools over windows and over everything. */
final class PoolingLayers {

    private static final long DEFAULT_SIZE = 2;

    private PoolingLayers() {}

    static Map<String, LayerTranslator> all() {
        Map<String, LayerTranslator> all = new HashMap<>();
        for (int spatial = 1; spatial <= 3; spatial++) {
            int axes = spatial;
            all.put("MaxPooling" + axes + "D", call -> window(call, axes, "MaxPool", new Params()));
            all.put(
                    "AveragePooling" + axes + "D",
                    call -> window(call, axes, "AvgPool", new Params().put("count_include_pad", false)));
            all.put("GlobalMaxPooling" + axes + "D", call -> global(call, axes, "ReduceMax"));
            all.put("GlobalAveragePooling" + axes + "D", call -> global(call, axes, "Mean"));
        }
        return all;
    }

    private static Value window(LayerCall call, int spatial, String op, Params params) {
        Fields config = call.config();
        Value x = call.input(spatial + 2);
        long[] size = config.perAxis("pool_size", spatial, 1)
                .orElseGet(() ->
                        LongStream.generate(() -> DEFAULT_SIZE).limit(spatial).toArray());
        params.put("kernel_size", size)
                .put("strides", config.perAxis("strides", spatial, 1).orElse(size))
                .put("pad_mode", config.choice("padding", "valid", "same").equals("same") ? "SAME" : "VALID");
        return Layout.channelsSecond(call, x, spatial + 2, first -> call.add(op, first, params));
    }

    private static Value global(LayerCall call, int spatial, String op) {
        Value x = call.input(spatial + 2);
        int first = Layout.firstSpatial(call);
        boolean keep = call.config().flag("keepdims", false);
        Params params = new Params()
                .put("axis", LongStream.range(first, first + spatial).toArray())
                .put("keep_dims", keep);
        return call.add(op, List.of(x.name()), keep ? spatial + 2 : 2, params);
    }
}
