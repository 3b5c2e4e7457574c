package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Gelu of x + bias (ONNX Runtime BiasGelu, and with TANH FastGelu). Floating types only, because the result is no
 * integer.
 *
 * <p>One use of {@code BiasGelu} while its optional fields are set; made by {@code Ops.biasGelu}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class BiasGeluOp extends OpBuilder<BiasGeluOp> {

    BiasGeluOp(Ops ops) {
        super(ops, "BiasGelu", 1);
    }

    @Override
    BiasGeluOp self() {
        return this;
    }

    /**
     * The parameter {@code approximate}.
     *
     * @param approximate a string; default {@code 'NONE'}; one of {@code NONE}, {@code TANH}
     * @return this
     */
    public BiasGeluOp approximate(Approximate approximate) {
        return param("approximate", Attribute.of(approximate.toString()));
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
