package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * The maxima of windows of equal size that regions of pictures are divided into (Fast R-CNN; ONNX MaxRoiPool). The
 * first and last pixel of a region are rounded, and a window is rounded to whole pixels to the outside, all in float32.
 * An empty window is 0, and so is a region of an image that there is not.
 *
 * <p>One use of {@code RoiPool} while its optional fields are set; made by {@code Ops.roiPool}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class RoiPoolOp extends OpBuilder<RoiPoolOp> {

    RoiPoolOp(Ops ops) {
        super(ops, "RoiPool", 1);
    }

    @Override
    RoiPoolOp self() {
        return this;
    }

    /**
     * Pixels of x for each unit of the regions.
     *
     * @param spatialScale a number; default {@code 1.0}; {@code > 0}
     * @return this
     */
    public RoiPoolOp spatialScale(double spatialScale) {
        return param("spatial_scale", Attribute.of(spatialScale));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code [rois.dims[0], x.dims[1]] + pooled_size}
     */
    public Edge y() {
        return output(0);
    }
}
