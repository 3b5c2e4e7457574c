package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;
import org.clinfer.tensor.DType;

/**
 * (x - zero_point) * scale (ONNX DequantizeLinear), computed in float32 and rounded once. scale and zero_point have one
 * element for the whole tensor, one for each index of an axis, or, with a block_size, one for so many indices of the
 * axis and each index of the others.
 *
 * <p>One use of {@code DequantizeLinear} while its optional fields are set; made by {@code Ops.dequantizeLinear}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class DequantizeLinearOp extends OpBuilder<DequantizeLinearOp> {

    DequantizeLinearOp(Ops ops) {
        super(ops, "DequantizeLinear", 1);
    }

    @Override
    DequantizeLinearOp self() {
        return this;
    }

    /**
     * 0 where it is left out.
     *
     * @param zeroPoint types: type of {@code x}; optional
     * @return this
     */
    public DequantizeLinearOp zeroPoint(Edge zeroPoint) {
        return input(2, zeroPoint);
    }

    /**
     * Where scale has more than one element.
     *
     * @param axis an int; default {@code 1}
     * @return this
     */
    public DequantizeLinearOp axis(long axis) {
        return param("axis", Attribute.of(axis));
    }

    /**
     * Indices of the axis that share an element of scale; 0: there are no blocks.
     *
     * @param blockSize an int; default {@code 0}; {@code >= 0}
     * @return this
     */
    public DequantizeLinearOp blockSize(long blockSize) {
        return param("block_size", Attribute.of(blockSize));
    }

    /**
     * The parameter {@code real_type}.
     *
     * @param realType a string; default {@code 'float32'}; one of {@code float32}, {@code float16}, {@code bfloat16}
     * @return this
     */
    public DequantizeLinearOp realType(DType realType) {
        return param("real_type", Attribute.of(realType.label()));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code real_type}; dims: {@code x.dims}
     */
    public Edge y() {
        return output(0);
    }
}
