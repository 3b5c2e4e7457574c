package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * x + bias where x &lt; -lambd, x - bias where x &gt; lambd, else 0 (soft and hard shrinkage). Integers are rounded
 * half to even and saturate.
 *
 * <p>One use of {@code Shrink} while its optional fields are set; made by {@code Ops.shrink}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ShrinkOp extends OpBuilder<ShrinkOp> {

    ShrinkOp(Ops ops) {
        super(ops, "Shrink", 1);
    }

    @Override
    ShrinkOp self() {
        return this;
    }

    /**
     * The parameter {@code bias}.
     *
     * @param bias a number; default {@code 0.0}
     * @return this
     */
    public ShrinkOp bias(double bias) {
        return param("bias", Attribute.of(bias));
    }

    /**
     * The parameter {@code lambd}.
     *
     * @param lambd a number; default {@code 0.5}
     * @return this
     */
    public ShrinkOp lambd(double lambd) {
        return param("lambd", Attribute.of(lambd));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public Edge y() {
        return output(0);
    }
}
