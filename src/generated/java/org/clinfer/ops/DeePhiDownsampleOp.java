package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Reduces rows and columns by whole factors (OpLib 3.19); what a factor leaves over at the end is dropped. NEAREST
 * takes pixel (row * scale[0], column * scale[1]); BILINEAR interpolates at the centre of each block of scale[0] by
 * scale[1] pixels. Bilinear values of integers are computed in float64, rounded half to even and saturated.
 *
 * <p>One use of {@code DeePhiDownsample} while its optional fields are set; made by {@code Ops.deePhiDownsample}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class DeePhiDownsampleOp extends OpBuilder<DeePhiDownsampleOp> {

    /**
     * The values of {@code Mode} of {@code DeePhiDownsample}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum Mode {
        /** The spelling {@code BILINEAR}. */
        BILINEAR,
        /** The spelling {@code NEAREST}. */
        NEAREST
    }

    DeePhiDownsampleOp(Ops ops) {
        super(ops, "DeePhiDownsample", 1);
    }

    @Override
    DeePhiDownsampleOp self() {
        return this;
    }

    /**
     * [rows, columns].
     *
     * @param scale a list of ints; default {@code [1, 1]}; 2 elements; each {@code >= 1}; each {@code < 1073741824}
     * @return this
     */
    public DeePhiDownsampleOp scale(long... scale) {
        return param("scale", Attribute.ofInts(scale));
    }

    /**
     * The parameter {@code mode}.
     *
     * @param mode a string; default {@code 'BILINEAR'}; one of {@code BILINEAR}, {@code NEAREST}
     * @return this
     */
    public DeePhiDownsampleOp mode(Mode mode) {
        return param("mode", Attribute.of(mode.toString()));
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
