package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Permutes the axes.
 *
 * <p>One use of {@code Transpose} while its optional fields are set; made by {@code Ops.transpose}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class TransposeOp extends OpBuilder<TransposeOp> {

    TransposeOp(Ops ops) {
        super(ops, "Transpose", 1);
    }

    @Override
    TransposeOp self() {
        return this;
    }

    /**
     * The parameter {@code perm}.
     *
     * @param perm a list of ints; default {@code reverse(range(x.ndim))}; {@code x.ndim} elements; each {@code >= 0};
     *     each {@code < x.ndim}
     * @return this
     */
    public TransposeOp perm(long... perm) {
        return param("perm", Attribute.ofInts(perm));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code y_dims}
     */
    public Edge y() {
        return output(0);
    }
}
