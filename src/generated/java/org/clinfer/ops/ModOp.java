package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * The remainder of a / b (numpy broadcasting), with the sign of b as in Python, or with fmod that of a as in C, of a
 * zero too. Of an integer divided by 0 it is 0, of a floating number a NaN.
 *
 * <p>One use of {@code Mod} while its optional fields are set; made by {@code Ops.mod}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ModOp extends OpBuilder<ModOp> {

    ModOp(Ops ops) {
        super(ops, "Mod", 1);
    }

    @Override
    ModOp self() {
        return this;
    }

    /**
     * The sign of a, as C has it.
     *
     * @param fmod a bool; default {@code false}
     * @return this
     */
    public ModOp fmod(boolean fmod) {
        return param("fmod", Attribute.of(fmod));
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
