package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Two axes: the product of the sizes before {@code axis}, and of the others.
 *
 * <p>One use of {@code Flatten} while its optional fields are set; made by {@code Ops.flatten}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class FlattenOp extends OpBuilder<FlattenOp> {

    FlattenOp(Ops ops) {
        super(ops, "Flatten", 1);
    }

    @Override
    FlattenOp self() {
        return this;
    }

    /**
     * The parameter {@code axis}.
     *
     * @param axis an int; default {@code 1}; {@code >= -x.ndim}; {@code <= x.ndim}
     * @return this
     */
    public FlattenOp axis(long axis) {
        return param("axis", Attribute.of(axis));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code [product(slice(x.dims, 0, split)), product(slice(x.dims,
     *     split, x.ndim))]}
     */
    public Edge y() {
        return output(0);
    }
}
