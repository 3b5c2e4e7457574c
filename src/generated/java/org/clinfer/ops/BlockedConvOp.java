package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * 2-D convolution of blocked channels (nChw16c) with what follows it, as FusedConv. x is [N, channels / 16, rows,
 * columns, 16]: 16 channels lie side by side; lanes beyond the last channel are padding. It slides over x without
 * {@code crop}, nothing is padded: padding is a margin of zeros that x has. Lanes of y beyond the last channel are
 * computed as channels whose weights, bias and slope are 0. y_halo is filled with zeros.
 *
 * <p>One use of {@code BlockedConv} while its optional fields are set; made by {@code Ops.blockedConv}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class BlockedConvOp extends OpBuilder<BlockedConvOp> {

    BlockedConvOp(Ops ops) {
        super(ops, "BlockedConv", 1);
    }

    @Override
    BlockedConvOp self() {
        return this;
    }

    /**
     * One for each output channel.
     *
     * <p>Types: float32; optional; 1 dimension.
     */
    public BlockedConvOp bias(Edge bias) {
        return input(2, bias);
    }

    /**
     * Blocked channels, without its margin of the size of y without halo; added to the result.
     *
     * <p>Types: float32; optional; {@code residual.ndim == 5 && residual.dims[4] == 16}.
     */
    public BlockedConvOp residual(Edge residual) {
        return input(3, residual);
    }

    /**
     * Of PRELU: one for all, or for each output channel.
     *
     * <p>Types: float32; optional; 1 dimension.
     */
    public BlockedConvOp slope(Edge slope) {
        return input(4, slope);
    }

    /**
     * The parameter {@code strides}.
     *
     * <p>A list of ints; default {@code [1, 1]}; 2 elements; each {@code >= 1}; each {@code < 1073741824}.
     */
    public BlockedConvOp strides(long... strides) {
        return param("strides", Attribute.ofInts(strides));
    }

    /**
     * The parameter {@code dilations}.
     *
     * <p>A list of ints; default {@code [1, 1]}; 2 elements; each {@code >= 1}; each {@code < 1073741824}.
     */
    public BlockedConvOp dilations(long... dilations) {
        return param("dilations", Attribute.ofInts(dilations));
    }

    /**
     * The parameter {@code groups}.
     *
     * <p>An int; default {@code 1}; {@code >= 1}.
     */
    public BlockedConvOp groups(long groups) {
        return param("groups", Attribute.of(groups));
    }

    /**
     * Rows and columns of x that are left out: [top, left, bottom, right].
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}.
     */
    public BlockedConvOp crop(long... crop) {
        return param("crop", Attribute.ofInts(crop));
    }

    /**
     * Rows and columns of zeros that x has without crop: [top, left, bottom, right]; what would be multiplied by them
     * may be left out.
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}.
     */
    public BlockedConvOp zeros(long... zeros) {
        return param("zeros", Attribute.ofInts(zeros));
    }

    /**
     * Rows and columns of zeros around y: [top, left, bottom, right].
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}.
     */
    public BlockedConvOp yHalo(long... yHalo) {
        return param("y_halo", Attribute.ofInts(yHalo));
    }

    /**
     * Applied to the sum.
     *
     * <p>A string; default {@code 'NONE'}; one of {@code NONE}, {@code RELU}, {@code RELU6}, {@code LEAKY_RELU}, {@code
     * PRELU}, {@code CLIP}, {@code SIGMOID}, {@code HARD_SWISH}, {@code TANH}, {@code SWISH}; {@code (activation ==
     * 'PRELU') == has(slope)} (PRELU, and nothing else, has a slope).
     */
    public BlockedConvOp activation(Activation activation) {
        return param("activation", Attribute.of(activation.toString()));
    }

    /**
     * Slope of LEAKY_RELU below 0; lower bound of CLIP.
     *
     * <p>A number; default {@code activation == 'LEAKY_RELU' ? 0.01 : 0.0}.
     */
    public BlockedConvOp alpha(double alpha) {
        return param("alpha", Attribute.of(alpha));
    }

    /**
     * Upper bound of CLIP.
     *
     * <p>A number; default {@code 0.0}; {@code activation != 'CLIP' || alpha <= beta} (the bounds of CLIP are alpha
     * &lt;= beta).
     */
    public BlockedConvOp beta(double beta) {
        return param("beta", Attribute.of(beta));
    }

    /**
     * Whether residual is added before or after the activation.
     *
     * <p>A string; default {@code 'BEFORE'}; one of {@code BEFORE}, {@code AFTER}.
     */
    public BlockedConvOp residualAdd(ResidualAdd residualAdd) {
        return param("residual_add", Attribute.of(residualAdd.toString()));
    }

    /**
     * Rows and columns of residual that are left out: [top, left, bottom, right].
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}.
     */
    public BlockedConvOp residualCrop(long... residualCrop) {
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
