package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Pools over windows. Padding is left out of means. */
final class TfPoolingTranslators {

    private TfPoolingTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "MaxPool", call -> translate(call, "MaxPool", 4),
                "Dilation2D", TfDilation::translate,
                "ExtractImagePatches", call -> TfPatches.translate(call, 4),
                "ExtractVolumePatches", call -> TfPatches.translate(call, 5),
                "MaxPoolWithArgmax", TfPoolingTranslators::maxPoolWithPlaces,
                "MaxPoolV2", TfPoolingTranslators::maxPoolByInputs,
                "AvgPool", call -> translate(call, "AvgPool", 4),
                "MaxPool3D", call -> translate(call, "MaxPool", 5),
                "AvgPool3D", call -> translate(call, "AvgPool", 5));
    }

    private static void translate(TfCall call, String op, int rank) {
        DataFormat format = DataFormat.of(call);
        long[] kernel = TfWindow.alongSpace(call, "ksize", rank, format, false);
        long[] strides = TfWindow.alongSpace(call, "strides", rank, format, false);
        pool(call, op, rank, kernel, strides);
    }

    private static void maxPoolByInputs(TfCall call) {
        DataFormat format = DataFormat.of(call);
        long[] kernel = TfWindow.alongSpace(call, "ksize", call.requiredIntegers(1, "ksize"), 4, format);
        long[] strides = TfWindow.alongSpace(call, "strides", call.requiredIntegers(2, "strides"), 4, format);
        pool(call, "MaxPool", 4, kernel, strides);
    }

    /** Places are counted as rows, columns and channels, and from the first picture of all if the node says so. */
    private static void maxPoolWithPlaces(TfCall call) {
        translate(call, "MaxPool", 4);
        long[] kernel = TfWindow.alongSpace(call, "ksize", 4, DataFormat.CHANNELS_LAST, false);
        long[] strides = TfWindow.alongSpace(call, "strides", 4, DataFormat.CHANNELS_LAST, false);
        Params params = new Params().put("kernel_size", kernel).put("strides", strides);
        TfWindow.of(call, 4, Optional.of(kernel), strides, ChannelAxes.ones(2)).putPadding(params);
        String x = call.second(call.input(0, 4));
        String sizes = call.step("Shape", x);
        String channels = size(call, sizes, 1);
        String area = call.step("Mul", size(call, sizes, 2), size(call, sizes, 3));
        String found = call.step("MaxPoolIndices", List.of(x), params);
        String within = call.step("Mul", call.step("Mod", found, area), channels);
        String places = call.step("Add", within, numbers(call, channels, 1, 1));
        if (call.node().flag("include_batch_in_index", false)) {
            String before =
                    call.step("Mul", numbers(call, size(call, sizes, 0), 1, 1, 1), call.step("Mul", area, channels));
            places = call.step("Add", places, before);
        }
        DType type = call.node().dtype("Targmax").orElse(DType.INT64);
        call.give(1, "Cast", List.of(places), new Params().put("to", type.label()), true);
    }

    private static String size(TfCall call, String sizes, int axis) {
        return call.step("Gather", List.of(sizes, call.scalar(DType.INT64, axis)), new Params().put("axis", 0L));
    }

    /** 0, 1, … below a limit, with axes of 1 behind. */
    private static String numbers(TfCall call, String limit, long... behind) {
        long[] shape =
                LongStream.concat(LongStream.of(-1), LongStream.of(behind)).toArray();
        String range = call.step("Range", call.scalar(DType.INT64, 0), limit, call.scalar(DType.INT64, 1));
        return call.step("Reshape", range, call.constant(shape));
    }

    private static void pool(TfCall call, String op, int rank, long[] kernel, long[] strides) {
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
