package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;
import org.clinfer.tensor.DType;

/**
 * saturate(round(x / scale) + zero_point), half to even (ONNX QuantizeLinear). scale and zero_point have one element
 * for the whole tensor, one for each index of an axis, or, with a block_size, one for so many indices of the axis and
 * each index of the others. What is no number becomes zero_point. Codes may be floats of 8 or 4 bits: these are not
 * rounded to integers first. Codes of less than 8 bits and float8 are computed on the CPU.
 *
 * <p>One use of {@code QuantizeLinear} while its optional fields are set; made by {@code Ops.quantizeLinear}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class QuantizeLinearOp extends OpBuilder<QuantizeLinearOp> {

    /**
     * The values of {@code CodeType} of {@code QuantizeLinear}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum CodeType {
        AUTO("AUTO"),
        INT8("int8"),
        UINT8("uint8"),
        INT16("int16"),
        UINT16("uint16"),
        INT4("int4"),
        UINT4("uint4"),
        INT2("int2"),
        UINT2("uint2"),
        FLOAT8E4M3FN("float8e4m3fn"),
        FLOAT8E4M3FNUZ("float8e4m3fnuz"),
        FLOAT8E5M2("float8e5m2"),
        FLOAT8E5M2FNUZ("float8e5m2fnuz"),
        FLOAT4E2M1("float4e2m1");

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
     * <p>Types: int8, uint8, int16, uint16, int4, uint4, int2, uint2, float8e4m3fn, float8e4m3fnuz, float8e5m2,
     * float8e5m2fnuz, float4e2m1; optional.
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
     * uint16}, {@code int4}, {@code uint4}, {@code int2}, {@code uint2}, {@code float8e4m3fn}, {@code float8e4m3fnuz},
     * {@code float8e5m2}, {@code float8e5m2fnuz}, {@code float4e2m1}; {@code code_type == 'AUTO' || !has(zero_point) ||
     * zero_point.dtype == code_type} (zero_point must be of the type of y).
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
     * Whether what is beyond the largest number of a float8 type becomes that number, and not an infinity or NaN.
     *
     * <p>A bool; default {@code true}.
     */
    public QuantizeLinearOp saturate(boolean saturate) {
        return param("saturate", Attribute.of(saturate));
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
