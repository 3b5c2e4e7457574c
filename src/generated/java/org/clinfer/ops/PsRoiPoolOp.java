package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * The means of windows of equal size that regions of pictures are divided into, each window of channels of its own
 * (R-FCN, position-sensitive). A window is rounded to whole pixels to the outside, in float32. An empty window is 0,
 * and so is a region of an image that there is not.
 *
 * <p>One use of {@code PsRoiPool} while its optional fields are set; made by {@code Ops.psRoiPool}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class PsRoiPoolOp extends OpBuilder<PsRoiPoolOp> {

    PsRoiPoolOp(Ops ops) {
        super(ops, "PsRoiPool", 1);
    }

    @Override
    PsRoiPoolOp self() {
        return this;
    }

    /**
     * Pixels of x for each unit of the regions.
     *
     * @param spatialScale a number; default {@code 1.0}; {@code > 0}
     * @return this
     */
    public PsRoiPoolOp spatialScale(double spatialScale) {
        return param("spatial_scale", Attribute.of(spatialScale));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code [rois.dims[0], x.dims[1] / (group_size * group_size),
     *     group_size, group_size]}
     */
    public Edge y() {
        return output(0);
    }
}
