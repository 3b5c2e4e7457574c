package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * 1-D, 2-D or 3-D convolution of codes of 8 bits: the sum of (x - x_zero_point) * (weights - w_zero_point), and bias,
 * in int32 (ONNX ConvInteger). With x_scale and w_scale it is multiplied by both, in float32; with y_scale and
 * y_zero_point it becomes codes, saturate(round(sum * (x_scale * w_scale / y_scale)) + y_zero_point), half to even
 * (ONNX QLinearConv). Sums beyond int32 wrap.
 *
 * <p>One use of {@code QuantizedConv} while its optional fields are set; made by {@code Ops.quantizedConv}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class QuantizedConvOp extends OpBuilder<QuantizedConvOp> {

    /**
     * The values of {@code AutoPad} of {@code QuantizedConv}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum AutoPad {
        /** The spelling {@code none}. */
        NONE("none"),
        /** The spelling {@code same_upper}. */
        SAME_UPPER("same_upper"),
        /** The spelling {@code same_lower}. */
        SAME_LOWER("same_lower"),
        /** The spelling {@code valid}. */
        VALID("valid");

        private final String spelling;

        AutoPad(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String toString() {
            return spelling;
        }
    }

    /**
     * The values of {@code DataFormat} of {@code QuantizedConv}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum DataFormat {
        /** The spelling {@code NCX}. */
        NCX,
        /** The spelling {@code NXC}. */
        NXC
    }

    /**
     * The values of {@code YFormat} of {@code QuantizedConv}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum YFormat {
        /** The spelling {@code AUTO}. */
        AUTO,
        /** The spelling {@code NCX}. */
        NCX,
        /** The spelling {@code NXC}. */
        NXC
    }

    QuantizedConvOp(Ops ops) {
        super(ops, "QuantizedConv", 1);
    }

    @Override
    QuantizedConvOp self() {
        return this;
    }

    /**
     * One for each output channel, in units of x_scale * w_scale.
     *
     * @param bias types: int32; optional; 1 dimension
     * @return this
     */
    public QuantizedConvOp bias(Edge bias) {
        return input(2, bias);
    }

    /**
     * 0 where it is left out; padding is of this value.
     *
     * @param xZeroPoint types: type of {@code x}; optional; 1 element
     * @return this
     */
    public QuantizedConvOp xZeroPoint(Edge xZeroPoint) {
        return input(3, xZeroPoint);
    }

    /**
     * One, or one for each output channel; 0 where it is left out.
     *
     * @param wZeroPoint types: type of {@code weights}; optional
     * @return this
     */
    public QuantizedConvOp wZeroPoint(Edge wZeroPoint) {
        return input(4, wZeroPoint);
    }

    /**
     * The input {@code x_scale}.
     *
     * @param xScale types: float32; optional; 1 element
     * @return this
     */
    public QuantizedConvOp xScale(Edge xScale) {
        return input(5, xScale);
    }

    /**
     * One, or one for each output channel.
     *
     * @param wScale types: float32; optional
     * @return this
     */
    public QuantizedConvOp wScale(Edge wScale) {
        return input(6, wScale);
    }

    /**
     * The input {@code y_scale}.
     *
     * @param yScale types: float32; optional; 1 element
     * @return this
     */
    public QuantizedConvOp yScale(Edge yScale) {
        return input(7, yScale);
    }

    /**
     * Gives y its type.
     *
     * @param yZeroPoint types: int8, uint8; optional; 1 element
     * @return this
     */
    public QuantizedConvOp yZeroPoint(Edge yZeroPoint) {
        return input(8, yZeroPoint);
    }

    /**
     * The parameter {@code strides}.
     *
     * @param strides a list of ints; default {@code fill(x.ndim - 2, 1)}; {@code x.ndim - 2} elements; each {@code >=
     *     1}; each {@code < 1073741824}
     * @return this
     */
    public QuantizedConvOp strides(long... strides) {
        return param("strides", Attribute.ofInts(strides));
    }

    /**
     * The parameter {@code pads_begin}.
     *
     * @param padsBegin a list of ints; default {@code fill(x.ndim - 2, 0)}; {@code x.ndim - 2} elements; each {@code >=
     *     0}; each {@code < 1073741824}
     * @return this
     */
    public QuantizedConvOp padsBegin(long... padsBegin) {
        return param("pads_begin", Attribute.ofInts(padsBegin));
    }

    /**
     * The parameter {@code pads_end}.
     *
     * @param padsEnd a list of ints; default {@code fill(x.ndim - 2, 0)}; {@code x.ndim - 2} elements; each {@code >=
     *     0}; each {@code < 1073741824}
     * @return this
     */
    public QuantizedConvOp padsEnd(long... padsEnd) {
        return param("pads_end", Attribute.ofInts(padsEnd));
    }

    /**
     * The parameter {@code dilations}.
     *
     * @param dilations a list of ints; default {@code fill(x.ndim - 2, 1)}; {@code x.ndim - 2} elements; each {@code >=
     *     1}; each {@code < 1073741824}
     * @return this
     */
    public QuantizedConvOp dilations(long... dilations) {
        return param("dilations", Attribute.ofInts(dilations));
    }

    /**
     * How pads_begin and pads_end are found unless none.
     *
     * @param autoPad a string; default {@code 'none'}; one of {@code none}, {@code same_upper}, {@code same_lower},
     *     {@code valid}
     * @return this
     */
    public QuantizedConvOp autoPad(AutoPad autoPad) {
        return param("auto_pad", Attribute.of(autoPad.toString()));
    }

    /**
     * The parameter {@code groups}.
     *
     * @param groups an int; default {@code 1}; {@code >= 1}
     * @return this
     */
    public QuantizedConvOp groups(long groups) {
        return param("groups", Attribute.of(groups));
    }

    /**
     * [N, C, spatial...] or [N, spatial..., C].
     *
     * @param dataFormat a string; default {@code 'NCX'}; one of {@code NCX}, {@code NXC}
     * @return this
     */
    public QuantizedConvOp dataFormat(DataFormat dataFormat) {
        return param("data_format", Attribute.of(dataFormat.toString()));
    }

    /**
     * The same of y; AUTO: data_format.
     *
     * @param yFormat a string; default {@code 'AUTO'}; one of {@code AUTO}, {@code NCX}, {@code NXC}
     * @return this
     */
    public QuantizedConvOp yFormat(YFormat yFormat) {
        return param("y_format", Attribute.of(yFormat.toString()));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code y_type}; dims: {@code y_dims}
     */
    public Edge y() {
        return output(0);
    }
}
