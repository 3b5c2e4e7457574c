package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Normalises each channel of each image by its own mean and variance, then scale and bias.
 *
 * <p>One use of {@code InstanceNorm} while its optional fields are set; made by {@code Ops.instanceNorm}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class InstanceNormOp extends OpBuilder<InstanceNormOp> {

    InstanceNormOp(Ops ops) {
        super(ops, "InstanceNorm", 1);
    }

    @Override
    InstanceNormOp self() {
        return this;
    }

    /**
     * The parameter {@code epsilon}.
     *
     * @param epsilon a number; default {@code 1.0E-5}; {@code >= 0}
     * @return this
     */
    public InstanceNormOp epsilon(double epsilon) {
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
