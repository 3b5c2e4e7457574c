package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * x / 2 * (1 + erf(x / sqrt(2))), or with TANH x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) (ONNX Gelu).
 * Floating types only, because the result is no integer.
 *
 * <p>One use of {@code Gelu} while its optional fields are set; made by {@code Ops.gelu}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class GeluOp extends OpBuilder<GeluOp> {

    GeluOp(Ops ops) {
        super(ops, "Gelu", 1);
    }

    @Override
    GeluOp self() {
        return this;
    }

    /**
     * The parameter {@code approximate}.
     *
     * @param approximate a string; default {@code 'NONE'}; one of {@code NONE}, {@code TANH}
     * @return this
     */
    public GeluOp approximate(Approximate approximate) {
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
