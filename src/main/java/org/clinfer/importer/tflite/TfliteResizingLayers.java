package org.clinfer.importer.tflite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/**
 * Resampling of pictures. Pixel {@code i} of the output is at {@code i * in / out}; with {@code half_pixel_centers} the
 * centres of pixels count, with {@code align_corners} the outermost pixels are the same.
 */
final class TfliteResizingLayers {

    private TfliteResizingLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        all.one("RESIZE_BILINEAR", TfliteResizingLayers::bilinear);
        all.one("RESIZE_NEAREST_NEIGHBOR", TfliteResizingLayers::nearest);
    }

    private static Value bilinear(TfliteCall call) {
        call.options().ignore("new_height", "new_width");
        boolean align = call.options().flag("align_corners");
        boolean half = call.options().flag("half_pixel_centers");
        requireOne(call, align, half);
        String coordinates = align ? "align_corners" : half ? "half_pixel" : "asymmetric";
        return resize(call, new Params().put("mode", "linear").put("coordinate_mode", coordinates));
    }

    private static Value nearest(TfliteCall call) {
        boolean align = call.options().flag("align_corners");
        boolean half = call.options().flag("half_pixel_centers");
        requireOne(call, align, half);
        String coordinates = align ? "align_corners" : half ? "tf_half_pixel_for_nn" : "asymmetric";
        Params params = new Params()
                .put("mode", "nearest")
                .put("coordinate_mode", coordinates)
                .put("nearest_mode", align ? "round_prefer_ceil" : "floor");
        return resize(call, params);
    }

    private static void requireOne(TfliteCall call, boolean align, boolean half) {
        if (align && half) {
            throw call.unsupportedUse("both align_corners and half_pixel_centers");
        }
    }

    /** Quantized numbers of one scale are resampled as they are. */
    private static Value resize(TfliteCall call, Params params) {
        call.requireInputs(2, 2);
        call.stored(0, 4);
        Value x = call.second(call.kept(0));
        params.put("axes", new long[] {2, 3});
        Optional<long[]> sizes = call.integers(1);
        if (sizes.isPresent()) {
            if (sizes.get().length != 2) {
                throw call.malformed("its size is " + TfliteCall.shown(sizes.get()));
            }
            return call.give(call.add("Resize", params.put("sizes", sizes.get()), x), true);
        }
        List<Value> operands = new ArrayList<>(List.of(x, Value.NONE, Value.NONE, call.plain(1)));
        Shape stated = call.output(0).type().shape();
        if (stated.rank() != 4) {
            throw call.malformed("its output has " + stated.rank() + " axes");
        }
        Shape held = ChannelAxes.ordered(stated, ChannelAxes.toSecond(4));
        Value result =
                call.add("Resize", operands, params, new TensorType(x.type().dtype(), held));
        return call.give(result, true);
    }
}
