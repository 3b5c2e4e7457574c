package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * The k largest or smallest elements along an axis, in their order, and where they stand; of equal ones those that come
 * first. A NaN is larger than all.
 *
 * <p>One use of {@code TopK} while its optional fields are set; made by {@code Ops.topK}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class TopKOp extends OpBuilder<TopKOp> {

    TopKOp(Ops ops) {
        super(ops, "TopK", 1);
    }

    @Override
    TopKOp self() {
        return this;
    }

    /**
     * The input {@code k_tensor}.
     *
     * <p>Supplies the parameter {@code k}, and takes back what was given for it.
     *
     * @param kTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public TopKOp kTensor(Edge kTensor) {
        return supplier(1, kTensor, "k");
    }

    /**
     * Negative counts from the end.
     *
     * @param axis an int; default {@code -1}; {@code >= -x.ndim}; {@code < x.ndim}
     * @return this
     */
    public TopKOp axis(long axis) {
        return param("axis", Attribute.of(axis));
    }

    /**
     * Else the smallest.
     *
     * @param largest a bool; default {@code true}
     * @return this
     */
    public TopKOp largest(boolean largest) {
        return param("largest", Attribute.of(largest));
    }

    /**
     * Whether the order matters; they are sorted either way.
     *
     * @param sorted a bool; default {@code true}
     * @return this
     */
    public TopKOp sorted(boolean sorted) {
        return param("sorted", Attribute.of(sorted));
    }

    /**
     * The output {@code values}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code set(x.dims, along, k)}
     */
    public Edge values() {
        return output(0);
    }

    /**
     * The output {@code indices}, which ends this use of the operator.
     *
     * @return its value; type: int64; dims: {@code set(x.dims, along, k)}
     */
    public Edge indices() {
        return output(1);
    }
}
