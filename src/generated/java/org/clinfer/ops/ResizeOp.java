package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Resamples by scales or to sizes, as ONNX Resize. Linear and cubic values of integers are computed in float64, rounded
 * half to even and saturated.
 *
 * <p>One use of {@code Resize} while its optional fields are set; made by {@code Ops.resize}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ResizeOp extends OpBuilder<ResizeOp> {

    /**
     * The values of {@code Mode} of {@code Resize}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum Mode {
        /** The spelling {@code nearest}. */
        NEAREST("nearest"),
        /** The spelling {@code linear}. */
        LINEAR("linear"),
        /** The spelling {@code cubic}. */
        CUBIC("cubic");

        private final String spelling;

        Mode(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String toString() {
            return spelling;
        }
    }

    /**
     * The values of {@code CoordinateMode} of {@code Resize}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum CoordinateMode {
        /** The spelling {@code half_pixel}. */
        HALF_PIXEL("half_pixel"),
        /** The spelling {@code half_pixel_symmetric}. */
        HALF_PIXEL_SYMMETRIC("half_pixel_symmetric"),
        /** The spelling {@code pytorch_half_pixel}. */
        PYTORCH_HALF_PIXEL("pytorch_half_pixel"),
        /** The spelling {@code align_corners}. */
        ALIGN_CORNERS("align_corners"),
        /** The spelling {@code asymmetric}. */
        ASYMMETRIC("asymmetric"),
        /** The spelling {@code tf_crop_and_resize}. */
        TF_CROP_AND_RESIZE("tf_crop_and_resize"),
        /** The spelling {@code tf_half_pixel_for_nn}. */
        TF_HALF_PIXEL_FOR_NN("tf_half_pixel_for_nn");

        private final String spelling;

        CoordinateMode(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String toString() {
            return spelling;
        }
    }

    /**
     * The values of {@code NearestMode} of {@code Resize}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum NearestMode {
        /** The spelling {@code round_prefer_floor}. */
        ROUND_PREFER_FLOOR("round_prefer_floor"),
        /** The spelling {@code round_prefer_ceil}. */
        ROUND_PREFER_CEIL("round_prefer_ceil"),
        /** The spelling {@code floor}. */
        FLOOR("floor"),
        /** The spelling {@code ceil}. */
        CEIL("ceil"),
        /** The spelling {@code simple}. */
        SIMPLE("simple");

        private final String spelling;

        NearestMode(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String toString() {
            return spelling;
        }
    }

    /**
     * The values of {@code KeepAspectRatioPolicy} of {@code Resize}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum KeepAspectRatioPolicy {
        /** The spelling {@code stretch}. */
        STRETCH("stretch"),
        /** The spelling {@code not_larger}. */
        NOT_LARGER("not_larger"),
        /** The spelling {@code not_smaller}. */
        NOT_SMALLER("not_smaller");

        private final String spelling;

        KeepAspectRatioPolicy(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String toString() {
            return spelling;
        }
    }

    ResizeOp(Ops ops) {
        super(ops, "Resize", 1);
    }

    @Override
    ResizeOp self() {
        return this;
    }

    /**
     * The input {@code roi_tensor}.
     *
     * <p>Supplies the parameter {@code roi}, and takes back what was given for it.
     *
     * @param roiTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public ResizeOp roiTensor(Edge roiTensor) {
        return supplier(1, roiTensor, "roi");
    }

    /**
     * The input {@code scales_tensor}.
     *
     * <p>Supplies the parameter {@code scales}, and takes back what was given for it.
     *
     * @param scalesTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public ResizeOp scalesTensor(Edge scalesTensor) {
        return supplier(2, scalesTensor, "scales");
    }

    /**
     * The input {@code sizes_tensor}.
     *
     * <p>Supplies the parameter {@code sizes}, and takes back what was given for it.
     *
     * @param sizesTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public ResizeOp sizesTensor(Edge sizesTensor) {
        return supplier(3, sizesTensor, "sizes");
    }

    /**
     * Starts then ends of {@code axes}, normalised; only for tf_crop_and_resize.
     *
     * <p>Takes back what was given for the input {@code roi_tensor}.
     *
     * @param roi a list of numbers; default {@code []}; or the input {@code roi_tensor}
     * @return this
     */
    public ResizeOp roi(double... roi) {
        return param("roi", Attribute.ofReals(roi), 1);
    }

    /**
     * The parameter {@code scales}.
     *
     * <p>Takes back what was given for the input {@code scales_tensor}.
     *
     * @param scales a list of numbers; default {@code []}; each {@code > 0}; or the input {@code scales_tensor}
     * @return this
     */
    public ResizeOp scales(double... scales) {
        return param("scales", Attribute.ofReals(scales), 2);
    }

    /**
     * The parameter {@code sizes}.
     *
     * <p>Takes back what was given for the input {@code sizes_tensor}.
     *
     * @param sizes a list of ints; default {@code []}; each {@code >= 0}; or the input {@code sizes_tensor}
     * @return this
     */
    public ResizeOp sizes(long... sizes) {
        return param("sizes", Attribute.ofInts(sizes), 3);
    }

    /**
     * The parameter {@code axes}.
     *
     * @param axes a list of ints; default {@code range(x.ndim)}; each {@code >= -x.ndim}; each {@code < x.ndim}; {@code
     *     all(axes, a -> len(filter(axes, b -> mod(a, x.ndim) == mod(b, x.ndim))) == 1)} (an axis is given twice)
     * @return this
     */
    public ResizeOp axes(long... axes) {
        return param("axes", Attribute.ofInts(axes));
    }

    /**
     * The parameter {@code mode}.
     *
     * @param mode a string; default {@code 'nearest'}; one of {@code nearest}, {@code linear}, {@code cubic}
     * @return this
     */
    public ResizeOp mode(Mode mode) {
        return param("mode", Attribute.of(mode.toString()));
    }

    /**
     * The parameter {@code coordinate_mode}.
     *
     * @param coordinateMode a string; default {@code 'half_pixel'}; one of {@code half_pixel}, {@code
     *     half_pixel_symmetric}, {@code pytorch_half_pixel}, {@code align_corners}, {@code asymmetric}, {@code
     *     tf_crop_and_resize}, {@code tf_half_pixel_for_nn}
     * @return this
     */
    public ResizeOp coordinateMode(CoordinateMode coordinateMode) {
        return param("coordinate_mode", Attribute.of(coordinateMode.toString()));
    }

    /**
     * Simple: up where the axis shrinks, else down (ONNX opset 10).
     *
     * @param nearestMode a string; default {@code 'round_prefer_floor'}; one of {@code round_prefer_floor}, {@code
     *     round_prefer_ceil}, {@code floor}, {@code ceil}, {@code simple}
     * @return this
     */
    public ResizeOp nearestMode(NearestMode nearestMode) {
        return param("nearest_mode", Attribute.of(nearestMode.toString()));
    }

    /**
     * The parameter {@code cubic_coeff_a}.
     *
     * @param cubicCoeffA a number; default {@code -0.75}
     * @return this
     */
    public ResizeOp cubicCoeffA(double cubicCoeffA) {
        return param("cubic_coeff_a", Attribute.of(cubicCoeffA));
    }

    /**
     * The parameter {@code exclude_outside}.
     *
     * @param excludeOutside a bool; default {@code false}
     * @return this
     */
    public ResizeOp excludeOutside(boolean excludeOutside) {
        return param("exclude_outside", Attribute.of(excludeOutside));
    }

    /**
     * The parameter {@code extrapolation_value}.
     *
     * @param extrapolationValue a number; default {@code 0.0}
     * @return this
     */
    public ResizeOp extrapolationValue(double extrapolationValue) {
        return param("extrapolation_value", Attribute.of(extrapolationValue));
    }

    /**
     * The parameter {@code antialias}.
     *
     * @param antialias a bool; default {@code false}
     * @return this
     */
    public ResizeOp antialias(boolean antialias) {
        return param("antialias", Attribute.of(antialias));
    }

    /**
     * The parameter {@code keep_aspect_ratio_policy}.
     *
     * @param keepAspectRatioPolicy a string; default {@code 'stretch'}; one of {@code stretch}, {@code not_larger},
     *     {@code not_smaller}
     * @return this
     */
    public ResizeOp keepAspectRatioPolicy(KeepAspectRatioPolicy keepAspectRatioPolicy) {
        return param("keep_aspect_ratio_policy", Attribute.of(keepAspectRatioPolicy.toString()));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code y_dims}
     */
    public Edge y() {
        return output(0);
    }
}
