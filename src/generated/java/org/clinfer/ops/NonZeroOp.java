package org.clinfer.ops;

import javax.annotation.processing.Generated;

/**
 * Where the elements are that are not 0: a column for each, in their order, and a row for each axis. There are as many
 * columns as there may be at most; count says how many are needed, and the others are -1 throughout. A NaN is not 0.
 *
 * <p>One use of {@code NonZero} while its optional fields are set; made by {@code Ops.nonZero}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class NonZeroOp extends OpBuilder<NonZeroOp> {

    NonZeroOp(Ops ops) {
        super(ops, "NonZero", 2);
    }

    @Override
    NonZeroOp self() {
        return this;
    }

    /**
     * The output {@code places}, which ends this use of the operator.
     *
     * @return its value; type: int64; dims: {@code [x.ndim, x.len]}
     */
    public Edge places() {
        return output(0);
    }

    /**
     * The output {@code count}, which ends this use of the operator.
     *
     * @return its value; type: int64; dims: {@code [1]}
     */
    public Edge count() {
        return output(1);
    }
}
