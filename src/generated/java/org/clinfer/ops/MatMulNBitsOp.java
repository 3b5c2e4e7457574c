package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Product of real numbers and a matrix of codes of 4 or 8 bits, of which every block of neighbours in a column has a
 * scale and a zero point of its own (ONNX Runtime's MatMulNBits): y[..., j] = bias[j] + sum over i of a[..., i] *
 * (code(j, i) - zero_points[j, i / block_size]) * scales[j, i / block_size]. The codes of a column lie side by side,
 * those that share a byte low bits first. float16 and bfloat16 are summed in float32 and rounded once.
 *
 * <p>One use of {@code MatMulNBits} while its optional fields are set; made by {@code Ops.matMulNBits}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class MatMulNBitsOp extends OpBuilder<MatMulNBitsOp> {

    MatMulNBitsOp(Ops ops) {
        super(ops, "MatMulNBits", 1);
    }

    @Override
    MatMulNBitsOp self() {
        return this;
    }

    /**
     * [columns, blocks], real numbers; 2 to the power of bits - 1 where they are left out.
     *
     * @param zeroPoints types: type of {@code a}; optional; 2 dimensions
     * @return this
     */
    public MatMulNBitsOp zeroPoints(Edge zeroPoints) {
        return input(3, zeroPoints);
    }

    /**
     * [columns].
     *
     * @param bias types: type of {@code a}; optional; 1 dimension
     * @return this
     */
    public MatMulNBitsOp bias(Edge bias) {
        return input(4, bias);
    }

    /**
     * The parameter {@code bits}.
     *
     * @param bits an int; default {@code 4}; {@code bits == 4 || bits == 8}
     * @return this
     */
    public MatMulNBitsOp bits(long bits) {
        return param("bits", Attribute.of(bits));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code a.dtype}; dims: {@code slice(a.dims, 0, a.ndim - 1) + [n]}
     */
    public Edge y() {
        return output(0);
    }
}
