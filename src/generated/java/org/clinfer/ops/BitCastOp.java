package org.clinfer.ops;

import javax.annotation.processing.Generated;

/**
 * The bits of the elements as those of another type of the same width. On the CPU.
 *
 * <p>One use of {@code BitCast} while its optional fields are set; made by {@code Ops.bitCast}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class BitCastOp extends OpBuilder<BitCastOp> {

    BitCastOp(Ops ops) {
        super(ops, "BitCast", 1);
    }

    @Override
    BitCastOp self() {
        return this;
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code to}; dims: {@code x.dims}
     */
    public Edge y() {
        return output(0);
    }
}
