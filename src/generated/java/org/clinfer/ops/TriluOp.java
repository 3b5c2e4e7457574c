package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * The triangle of each matrix above a diagonal, or below it, with 0 elsewhere (ONNX Trilu).
 *
 * <p>One use of {@code Trilu} while its optional fields are set; made by {@code Ops.trilu}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class TriluOp extends OpBuilder<TriluOp> {

    TriluOp(Ops ops) {
        super(ops, "Trilu", 1);
    }

    @Override
    TriluOp self() {
        return this;
    }

    /**
     * How many diagonals above the main one; left out, the main one.
     *
     * @param k types: int64; optional; 1 element
     * @return this
     */
    public TriluOp k(Edge k) {
        return input(1, k);
    }

    /**
     * The parameter {@code upper}.
     *
     * @param upper a bool; default {@code true}
     * @return this
     */
    public TriluOp upper(boolean upper) {
        return param("upper", Attribute.of(upper));
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
