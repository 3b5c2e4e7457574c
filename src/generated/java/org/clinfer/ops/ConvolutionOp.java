package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * 1-D, 2-D or 3-D convolution with src [N, C, spatial...] (NCX) or [N, spatial..., C] (NXC) and weights [O, I / groups,
 * spatial...] (OIX) or [spatial..., I / groups, O] (XIO) (oneDNN Graph Convolution). Integers are summed exactly in 64
 * bits and saturate to their type; float16 and bfloat16 are summed in float32 and rounded once.
 *
 * <p>One use of {@code Convolution} while its optional fields are set; made by {@code Ops.convolution}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ConvolutionOp extends OpBuilder<ConvolutionOp> {

    /**
     * The values of {@code AutoPad} of {@code Convolution}.
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
     * The values of {@code DataFormat} of {@code Convolution}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum DataFormat {
        /** The spelling {@code NXC}. */
        NXC,
        /** The spelling {@code NCX}. */
        NCX
    }

    /**
     * The values of {@code WeightsFormat} of {@code Convolution}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum WeightsFormat {
        /** The spelling {@code XIO}. */
        XIO,
        /** The spelling {@code OIX}. */
        OIX
    }

    ConvolutionOp(Ops ops) {
        super(ops, "Convolution", 1);
    }

    @Override
    ConvolutionOp self() {
        return this;
    }

    /**
     * The input {@code bias}.
     *
     * @param bias types: type of {@code src}; optional; 1 dimension
     * @return this
     */
    public ConvolutionOp bias(Edge bias) {
        return input(2, bias);
    }

    /**
     * How pads_begin and pads_end are found unless none.
     *
     * @param autoPad a string; default {@code 'none'}; one of {@code none}, {@code same_upper}, {@code same_lower},
     *     {@code valid}
     * @return this
     */
    public ConvolutionOp autoPad(AutoPad autoPad) {
        return param("auto_pad", Attribute.of(autoPad.toString()));
    }

    /**
     * The parameter {@code groups}.
     *
     * @param groups an int; default {@code 1}; {@code >= 1}
     * @return this
     */
    public ConvolutionOp groups(long groups) {
        return param("groups", Attribute.of(groups));
    }

    /**
     * The parameter {@code data_format}.
     *
     * @param dataFormat a string; default {@code 'NXC'}; one of {@code NXC}, {@code NCX}
     * @return this
     */
    public ConvolutionOp dataFormat(DataFormat dataFormat) {
        return param("data_format", Attribute.of(dataFormat.toString()));
    }

    /**
     * The parameter {@code weights_format}.
     *
     * @param weightsFormat a string; default {@code 'XIO'}; one of {@code XIO}, {@code OIX}
     * @return this
     */
    public ConvolutionOp weightsFormat(WeightsFormat weightsFormat) {
        return param("weights_format", Attribute.of(weightsFormat.toString()));
    }

    /**
     * The output {@code dst}, which ends this use of the operator.
     *
     * @return its value; type: {@code src.dtype}; dims: {@code data_format == 'NCX' ? [batch, out_channels] + out_size
     *     : [batch] + out_size + [out_channels]}
     */
    public Edge dst() {
        return output(0);
    }
}
