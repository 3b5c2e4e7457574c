package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.Params;

/** Pools over windows. Padding is left out of means. */
final class TfPoolingTranslators {

    private TfPoolingTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "MaxPool", call -> translate(call, "MaxPool", 4),
                "MaxPoolV2", TfPoolingTranslators::maxPoolByInputs,
                "AvgPool", call -> translate(call, "AvgPool", 4),
                "MaxPool3D", call -> translate(call, "MaxPool", 5),
                "AvgPool3D", call -> translate(call, "AvgPool", 5));
    }

    private static void translate(Call call, String op, int rank) {
        DataFormat format = DataFormat.of(call);
        long[] kernel = TfWindow.alongSpace(call, "ksize", rank, format, false);
        long[] strides = TfWindow.alongSpace(call, "strides", rank, format, false);
        pool(call, op, rank, kernel, strides);
    }

    private static void maxPoolByInputs(Call call) {
        DataFormat format = DataFormat.of(call);
        long[] kernel = TfWindow.alongSpace(call, "ksize", call.requiredIntegers(1, "ksize"), 4, format);
        long[] strides = TfWindow.alongSpace(call, "strides", call.requiredIntegers(2, "strides"), 4, format);
        pool(call, "MaxPool", 4, kernel, strides);
    }

    private static void pool(Call call, String op, int rank, long[] kernel, long[] strides) {
        TfValue x = call.input(0, rank);
        TfWindow window = TfWindow.of(call, rank, Optional.of(kernel), strides, ChannelAxes.ones(rank - 2));
        Params params = new Params().put("kernel_size", kernel).put("strides", strides);
        window.putPadding(params);
        if (op.equals("AvgPool")) {
            params.put("count_include_pad", false);
        }
        call.give(
                op,
                List.of(window.format().read(call, x)),
                params,
                window.format().second());
    }
}
