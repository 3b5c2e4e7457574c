package org.clinfer.ops;

import javax.annotation.processing.Generated;

/**
 * Converts the elements. Floating numbers become integers by truncation and saturation (NaN becomes 0); integers keep
 * their low bits in a narrower type, as in C; to floating types rounds to nearest, halves to even; to bool is != 0.
 *
 * <p>One use of {@code Cast} while its optional fields are set; made by {@code Ops.cast}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class CastOp extends OpBuilder<CastOp> {

    CastOp(Ops ops) {
        super(ops, "Cast", 1);
    }

    @Override
    CastOp self() {
        return this;
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * <p>Type: {@code to}; dims: {@code x.dims}.
     */
    public Edge y() {
        return output(0);
    }
}
