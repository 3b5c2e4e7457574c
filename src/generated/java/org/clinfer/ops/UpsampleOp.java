package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Enlarges rows and columns by whole factors (OpLib 3.18). NEAREST repeats them; BILINEAR interpolates between pixel
 * centres and repeats the edge. Bilinear values of integers are computed in float64, rounded half to even and
 * saturated.
 *
 * <p>One use of {@code Upsample} while its optional fields are set; made by {@code Ops.upsample}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class UpsampleOp extends OpBuilder<UpsampleOp> {

    /**
     * The values of {@code Mode} of {@code Upsample}.
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

    UpsampleOp(Ops ops) {
        super(ops, "Upsample", 1);
    }

    @Override
    UpsampleOp self() {
        return this;
    }

    /**
     * [rows, columns].
     *
     * @param scale a list of ints; default {@code [1, 1]}; 2 elements; each {@code >= 1}; each {@code < 1073741824}
     * @return this
     */
    public UpsampleOp scale(long... scale) {
        return param("scale", Attribute.ofInts(scale));
    }

    /**
     * The parameter {@code mode}.
     *
     * @param mode a string; default {@code 'BILINEAR'}; one of {@code BILINEAR}, {@code NEAREST}
     * @return this
     */
    public UpsampleOp mode(Mode mode) {
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
