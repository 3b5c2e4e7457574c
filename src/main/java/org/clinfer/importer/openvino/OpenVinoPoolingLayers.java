package org.clinfer.importer.openvino;

import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/** Maxima and means of windows. */
final class OpenVinoPoolingLayers {

    private static final long MOST_KERNEL = 1L << 30;

    private OpenVinoPoolingLayers() {}

    static void addTo(LayerTable<OpenVinoLayerCall> all) {
        all.several("MaxPool", OpenVinoPoolingLayers::maximum);
        all.one("AvgPool", OpenVinoPoolingLayers::mean);
        all.one("ExtractImagePatches", OpenVinoPatches::translate);
    }

    /** The places of the maxima, a second output, are not computed. */
    private static List<Value> maximum(OpenVinoLayerCall call) {
        call.attributes().ignore("index_element_type", "axis");
        return List.of(pool(call, "MaxPool", new Params(), true));
    }

    private static Value mean(OpenVinoLayerCall call) {
        call.attributes().require("exclude-pad");
        boolean exclude = call.attributes().flag("exclude-pad", false);
        return pool(call, "AvgPool", new Params().put("count_include_pad", !exclude), exclude);
    }

    /** @param paddingIsNothing whether cells of padding do not count, so that more of them change nothing */
    private static Value pool(OpenVinoLayerCall call, String op, Params params, boolean paddingIsNothing) {
        Value x = call.input();
        int spatial = x.rank() - 2;
        if (spatial < 1 || spatial > 3) {
            throw call.unsupportedUse("an input of " + x.rank() + " axes");
        }
        OpenVinoWindow window = new OpenVinoWindow(call, spatial);
        call.attributes().require("kernel");
        long[] kernel = call.attributes().integers("kernel", spatial, 0);
        for (long side : kernel) {
            if (side < 1 || side >= MOST_KERNEL) {
                throw call.attributes().unsupported("kernel");
            }
        }
        String rounding = call.attributes().choice("rounding_type", "floor", "floor", "ceil", "ceil_torch");
        boolean same = window.mode().startsWith("SAME");
        boolean up = !rounding.equals("floor") && !same && !window.dividesEvenly(x, kernel);
        boolean told = rounding.equals("ceil_torch") || window.allWindowsBeginInside(x, kernel);
        if (up && !(told && paddingIsNothing && window.mode().equals("PADDING"))) {
            throw call.attributes().unsupported("rounding_type");
        }
        params.put("kernel_size", kernel).put("ceil_mode", up ? "CEIL" : "FLOOR");
        return call.last(op, List.of(x), window.sides(params));
    }
}
