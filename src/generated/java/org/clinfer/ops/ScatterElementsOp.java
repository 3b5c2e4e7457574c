package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * A copy of data with elements replaced one by one: each update goes to its own place, but for one axis, along which
 * the index says where; negative ones count from the end.
 *
 * <p>One use of {@code ScatterElements} while its optional fields are set; made by {@code Ops.scatterElements}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ScatterElementsOp extends OpBuilder<ScatterElementsOp> {

    ScatterElementsOp(Ops ops) {
        super(ops, "ScatterElements", 1);
    }

    @Override
    ScatterElementsOp self() {
        return this;
    }

    /**
     * The parameter {@code axis}.
     *
     * @param axis an int; default {@code 0}; {@code >= -data.ndim}; {@code < data.ndim}
     * @return this
     */
    public ScatterElementsOp axis(long axis) {
        return param("axis", Attribute.of(axis));
    }

    /**
     * How an update meets the element that is there; none replaces it, and of several the last counts.
     *
     * @param reduction a string; default {@code 'none'}; one of {@code none}, {@code add}, {@code mul}, {@code max},
     *     {@code min}
     * @return this
     */
    public ScatterElementsOp reduction(Reduction reduction) {
        return param("reduction", Attribute.of(reduction.toString()));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code data.dtype}; dims: {@code data.dims}
     */
    public Edge y() {
        return output(0);
    }
}
