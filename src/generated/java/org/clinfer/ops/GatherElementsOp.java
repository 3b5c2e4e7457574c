package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Elements of data chosen one by one: for each index the element of data at the same place, but for one axis, along
 * which the index says where; negative ones count from the end.
 *
 * <p>One use of {@code GatherElements} while its optional fields are set; made by {@code Ops.gatherElements}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class GatherElementsOp extends OpBuilder<GatherElementsOp> {

    GatherElementsOp(Ops ops) {
        super(ops, "GatherElements", 1);
    }

    @Override
    GatherElementsOp self() {
        return this;
    }

    /**
     * The parameter {@code axis}.
     *
     * @param axis an int; default {@code 0}; {@code >= -data.ndim}; {@code < data.ndim}
     * @return this
     */
    public GatherElementsOp axis(long axis) {
        return param("axis", Attribute.of(axis));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code data.dtype}; dims: {@code indices.dims}
     */
    public Edge y() {
        return output(0);
    }
}
