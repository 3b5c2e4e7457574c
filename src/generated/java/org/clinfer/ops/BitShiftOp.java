package org.clinfer.ops;

import javax.annotation.processing.Generated;

/**
 * The bits of a moved by b places (numpy broadcasting); those that leave it are lost, and to the right its sign moves
 * in. By less than none, or by as many places as it has bits or more, nothing is left but the sign that moved in: -1 or
 * 0.
 *
 * <p>One use of {@code BitShift} while its optional fields are set; made by {@code Ops.bitShift}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class BitShiftOp extends OpBuilder<BitShiftOp> {

    /**
     * The values of {@code Direction} of {@code BitShift}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum Direction {
        /** The spelling {@code LEFT}. */
        LEFT,
        /** The spelling {@code RIGHT}. */
        RIGHT
    }

    BitShiftOp(Ops ops) {
        super(ops, "BitShift", 1);
    }

    @Override
    BitShiftOp self() {
        return this;
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code a.dtype}; dims: {@code y_dims}
     */
    public Edge y() {
        return output(0);
    }
}
