package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * activation(x * scale + shift) for blocked channels (nChw16c), with a factor and a term for each channel; without them
 * the activation alone. x is [N, channels / 16, rows, columns, 16]: 16 channels lie side by side; lanes beyond the last
 * channel are padding. Lanes beyond the last channel have scale and shift 0. y_halo is filled with zeros.
 *
 * <p>One use of {@code BlockedScale} while its optional fields are set; made by {@code Ops.blockedScale}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class BlockedScaleOp extends OpBuilder<BlockedScaleOp> {

    BlockedScaleOp(Ops ops) {
        super(ops, "BlockedScale", 1);
    }

    @Override
    BlockedScaleOp self() {
        return this;
    }

    /**
     * The input {@code scale}.
     *
     * <p>Types: float32; optional; 1 dimension.
     */
    public BlockedScaleOp scale(Edge scale) {
        return input(1, scale);
    }

    /**
     * The input {@code shift}.
     *
     * <p>Types: float32; optional; 1 dimension.
     */
    public BlockedScaleOp shift(Edge shift) {
        return input(2, shift);
    }

    /**
     * Of PRELU: one for all, or for each channel.
     *
     * <p>Types: float32; optional; 1 dimension.
     */
    public BlockedScaleOp slope(Edge slope) {
        return input(3, slope);
    }

    /**
     * Rows and columns of x that are left out: [top, left, bottom, right].
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}.
     */
    public BlockedScaleOp crop(long... crop) {
        return param("crop", Attribute.ofInts(crop));
    }

    /**
     * Rows and columns of zeros around y: [top, left, bottom, right].
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}.
     */
    public BlockedScaleOp yHalo(long... yHalo) {
        return param("y_halo", Attribute.ofInts(yHalo));
    }

    /**
     * Applied to the sum.
     *
     * <p>A string; default {@code 'NONE'}; one of {@code NONE}, {@code RELU}, {@code RELU6}, {@code LEAKY_RELU}, {@code
     * PRELU}, {@code CLIP}, {@code SIGMOID}, {@code HARD_SWISH}, {@code TANH}, {@code SWISH}; {@code (activation ==
     * 'PRELU') == has(slope)} (PRELU, and nothing else, has a slope).
     */
    public BlockedScaleOp activation(Activation activation) {
        return param("activation", Attribute.of(activation.toString()));
    }

    /**
     * Slope of LEAKY_RELU below 0; lower bound of CLIP.
     *
     * <p>A number; default {@code activation == 'LEAKY_RELU' ? 0.01 : 0.0}.
     */
    public BlockedScaleOp alpha(double alpha) {
        return param("alpha", Attribute.of(alpha));
    }

    /**
     * Upper bound of CLIP.
     *
     * <p>A number; default {@code 0.0}; {@code activation != 'CLIP' || alpha <= beta} (the bounds of CLIP are alpha
     * &lt;= beta).
     */
    public BlockedScaleOp beta(double beta) {
        return param("beta", Attribute.of(beta));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * <p>Type: {@code x.dtype}; dims: {@code [x.dims[0], x.dims[1]] + out_size + [16]}.
     */
    public Edge y() {
        return output(0);
    }
}
