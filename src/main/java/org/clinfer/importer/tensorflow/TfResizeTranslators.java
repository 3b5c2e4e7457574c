package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/**
 * Resampling of pictures. Pixel {@code i} of the output is at {@code i * in / out}; with {@code half_pixel_centers} the
 * centres of pixels count, with {@code align_corners} the outermost pixels are the same.
 */
final class TfResizeTranslators {

    private TfResizeTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "ResizeBicubic", TfResizeTranslators::bicubic,
                "ResizeBilinear", TfResizeTranslators::bilinear,
                "ResizeNearestNeighbor", TfResizeTranslators::nearest,
                "CropAndResize", TfCropAndResize::translate);
    }

    private static boolean alignsCorners(TfCall call) {
        boolean align = call.node().flag("align_corners", false);
        if (align && hasHalfPixels(call)) {
            throw call.malformed("it has both align_corners and half_pixel_centers");
        }
        return align;
    }

    private static boolean hasHalfPixels(TfCall call) {
        return call.node().flag("half_pixel_centers", false);
    }

    private static void bilinear(TfCall call) {
        String coordinates = alignsCorners(call) ? "align_corners" : hasHalfPixels(call) ? "half_pixel" : "asymmetric";
        Params params = new Params().put("mode", "linear").put("coordinate_mode", coordinates);
        resize(call, params, Optional.of(DType.FLOAT32));
    }

    /** Half pixels came with other coefficients, and with leaving out what is outside. */
    private static void bicubic(TfCall call) {
        boolean half = hasHalfPixels(call);
        String coordinates = alignsCorners(call) ? "align_corners" : half ? "half_pixel" : "asymmetric";
        Params params = new Params()
                .put("mode", "cubic")
                .put("coordinate_mode", coordinates)
                .put("cubic_coeff_a", half ? -0.5 : -0.75)
                .put("exclude_outside", half);
        resize(call, params, Optional.of(DType.FLOAT32));
    }

    private static void nearest(TfCall call) {
        boolean align = alignsCorners(call);
        String coordinates = align ? "align_corners" : hasHalfPixels(call) ? "tf_half_pixel_for_nn" : "asymmetric";
        Params params = new Params()
                .put("mode", "nearest")
                .put("coordinate_mode", coordinates)
                .put("nearest_mode", align ? "round_prefer_ceil" : "floor");
        resize(call, params, call.input(0).dtype());
    }

    private static void resize(TfCall call, Params params, Optional<DType> dtype) {
        TfValue x = call.input(0, 4);
        if (!x.dtype().equals(dtype)) {
            throw call.unsupportedUse("an input that is not float32");
        }
        params.put("axes", new long[] {2, 3});
        List<String> operands = new ArrayList<>(List.of(call.second(x)));
        Optional<long[]> sizes = call.integers(1).filter(known -> known.length == 2);
        if (sizes.isPresent()) {
            params.put("sizes", sizes.get());
        } else {
            operands.addAll(List.of("", "", call.plain(1)));
        }
        call.give("Resize", operands, params, true);
    }
}
