package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * x / (1 + exp(-alpha * x)), also called SiLU (ONNX Swish). Floating types only, because the result is no integer.
 *
 * <p>One use of {@code Swish} while its optional fields are set; made by {@code Ops.swish}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class SwishOp extends OpBuilder<SwishOp> {

    SwishOp(Ops ops) {
        super(ops, "Swish", 1);
    }

    @Override
    SwishOp self() {
        return this;
    }

    /**
     * The parameter {@code alpha}.
     *
     * @param alpha a number; default {@code 1.0}
     * @return this
     */
    public SwishOp alpha(double alpha) {
        return param("alpha", Attribute.of(alpha));
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
