package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/**
 * Spatial pyramid pooling: on each level a picture is cut into twice as many windows a side, as large as it needs, and their
 * results stand side by side. The windows follow from the picture's size in the run.
 *
 * <pre>{@code x ─► Pad to multiples of the window ─► Reshape [n, c, bins, h, bins, w] ─► mean or maximum of axes 3 and 5}</pre>
 */
final class PyramidPooling {

    /** Levels that a picture could have. */
    private static final long MOST_LEVELS = 12;

    private static final double LEAST = -Float.MAX_VALUE;

    private PyramidPooling() {}

    static void addTo(LayerTable<CaffeLayerCall> all) {
        all.one("SPP", PyramidPooling::translate);
    }

    private static Value translate(CaffeLayerCall call) {
        CaffeFields params = call.params("spp_param");
        params.ignore("engine");
        Value x = call.input();
        if (x.rank() != 4) {
            throw call.malformed("its bottom must have 4 axes, but has " + x.rank());
        }
        long levels = params.requiredSize("pyramid_height", 1);
        String method = params.choice("pool", "MAX", "MAX", "AVE", "STOCHASTIC");
        if (method.equals("STOCHASTIC")) {
            throw call.unsupportedUse("'pool' STOCHASTIC");
        }
        if (levels > MOST_LEVELS) {
            throw params.wrong("pyramid_height", levels + " levels are more than " + MOST_LEVELS);
        }
        boolean mean = method.equals("AVE");
        Params global = new Params().put("is_global", true);
        Value first = call.add(mean ? "AvgPool" : "MaxPool", global, x);
        if (levels == 1) {
            return first;
        }
        List<Value> rows = new ArrayList<>();
        Params flat = new Params().put("axis", 1L);
        rows.add(call.add("Flatten", flat, first));
        for (int level = 1; level < levels; level++) {
            rows.add(call.add("Flatten", flat, level(call, params, x, 1L << level, mean)));
        }
        return call.add("Concat", rows, new Params().put("axis", 1L));
    }

    /** The results of {@code bins * bins} windows. Padding counts in a mean. */
    private static Value level(CaffeLayerCall call, CaffeFields params, Value x, long bins, boolean mean) {
        requireWindows(params, x, bins);
        Value size = call.sizes(x, 2, 4);
        Value count = call.vector("bins", bins, bins);
        Value one = call.vector("one", 1);
        Value window = call.add("Div", call.add("Add", size, call.vector("less", bins - 1)), count);
        Value missing = call.add("Sub", call.add("Mul", window, count), size);
        Value before = call.add("Div", call.add("Add", missing, one), call.vector("two", 2));
        Value pads = call.join(List.of(before, call.add("Sub", missing, before)));
        Params border = new Params().put("axes", new long[] {2, 3}).put("constant_value", mean ? 0 : LEAST);
        List<Dim> dims = x.shape().dims();
        Dim open = Dim.unknown();
        Shape whole = new Shape(List.of(dims.get(0), dims.get(1), open, open));
        Value padded = call.add("Pad", List.of(x, pads), border, whole);
        Value bin = call.vector("bin", bins);
        Value target = call.join(List.of(call.sizes(x, 0, 2), bin, part(call, window, 0), bin, part(call, window, 1)));
        Shape cut = new Shape(List.of(dims.get(0), dims.get(1), Dim.of(bins), open, Dim.of(bins), open));
        Value windows = call.add("Reshape", List.of(padded, target), new Params(), cut);
        return call.add(mean ? "Mean" : "ReduceMax", new Params().put("axis", new long[] {3, 5}), windows);
    }

    private static Value part(CaffeLayerCall call, Value vector, long index) {
        Params params = new Params()
                .put("starts", new long[] {index})
                .put("ends", new long[] {index + 1})
                .put("axes", new long[] {0});
        return call.add("Slice", params, vector);
    }

    /** Refuses a level with windows in the padding alone, at the size that the file declares. */
    private static void requireWindows(CaffeFields params, Value x, long bins) {
        for (int axis = 2; axis < 4; axis++) {
            long size = x.sizeOr0(axis);
            long window = (size + bins - 1) / bins;
            if (size > 0 && (window * bins - size + 1) / 2 >= window) {
                throw params.wrong(
                        "pyramid_height", "a level of " + bins + " windows does not fit a side of " + size + " pixels");
            }
        }
    }
}
