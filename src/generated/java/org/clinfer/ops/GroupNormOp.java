package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Normalises each group of channels of each image by its own mean and variance, then scale and bias (ONNX
 * GroupNormalization). Scale and bias have one element for each channel, or one for each group, as before ONNX'
 * operator set 21.
 *
 * <p>One use of {@code GroupNorm} while its optional fields are set; made by {@code Ops.groupNorm}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class GroupNormOp extends OpBuilder<GroupNormOp> {

    GroupNormOp(Ops ops) {
        super(ops, "GroupNorm", 1);
    }

    @Override
    GroupNormOp self() {
        return this;
    }

    /**
     * The input {@code scale}.
     *
     * @param scale types: type of {@code x}; optional; 1 dimension
     * @return this
     */
    public GroupNormOp scale(Edge scale) {
        return input(1, scale);
    }

    /**
     * The input {@code bias}.
     *
     * @param bias types: type of {@code x}; optional; 1 dimension
     * @return this
     */
    public GroupNormOp bias(Edge bias) {
        return input(2, bias);
    }

    /**
     * The parameter {@code epsilon}.
     *
     * @param epsilon a number; default {@code 1.0E-5}; {@code >= 0}
     * @return this
     */
    public GroupNormOp epsilon(double epsilon) {
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
