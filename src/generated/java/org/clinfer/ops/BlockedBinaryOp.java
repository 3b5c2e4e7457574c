package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * activation(x operation z) for blocked channels (nChw16c), element by element. x is [N, channels / 16, rows, columns,
 * 16]: 16 channels lie side by side; lanes beyond the last channel are padding. z is of the shape of x, without crop,
 * or has one row and one column that are repeated. y_halo is filled with zeros.
 *
 * <p>One use of {@code BlockedBinary} while its optional fields are set; made by {@code Ops.blockedBinary}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class BlockedBinaryOp extends OpBuilder<BlockedBinaryOp> {

    /**
     * What {@code Operation} of {@code BlockedBinary} can be.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum Operation {
        ADD,
        SUB,
        MUL,
        MAX
    }

    BlockedBinaryOp(Ops ops) {
        super(ops, "BlockedBinary", 1);
    }

    @Override
    BlockedBinaryOp self() {
        return this;
    }

    /**
     * Of PRELU: one for all, or for each channel.
     *
     * <p>Types: float32; optional; 1 dimension.
     */
    public BlockedBinaryOp slope(Edge slope) {
        return input(2, slope);
    }

    /**
     * The parameter {@code operation}.
     *
     * <p>A string; default {@code 'ADD'}; one of {@code ADD}, {@code SUB}, {@code MUL}, {@code MAX}.
     */
    public BlockedBinaryOp operation(Operation operation) {
        return param("operation", Attribute.of(operation.toString()));
    }

    /**
     * Rows and columns of x that are left out: [top, left, bottom, right].
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}.
     */
    public BlockedBinaryOp crop(long... crop) {
        return param("crop", Attribute.ofInts(crop));
    }

    /**
     * Rows and columns of z that are left out: [top, left, bottom, right].
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}.
     */
    public BlockedBinaryOp zCrop(long... zCrop) {
        return param("z_crop", Attribute.ofInts(zCrop));
    }

    /**
     * Rows and columns of zeros around y: [top, left, bottom, right].
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}.
     */
    public BlockedBinaryOp yHalo(long... yHalo) {
        return param("y_halo", Attribute.ofInts(yHalo));
    }

    /**
     * Applied to the sum.
     *
     * <p>A string; default {@code 'NONE'}; one of {@code NONE}, {@code RELU}, {@code RELU6}, {@code LEAKY_RELU}, {@code
     * PRELU}, {@code CLIP}, {@code SIGMOID}, {@code HARD_SWISH}, {@code TANH}, {@code SWISH}; {@code (activation ==
     * 'PRELU') == has(slope)} (PRELU, and nothing else, has a slope).
     */
    public BlockedBinaryOp activation(Activation activation) {
        return param("activation", Attribute.of(activation.toString()));
    }

    /**
     * Slope of LEAKY_RELU below 0; lower bound of CLIP.
     *
     * <p>A number; default {@code activation == 'LEAKY_RELU' ? 0.01 : 0.0}.
     */
    public BlockedBinaryOp alpha(double alpha) {
        return param("alpha", Attribute.of(alpha));
    }

    /**
     * Upper bound of CLIP.
     *
     * <p>A number; default {@code 0.0}; {@code activation != 'CLIP' || alpha <= beta} (the bounds of CLIP are alpha
     * &lt;= beta).
     */
    public BlockedBinaryOp beta(double beta) {
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
