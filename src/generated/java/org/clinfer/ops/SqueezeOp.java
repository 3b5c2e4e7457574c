package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Removes axes of size 1 (OpLib 3.16).
 *
 * <p>One use of {@code Squeeze} while its optional fields are set; made by {@code Ops.squeeze}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class SqueezeOp extends OpBuilder<SqueezeOp> {

    SqueezeOp(Ops ops) {
        super(ops, "Squeeze", 1);
    }

    @Override
    SqueezeOp self() {
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
    public SqueezeOp axes(Edge axes) {
        return supplier(1, axes, "axis");
    }

    /**
     * Axes to remove; [] means all of size 1.
     *
     * <p>Takes back what was given for the input {@code axes}.
     *
     * @param axis a list of ints; default {@code []}; each {@code >= -x.ndim}; each {@code < x.ndim}; or the input
     *     {@code axes}; {@code all(axis, a -> len(filter(axis, b -> mod(a, x.ndim) == mod(b, x.ndim))) == 1)} (an axis
     *     is given twice)
     * @return this
     */
    public SqueezeOp axis(long... axis) {
        return param("axis", Attribute.ofInts(axis), 1);
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code map(filter(range(x.ndim), i -> !contains(removed, i)), i
     *     -> x.dims[i])}
     */
    public Edge y() {
        return output(0);
    }
}
