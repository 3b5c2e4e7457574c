package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * The input itself: nothing is dropped at inference.
 *
 * <p>One use of {@code Dropout} while its optional fields are set; made by {@code Ops.dropout}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class DropoutOp extends OpBuilder<DropoutOp> {

    DropoutOp(Ops ops) {
        super(ops, "Dropout", 1);
    }

    @Override
    DropoutOp self() {
        return this;
    }

    /**
     * The parameter {@code ratio}.
     *
     * @param ratio a number; default {@code 0.5}; {@code >= 0}; {@code <= 1}
     * @return this
     */
    public DropoutOp ratio(double ratio) {
        return param("ratio", Attribute.of(ratio));
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
