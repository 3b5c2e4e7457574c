package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;
import org.clinfer.tensor.DType;

/**
 * saturate(round(x / scale) + zero_point), half to even (ONNX QuantizeLinear). scale and zero_point have one element
 * for the whole tensor, one for each index of an axis, or, with a block_size, one for so many indices of the axis and
 * each index of the others. What is no number becomes zero_point.
 *
 * <p>One use of {@code QuantizeLinear} while its optional fields are set; made by {@code Ops.quantizeLinear}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class QuantizeLinearOp extends OpBuilder<QuantizeLinearOp> {

    /**
     * What {@code CodeType} of {@code QuantizeLinear} can be.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum CodeType {
        AUTO("AUTO"),
        INT8("int8"),
        UINT8("uint8"),
        INT16("int16"),
        UINT16("uint16");

        private final String spelling;

        CodeType(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String toString() {
            return spelling;
        }
    }

    QuantizeLinearOp(Ops ops) {
        super(ops, "QuantizeLinear", 1);
    }

    @Override
    QuantizeLinearOp self() {
        return this;
    }

    /**
     * 0 where it is left out.
     *
     * <p>Types: int8, uint8, int16, uint16; optional.
     */
    public QuantizeLinearOp zeroPoint(Edge zeroPoint) {
        return input(2, zeroPoint);
    }

    /**
     * Where scale has more than one element.
     *
     * <p>An int; default {@code 1}.
     */
    public QuantizeLinearOp axis(long axis) {
        return param("axis", Attribute.of(axis));
    }

    /**
     * Indices of the axis that share an element of scale; 0: there are no blocks.
     *
     * <p>An int; default {@code 0}; {@code >= 0}.
     */
    public QuantizeLinearOp blockSize(long blockSize) {
        return param("block_size", Attribute.of(blockSize));
    }

    /**
     * AUTO: that of zero_point, uint8 without one.
     *
     * <p>A string; default {@code 'AUTO'}; one of {@code AUTO}, {@code int8}, {@code uint8}, {@code int16}, {@code
     * uint16}; {@code code_type == 'AUTO' || !has(zero_point) || zero_point.dtype == code_type} (zero_point must be of
     * the type of y).
     */
    public QuantizeLinearOp codeType(CodeType codeType) {
        return param("code_type", Attribute.of(codeType.toString()));
    }

    /**
     * Type that the quotient is rounded to before it is rounded to an integer.
     *
     * <p>A string; default {@code 'float32'}; one of {@code float32}, {@code float16}, {@code bfloat16}.
     */
    public QuantizeLinearOp precision(DType precision) {
        return param("precision", Attribute.of(precision.label()));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * <p>Type: {@code y_type}; dims: {@code x.dims}.
     */
    public Edge y() {
        return output(0);
    }
}
