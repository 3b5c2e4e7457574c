package org.clinfer.ops;

import javax.annotation.processing.Generated;

/**
 * Sum of codes of 8 bits as codes (numpy broadcasting): saturate(round(a * (a_scale / y_scale) + b * (b_scale /
 * y_scale) + zeros)), where zeros = y_zero_point - (a_zero_point * (a_scale / y_scale) + b_zero_point * (b_scale /
 * y_scale)); in float32, b before a and each product added by fma, half to even, as ONNX Runtime's QLinearAdd on
 * x86-64.
 *
 * <p>One use of {@code QuantizedAdd} while its optional fields are set; made by {@code Ops.quantizedAdd}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class QuantizedAddOp extends OpBuilder<QuantizedAddOp> {

    QuantizedAddOp(Ops ops) {
        super(ops, "QuantizedAdd", 1);
    }

    @Override
    QuantizedAddOp self() {
        return this;
    }

    /**
     * 0 where it is left out.
     *
     * @param aZeroPoint types: type of {@code a}; optional; 1 element
     * @return this
     */
    public QuantizedAddOp aZeroPoint(Edge aZeroPoint) {
        return input(2, aZeroPoint);
    }

    /**
     * 0 where it is left out.
     *
     * @param bZeroPoint types: type of {@code a}; optional; 1 element
     * @return this
     */
    public QuantizedAddOp bZeroPoint(Edge bZeroPoint) {
        return input(3, bZeroPoint);
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code y_zero_point.dtype}; dims: {@code y_dims}
     */
    public Edge y() {
        return output(0);
    }
}
