package org.clinfer.ops;

import java.util.List;
import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Depthwise separable 2-D convolution of blocked channels (nChw16c): a 1x1 convolution that expands the channels, which
 * may be left out, a depthwise convolution, and a 1x1 convolution of its result; an inverted residual, where residual
 * is x. What lies between them is not written to memory as a whole. x is [N, channels / 16, rows, columns, 16]; lanes
 * beyond the last channel are padding. Lanes of y beyond the last channel are computed as channels whose weights and
 * bias are 0. y_halo is filled with zeros.
 *
 * <p>One use of {@code BlockedSeparableConv} while its optional fields are set; made by {@code
 * Ops.blockedSeparableConv}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class BlockedSeparableConvOp extends OpBuilder<BlockedSeparableConvOp> {

    BlockedSeparableConvOp(Ops ops) {
        super(ops, "BlockedSeparableConv", 1);
    }

    @Override
    BlockedSeparableConvOp self() {
        return this;
    }

    /**
     * Weights of the first convolution: [middle_channels, in_channels, 1, 1].
     *
     * <p>Types: float32; optional; 4 dimensions.
     */
    public BlockedSeparableConvOp expand(Edge expand) {
        return input(1, expand);
    }

    /**
     * One for each middle channel.
     *
     * <p>Types: float32; optional; 1 dimension; {@code has(expand)} (a bias without weights).
     */
    public BlockedSeparableConvOp expandBias(Edge expandBias) {
        return input(2, expandBias);
    }

    /**
     * One for each middle channel.
     *
     * <p>Types: float32; optional; 1 dimension.
     */
    public BlockedSeparableConvOp bias(Edge bias) {
        return input(4, bias);
    }

    /**
     * One for each output channel.
     *
     * <p>Types: float32; optional; 1 dimension.
     */
    public BlockedSeparableConvOp projectBias(Edge projectBias) {
        return input(6, projectBias);
    }

    /**
     * Blocked channels, without its margin of the size of y without halo; added to the result.
     *
     * <p>Types: float32; optional; {@code residual.ndim == 5 && residual.dims[4] == 16}.
     */
    public BlockedSeparableConvOp residual(Edge residual) {
        return input(7, residual);
    }

    /**
     * Of the depthwise convolution.
     *
     * <p>A list of ints; default {@code [1, 1]}; 2 elements; each {@code >= 1}; each {@code < 1073741824}.
     */
    public BlockedSeparableConvOp strides(long... strides) {
        return param("strides", Attribute.ofInts(strides));
    }

    /**
     * Rows and columns of x that are left out: [top, left, bottom, right].
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}.
     */
    public BlockedSeparableConvOp crop(long... crop) {
        return param("crop", Attribute.ofInts(crop));
    }

    /**
     * Rows and columns of zeros around what is expanded: [top, left, bottom, right].
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}; {@code
     * has(expand) || sum(pads) == 0} (without expand x has the padding).
     */
    public BlockedSeparableConvOp pads(long... pads) {
        return param("pads", Attribute.ofInts(pads));
    }

    /**
     * Rows and columns of zeros around y: [top, left, bottom, right].
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}.
     */
    public BlockedSeparableConvOp yHalo(long... yHalo) {
        return param("y_halo", Attribute.ofInts(yHalo));
    }

    /**
     * Applied to the sums of the convolution that expands, the depthwise one, the last one.
     *
     * <p>A list of strings; default {@code ['NONE', 'NONE', 'NONE']}; 3 elements; {@code all(activations, v ->
     * contains(['NONE', 'RELU', 'RELU6', 'LEAKY_RELU', 'CLIP', 'SIGMOID', 'HARD_SWISH', 'TANH', 'SWISH'], v))}
     * (activations are NONE, RELU, RELU6, LEAKY_RELU, CLIP, SIGMOID, HARD_SWISH, TANH, SWISH).
     */
    public BlockedSeparableConvOp activations(String... activations) {
        return param("activations", Attribute.ofTexts(List.of(activations)));
    }

    /**
     * For each activation: slope of LEAKY_RELU below 0; lower bound of CLIP.
     *
     * <p>A list of numbers; default {@code [0.0, 0.0, 0.0]}; 3 elements.
     */
    public BlockedSeparableConvOp alphas(double... alphas) {
        return param("alphas", Attribute.ofReals(alphas));
    }

    /**
     * For each activation: upper bound of CLIP.
     *
     * <p>A list of numbers; default {@code [0.0, 0.0, 0.0]}; 3 elements; {@code all(range(3), i -> activations[i] !=
     * 'CLIP' || alphas[i] <= betas[i])} (the bounds of CLIP are alpha &lt;= beta).
     */
    public BlockedSeparableConvOp betas(double... betas) {
        return param("betas", Attribute.ofReals(betas));
    }

    /**
     * Whether residual is added before or after the last activation.
     *
     * <p>A string; default {@code 'BEFORE'}; one of {@code BEFORE}, {@code AFTER}.
     */
    public BlockedSeparableConvOp residualAdd(ResidualAdd residualAdd) {
        return param("residual_add", Attribute.of(residualAdd.toString()));
    }

    /**
     * Rows and columns of residual that are left out: [top, left, bottom, right].
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}.
     */
    public BlockedSeparableConvOp residualCrop(long... residualCrop) {
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
