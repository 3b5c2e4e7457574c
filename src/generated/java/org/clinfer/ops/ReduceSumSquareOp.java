package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Sum of squares over axes. Integers wrap.
 *
 * <p>One use of {@code ReduceSumSquare} while its optional fields are set; made by {@code Ops.reduceSumSquare}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ReduceSumSquareOp extends OpBuilder<ReduceSumSquareOp> {

    ReduceSumSquareOp(Ops ops) {
        super(ops, "ReduceSumSquare", 1);
    }

    @Override
    ReduceSumSquareOp self() {
        return this;
    }

    /**
     * The input {@code axes}.
     *
     * <p>Supplies the parameter {@code axis}, and takes back what was given for it.
     *
     * @param axes types: any; optional; must be known when the run is planned
     * @return this
     */
    public ReduceSumSquareOp axes(Edge axes) {
        return supplier(1, axes, "axis");
    }

    /**
     * Axes to reduce, negative counts from the end; [] means all.
     *
     * <p>Takes back what was given for the input {@code axes}.
     *
     * @param axis a list of ints; default {@code []}; each {@code >= -x.ndim}; each {@code < x.ndim}; or the input
     *     {@code axes}; {@code all(axis, a -> len(filter(axis, b -> mod(a, x.ndim) == mod(b, x.ndim))) == 1)} (an axis
     *     is given twice)
     * @return this
     */
    public ReduceSumSquareOp axis(long... axis) {
        return param("axis", Attribute.ofInts(axis), 1);
    }

    /**
     * Reduced axes stay with size 1.
     *
     * @param keepDims a bool; default {@code false}
     * @return this
     */
    public ReduceSumSquareOp keepDims(boolean keepDims) {
        return param("keep_dims", Attribute.of(keepDims));
    }

    /**
     * [] means none instead of all.
     *
     * @param noopWithEmptyAxis a bool; default {@code false}
     * @return this
     */
    public ReduceSumSquareOp noopWithEmptyAxis(boolean noopWithEmptyAxis) {
        return param("noop_with_empty_axis", Attribute.of(noopWithEmptyAxis));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code keep_dims ? kept_dims : map(filter(range(x.ndim), i ->
     *     !contains(reduced, i)), i -> x.dims[i])}
     */
    public Edge y() {
        return output(0);
    }
}
