package org.clinfer.ops;

import javax.annotation.processing.Generated;

/**
 * Matrix product of codes of 8 bits, over the last two axes, numpy broadcasting of the others; a vector counts as a row
 * on the left and a column on the right: the sum of (a - a_zero_point) * (b - b_zero_point), and bias, in int32 (ONNX
 * MatMulInteger). With a_scale and b_scale it is multiplied by both, in float32; with y_scale and y_zero_point it
 * becomes codes, saturate(round(sum * (a_scale * b_scale / y_scale)) + y_zero_point), half to even (ONNX
 * QLinearMatMul). Sums beyond int32 wrap.
 *
 * <p>One use of {@code QuantizedMatMul} while its optional fields are set; made by {@code Ops.quantizedMatMul}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class QuantizedMatMulOp extends OpBuilder<QuantizedMatMulOp> {

    QuantizedMatMulOp(Ops ops) {
        super(ops, "QuantizedMatMul", 1);
    }

    @Override
    QuantizedMatMulOp self() {
        return this;
    }

    /**
     * [m, n] or what broadcasts to it, in units of a_scale * b_scale.
     *
     * @param bias types: int32; optional
     * @return this
     */
    public QuantizedMatMulOp bias(Edge bias) {
        return input(2, bias);
    }

    /**
     * One, or one for each row; 0 where it is left out.
     *
     * @param aZeroPoint types: type of {@code a}; optional
     * @return this
     */
    public QuantizedMatMulOp aZeroPoint(Edge aZeroPoint) {
        return input(3, aZeroPoint);
    }

    /**
     * One, or one for each column; 0 where it is left out.
     *
     * @param bZeroPoint types: type of {@code b}; optional
     * @return this
     */
    public QuantizedMatMulOp bZeroPoint(Edge bZeroPoint) {
        return input(4, bZeroPoint);
    }

    /**
     * One, or one for each row.
     *
     * @param aScale types: float32; optional
     * @return this
     */
    public QuantizedMatMulOp aScale(Edge aScale) {
        return input(5, aScale);
    }

    /**
     * One, or one for each column.
     *
     * @param bScale types: float32; optional
     * @return this
     */
    public QuantizedMatMulOp bScale(Edge bScale) {
        return input(6, bScale);
    }

    /**
     * One, or one for each row.
     *
     * @param yScale types: float32; optional
     * @return this
     */
    public QuantizedMatMulOp yScale(Edge yScale) {
        return input(7, yScale);
    }

    /**
     * One, or one for each row; gives y its type.
     *
     * @param yZeroPoint types: int8, uint8; optional
     * @return this
     */
    public QuantizedMatMulOp yZeroPoint(Edge yZeroPoint) {
        return input(8, yZeroPoint);
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code y_type}; dims: {@code batch_dims + (a.ndim == 1 ? [] : [m]) + (b.ndim == 1 ? [] :
     *     [n])}
     */
    public Edge y() {
        return output(0);
    }
}
