package org.clinfer.importer.onnx.export;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Resize. */
final class ResizeWriters {

    /** The first with half_pixel_symmetric. */
    private static final int SYMMETRIC = 19;

    private ResizeWriters() {}

    static Map<String, NodeWriter> all() {
        return Map.of("Resize", ResizeWriters::resize);
    }

    private static void resize(Use use, ModelWriter model) {
        String mode = use.text("mode", "nearest");
        boolean nearest = mode.equals("nearest");
        if (!nearest) {
            use.requireFloats();
        }
        Optional<double[]> scaleValues = use.reals("scales");
        String coordinates = use.text("coordinate_mode", "half_pixel");
        String rounding = use.text("nearest_mode", "round_prefer_floor");
        if (!nearest) {
            rounding = "round_prefer_floor"; // says nothing
        } else if (rounding.equals("simple")) {
            rounding = direction(use, model, scaleValues);
        }
        if (coordinates.equals("tf_half_pixel_for_nn")) {
            // floor((i + 0.5) / scale) is ((i + 0.5) / scale - 0.5) rounded up from halves
            if (!nearest || !rounding.equals("floor")) {
                throw use.refused("coordinate_mode " + coordinates);
            }
            coordinates = "half_pixel";
            rounding = "round_prefer_ceil";
        } else if (coordinates.equals("half_pixel_symmetric")) {
            model.requireOpset(SYMMETRIC);
        }
        AttributeWriter attributes = new AttributeWriter()
                .put("mode", mode)
                .put("coordinate_transformation_mode", coordinates)
                .put("nearest_mode", rounding)
                .put("cubic_coeff_a", use.real("cubic_coeff_a", -0.75))
                .put("exclude_outside", use.flag("exclude_outside", false))
                .put("extrapolation_value", use.real("extrapolation_value", 0))
                .put("antialias", use.flag("antialias", false))
                .put("keep_aspect_ratio_policy", use.text("keep_aspect_ratio_policy", "stretch"));
        use.integers("axes").ifPresent(axes -> attributes.put("axes", axes));
        String region = reals(use, model, 1, "roi");
        String scales = scaleValues.isPresent() && !use.hasInput(2)
                ? scales(use, model, scaleValues.get())
                : reals(use, model, 2, "scales");
        String sizes = use.hasInput(3)
                ? model.integers(use, 3, "sizes")
                : use.integers("sizes")
                        .filter(values -> values.length > 0)
                        .map(values -> model.vector(use, "sizes", values))
                        .orElse("");
        boolean crop = coordinates.equals("tf_crop_and_resize");
        model.add(use, "Resize", List.of(use.input(0), crop ? region : "", scales, sizes), attributes);
    }

    private static String reals(Use use, ModelWriter model, int input, String param) {
        if (use.hasInput(input)) {
            use.ignore(param);
            Optional<Tensor> constant = model.constant(use.input(input));
            if (constant.isPresent() && constant.get().elements() == 0) {
                return "";
            }
            return model.asType(use, input, DType.FLOAT32);
        }
        return use.reals(param)
                .filter(values -> values.length > 0)
                .map(values -> model.reals(use, param, values))
                .orElse("");
    }

    /** Scales are float32 in ONNX, so others would be rounded. */
    private static String scales(Use use, ModelWriter model, double[] values) {
        if (values.length == 0) {
            return "";
        }
        for (double value : values) {
            if (value != (float) value) {
                throw use.refused("scale " + value + ", which is no float32,");
            }
        }
        return model.reals(use, "scales", values);
    }

    /** Up where an axis shrinks, else down: one word for all axes, if they go one way. */
    private static String direction(Use use, ModelWriter model, Optional<double[]> given) {
        double[] scales = given.or(() -> Optional.of(use.input(2))
                        .filter(name -> !name.isEmpty())
                        .flatMap(model::constant)
                        .map(ResizeWriters::values))
                .orElseThrow(() -> use.refused("nearest_mode simple and scales that are not known"));
        if (Arrays.stream(scales).allMatch(scale -> scale >= 1)) {
            return "floor";
        } else if (Arrays.stream(scales).allMatch(scale -> scale <= 1)) {
            return "ceil";
        }
        throw use.refused("nearest_mode simple where one axis grows and one shrinks");
    }

    private static double[] values(Tensor tensor) {
        double[] values = new double[Math.toIntExact(tensor.elements())];
        Arrays.setAll(values, tensor::getDouble);
        return values;
    }
}
