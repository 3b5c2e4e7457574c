package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Means or maxima of windows of equal size that regions of pictures are divided into, of samples that are interpolated
 * between pixels (Mask R-CNN). A maximum is that of the four weighted pixels of each sample, as ONNX has it.
 *
 * <p>One use of {@code RoiAlign} while its optional fields are set; made by {@code Ops.roiAlign}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class RoiAlignOp extends OpBuilder<RoiAlignOp> {

    /**
     * The values of {@code CoordinateTransformationMode} of {@code RoiAlign}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum CoordinateTransformationMode {
        /** The spelling {@code half_pixel}. */
        HALF_PIXEL("half_pixel"),
        /** The spelling {@code output_half_pixel}. */
        OUTPUT_HALF_PIXEL("output_half_pixel");

        private final String spelling;

        CoordinateTransformationMode(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String toString() {
            return spelling;
        }
    }

    /**
     * The values of {@code Mode} of {@code RoiAlign}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum Mode {
        /** The spelling {@code avg}. */
        AVG("avg"),
        /** The spelling {@code max}. */
        MAX("max");

        private final String spelling;

        Mode(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String toString() {
            return spelling;
        }
    }

    RoiAlignOp(Ops ops) {
        super(ops, "RoiAlign", 1);
    }

    @Override
    RoiAlignOp self() {
        return this;
    }

    /**
     * half_pixel: pixels have their centres at halves; output_half_pixel: at whole numbers, and a region is at least
     * one pixel wide.
     *
     * @param coordinateTransformationMode a string; default {@code 'half_pixel'}; one of {@code half_pixel}, {@code
     *     output_half_pixel}
     * @return this
     */
    public RoiAlignOp coordinateTransformationMode(CoordinateTransformationMode coordinateTransformationMode) {
        return param("coordinate_transformation_mode", Attribute.of(coordinateTransformationMode.toString()));
    }

    /**
     * The parameter {@code mode}.
     *
     * @param mode a string; default {@code 'avg'}; one of {@code avg}, {@code max}
     * @return this
     */
    public RoiAlignOp mode(Mode mode) {
        return param("mode", Attribute.of(mode.toString()));
    }

    /**
     * The parameter {@code output_height}.
     *
     * @param outputHeight an int; default {@code 1}; {@code >= 1}
     * @return this
     */
    public RoiAlignOp outputHeight(long outputHeight) {
        return param("output_height", Attribute.of(outputHeight));
    }

    /**
     * The parameter {@code output_width}.
     *
     * @param outputWidth an int; default {@code 1}; {@code >= 1}
     * @return this
     */
    public RoiAlignOp outputWidth(long outputWidth) {
        return param("output_width", Attribute.of(outputWidth));
    }

    /**
     * Samples of a window along each axis; 0: as many as it has pixels.
     *
     * @param samplingRatio an int; default {@code 0}; {@code >= 0}; {@code <= 1024}
     * @return this
     */
    public RoiAlignOp samplingRatio(long samplingRatio) {
        return param("sampling_ratio", Attribute.of(samplingRatio));
    }

    /**
     * Pixels of x for each unit of the regions.
     *
     * @param spatialScale a number; default {@code 1.0}; {@code > 0}
     * @return this
     */
    public RoiAlignOp spatialScale(double spatialScale) {
        return param("spatial_scale", Attribute.of(spatialScale));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code [rois.dims[0], x.dims[1], output_height, output_width]}
     */
    public Edge y() {
        return output(0);
    }
}
