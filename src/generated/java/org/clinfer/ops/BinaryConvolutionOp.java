package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * 2-D convolution of bits (OpenVINO BinaryConvolution-1). An element of x that equals its weight counts 1, any other
 * -1: bits 0 and 1 stand for -1 and 1, and their products are summed. An element that is neither 0 nor 1 equals no bit.
 * Sums are exact and saturate to the type of x; floating types round them.
 *
 * <p>One use of {@code BinaryConvolution} while its optional fields are set; made by {@code Ops.binaryConvolution}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class BinaryConvolutionOp extends OpBuilder<BinaryConvolutionOp> {

    /**
     * The values of {@code Mode} of {@code BinaryConvolution}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum Mode {
        /** The spelling {@code xnor-popcount}. */
        XNOR_POPCOUNT("xnor-popcount");

        private final String spelling;

        Mode(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String toString() {
            return spelling;
        }
    }

    /**
     * The values of {@code AutoPad} of {@code BinaryConvolution}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum AutoPad {
        /** The spelling {@code explicit}. */
        EXPLICIT("explicit"),
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
     * The values of {@code PadSemantics} of {@code BinaryConvolution}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum PadSemantics {
        /** The spelling {@code REFERENCE}. */
        REFERENCE,
        /** The spelling {@code EXCLUDE_PAD}. */
        EXCLUDE_PAD
    }

    BinaryConvolutionOp(Ops ops) {
        super(ops, "BinaryConvolution", 1);
    }

    @Override
    BinaryConvolutionOp self() {
        return this;
    }

    /**
     * Explicit uses pads_begin and pads_end; same_upper gives ceil(in / stride) with the odd pixel at the end,
     * same_lower at the beginning; valid pads nothing.
     *
     * @param autoPad a string; default {@code 'explicit'}; one of {@code explicit}, {@code same_upper}, {@code
     *     same_lower}, {@code valid}
     * @return this
     */
    public BinaryConvolutionOp autoPad(AutoPad autoPad) {
        return param("auto_pad", Attribute.of(autoPad.toString()));
    }

    /**
     * REFERENCE: padding is an element of x of pad_value, converted to the type of x as Cast does: 0 and 1 are these
     * bits, any other value equals no bit and counts -1. EXCLUDE_PAD, as OpenVINO's plug-ins have it: pad_value is the
     * number that a padded element stands for: -1 and 1 are the bits 0 and 1, with 0 it counts nothing.
     *
     * @param padSemantics a string; default {@code 'REFERENCE'}; one of {@code REFERENCE}, {@code EXCLUDE_PAD}; {@code
     *     pad_semantics == 'REFERENCE' || pad_value == -1 || pad_value == 0 || pad_value == 1} (EXCLUDE_PAD is defined
     *     for a pad_value of -1, 0 or 1)
     * @return this
     */
    public BinaryConvolutionOp padSemantics(PadSemantics padSemantics) {
        return param("pad_semantics", Attribute.of(padSemantics.toString()));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code [batch, out_channels] + out_size}
     */
    public Edge y() {
        return output(0);
    }
}
