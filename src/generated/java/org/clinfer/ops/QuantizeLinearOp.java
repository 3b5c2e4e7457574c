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
        /** The spelling {@code AUTO}. */
        AUTO("AUTO"),
        /** The spelling {@code int8}. */
        INT8("int8"),
        /** The spelling {@code uint8}. */
        UINT8("uint8"),
        /** The spelling {@code int16}. */
        INT16("int16"),
        /** The spelling {@code uint16}. */
        UINT16("uint16"),
        /** The spelling {@code int4}. */
        INT4("int4"),
        /** The spelling {@code uint4}. */
        UINT4("uint4"),
        /** The spelling {@code int2}. */
        INT2("int2"),
        /** The spelling {@code uint2}. */
        UINT2("uint2"),
        /** The spelling {@code float8e4m3fn}. */
        FLOAT8E4M3FN("float8e4m3fn"),
        /** The spelling {@code float8e4m3fnuz}. */
        FLOAT8E4M3FNUZ("float8e4m3fnuz"),
        /** The spelling {@code float8e5m2}. */
        FLOAT8E5M2("float8e5m2"),
        /** The spelling {@code float8e5m2fnuz}. */
        FLOAT8E5M2FNUZ("float8e5m2fnuz"),
        /** The spelling {@code float4e2m1}. */
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
     * @param zeroPoint types: int8, uint8, int16, uint16, int4, uint4, int2, uint2, float8e4m3fn, float8e4m3fnuz,
     *     float8e5m2, float8e5m2fnuz, float4e2m1; optional
     * @return this
     */
    public QuantizeLinearOp zeroPoint(Edge zeroPoint) {
        return input(2, zeroPoint);
    }

    /**
     * Where scale has more than one element.
     *
     * @param axis an int; default {@code 1}
     * @return this
     */
    public QuantizeLinearOp axis(long axis) {
        return param("axis", Attribute.of(axis));
    }

    /**
     * Indices of the axis that share an element of scale; 0: there are no blocks.
     *
     * @param blockSize an int; default {@code 0}; {@code >= 0}
     * @return this
     */
    public QuantizeLinearOp blockSize(long blockSize) {
        return param("block_size", Attribute.of(blockSize));
    }

    /**
     * AUTO: that of zero_point, uint8 without one.
     *
     * @param codeType a string; default {@code 'AUTO'}; one of {@code AUTO}, {@code int8}, {@code uint8}, {@code
     *     int16}, {@code uint16}, {@code int4}, {@code uint4}, {@code int2}, {@code uint2}, {@code float8e4m3fn},
     *     {@code float8e4m3fnuz}, {@code float8e5m2}, {@code float8e5m2fnuz}, {@code float4e2m1}; {@code code_type ==
     *     'AUTO' || !has(zero_point) || zero_point.dtype == code_type} (zero_point must be of the type of y)
     * @return this
     */
    public QuantizeLinearOp codeType(CodeType codeType) {
        return param("code_type", Attribute.of(codeType.toString()));
    }

    /**
     * Type that the quotient is rounded to before it is rounded to an integer.
     *
     * @param precision a string; default {@code 'float32'}; one of {@code float32}, {@code float16}, {@code bfloat16}
     * @return this
     */
    public QuantizeLinearOp precision(DType precision) {
        return param("precision", Attribute.of(precision.label()));
    }

    /**
     * Whether what is beyond the largest number of a float8 type becomes that number, and not an infinity or NaN.
     *
     * @param saturate a bool; default {@code true}
     * @return this
     */
    public QuantizeLinearOp saturate(boolean saturate) {
        return param("saturate", Attribute.of(saturate));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code y_type}; dims: {@code x.dims}
     */
    public Edge y() {
        return output(0);
    }
}
