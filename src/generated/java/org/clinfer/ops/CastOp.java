package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Converts the elements. Floating numbers become integers by truncation and saturation (NaN becomes 0); integers keep
 * their low bits in a narrower type, as in C; to floating types rounds to nearest, halves to even; to bool is != 0. To
 * int4, uint4, int2 and uint2 floating numbers, too, keep the low bits of what truncation gives. To the float8 types
 * and float4e2m1, what is too large saturates (see saturate); a NaN is -0 in float4e2m1. In float8e8m0, which has
 * powers of two alone, a number becomes the next one above (see round_mode), and one below 0 a NaN. These types are
 * converted on the CPU.
 *
 * <p>One use of {@code Cast} while its optional fields are set; made by {@code Ops.cast}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class CastOp extends OpBuilder<CastOp> {

    /**
     * The values of {@code RoundMode} of {@code Cast}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum RoundMode {
        /** The spelling {@code UP}. */
        UP,
        /** The spelling {@code DOWN}. */
        DOWN,
        /** The spelling {@code NEAREST}. */
        NEAREST
    }

    CastOp(Ops ops) {
        super(ops, "Cast", 1);
    }

    @Override
    CastOp self() {
        return this;
    }

    /**
     * Whether what is beyond the largest number of a float8 type becomes that number, and not an infinity or NaN; of
     * float8e8m0 what is below the smallest, too.
     *
     * @param saturate a bool; default {@code true}
     * @return this
     */
    public CastOp saturate(boolean saturate) {
        return param("saturate", Attribute.of(saturate));
    }

    /**
     * Which power of two a number becomes in float8e8m0; with NEAREST halfway goes up.
     *
     * @param roundMode a string; default {@code 'UP'}; one of {@code UP}, {@code DOWN}, {@code NEAREST}
     * @return this
     */
    public CastOp roundMode(RoundMode roundMode) {
        return param("round_mode", Attribute.of(roundMode.toString()));
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
