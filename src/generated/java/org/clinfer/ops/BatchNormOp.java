package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * scale * (x - mean) / sqrt(variance + epsilon) + bias per channel, at inference.
 *
 * <p>One use of {@code BatchNorm} while its optional fields are set; made by {@code Ops.batchNorm}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class BatchNormOp extends OpBuilder<BatchNormOp> {

    BatchNormOp(Ops ops) {
        super(ops, "BatchNorm", 1);
    }

    @Override
    BatchNormOp self() {
        return this;
    }

    /**
     * The parameter {@code epsilon}.
     *
     * @param epsilon a number; default {@code 1.0E-5}; {@code >= 0}
     * @return this
     */
    public BatchNormOp epsilon(double epsilon) {
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
