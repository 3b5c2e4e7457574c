package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * x / sqrt(mean of squares + epsilon) * scale, with the mean of everything from an axis on (ONNX RMSNormalization).
 * 16-bit floats are computed in float32 and rounded once.
 *
 * <p>One use of {@code RmsNorm} while its optional fields are set; made by {@code Ops.rmsNorm}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class RmsNormOp extends OpBuilder<RmsNormOp> {

    RmsNormOp(Ops ops) {
        super(ops, "RmsNorm", 1);
    }

    @Override
    RmsNormOp self() {
        return this;
    }

    /**
     * The first of those that are normalised together.
     *
     * @param axis an int; default {@code -1}; {@code >= -x.ndim}; {@code < x.ndim}
     * @return this
     */
    public RmsNormOp axis(long axis) {
        return param("axis", Attribute.of(axis));
    }

    /**
     * The parameter {@code epsilon}.
     *
     * @param epsilon a number; default {@code 1.0E-5}; {@code >= 0}
     * @return this
     */
    public RmsNormOp epsilon(double epsilon) {
        return param("epsilon", Attribute.of(epsilon));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public Edge y() {
        return output(0);
    }
}
