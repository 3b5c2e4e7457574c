package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * 2-D convolution of an NCHW tensor, most often the first of a network, with the result in blocked channels (nChw16c):
 * [N, channels / 16, rows, columns, 16]; with what follows it, as FusedConv. Lanes of y beyond the last channel are
 * computed as channels whose weights, bias and slope are 0. y_halo is filled with zeros.
 *
 * <p>One use of {@code ConvToBlocks} while its optional fields are set; made by {@code Ops.convToBlocks}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ConvToBlocksOp extends OpBuilder<ConvToBlocksOp> {

    ConvToBlocksOp(Ops ops) {
        super(ops, "ConvToBlocks", 1);
    }

    @Override
    ConvToBlocksOp self() {
        return this;
    }

    /**
     * One for each output channel.
     *
     * <p>Types: float32; optional; 1 dimension.
     */
    public ConvToBlocksOp bias(Edge bias) {
        return input(2, bias);
    }

    /**
     * Blocked channels, without its margin of the size of y without halo; added to the result.
     *
     * <p>Types: float32; optional; {@code residual.ndim == 5 && residual.dims[4] == 16}.
     */
    public ConvToBlocksOp residual(Edge residual) {
        return input(3, residual);
    }

    /**
     * Of PRELU: one for all, or for each output channel.
     *
     * <p>Types: float32; optional; 1 dimension.
     */
    public ConvToBlocksOp slope(Edge slope) {
        return input(4, slope);
    }

    /**
     * The parameter {@code strides}.
     *
     * <p>A list of ints; default {@code [1, 1]}; 2 elements; each {@code >= 1}; each {@code < 1073741824}.
     */
    public ConvToBlocksOp strides(long... strides) {
        return param("strides", Attribute.ofInts(strides));
    }

    /**
     * Zeros around x: [top, left, bottom, right].
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}.
     */
    public ConvToBlocksOp pads(long... pads) {
        return param("pads", Attribute.ofInts(pads));
    }

    /**
     * The parameter {@code dilations}.
     *
     * <p>A list of ints; default {@code [1, 1]}; 2 elements; each {@code >= 1}; each {@code < 1073741824}.
     */
    public ConvToBlocksOp dilations(long... dilations) {
        return param("dilations", Attribute.ofInts(dilations));
    }

    /**
     * Rows and columns of zeros around y: [top, left, bottom, right].
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}.
     */
    public ConvToBlocksOp yHalo(long... yHalo) {
        return param("y_halo", Attribute.ofInts(yHalo));
    }

    /**
     * Applied to the sum.
     *
     * <p>A string; default {@code 'NONE'}; one of {@code NONE}, {@code RELU}, {@code RELU6}, {@code LEAKY_RELU}, {@code
     * PRELU}, {@code CLIP}, {@code SIGMOID}, {@code HARD_SWISH}, {@code TANH}, {@code SWISH}; {@code (activation ==
     * 'PRELU') == has(slope)} (PRELU, and nothing else, has a slope).
     */
    public ConvToBlocksOp activation(Activation activation) {
        return param("activation", Attribute.of(activation.toString()));
    }

    /**
     * Slope of LEAKY_RELU below 0; lower bound of CLIP.
     *
     * <p>A number; default {@code activation == 'LEAKY_RELU' ? 0.01 : 0.0}.
     */
    public ConvToBlocksOp alpha(double alpha) {
        return param("alpha", Attribute.of(alpha));
    }

    /**
     * Upper bound of CLIP.
     *
     * <p>A number; default {@code 0.0}; {@code activation != 'CLIP' || alpha <= beta} (the bounds of CLIP are alpha
     * &lt;= beta).
     */
    public ConvToBlocksOp beta(double beta) {
        return param("beta", Attribute.of(beta));
    }

    /**
     * Whether residual is added before or after the activation.
     *
     * <p>A string; default {@code 'BEFORE'}; one of {@code BEFORE}, {@code AFTER}.
     */
    public ConvToBlocksOp residualAdd(ResidualAdd residualAdd) {
        return param("residual_add", Attribute.of(residualAdd.toString()));
    }

    /**
     * Rows and columns of residual that are left out: [top, left, bottom, right].
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}.
     */
    public ConvToBlocksOp residualCrop(long... residualCrop) {
        return param("residual_crop", Attribute.ofInts(residualCrop));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * <p>Type: {@code x.dtype}; dims: {@code [batch, out_blocks] + out_size + [16]}.
     */
    public Edge y() {
        return output(0);
    }
}
