package org.clinfer.ops;

import javax.annotation.processing.Generated;

/**
 * Broadcasts the input with a shape (numpy broadcasting both ways).
 *
 * <p>One use of {@code Expand} while its optional fields are set; made by {@code Ops.expand}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ExpandOp extends OpBuilder<ExpandOp> {

    ExpandOp(Ops ops) {
        super(ops, "Expand", 1);
    }

    @Override
    ExpandOp self() {
        return this;
    }

    /**
     * The input {@code shape_tensor}.
     *
     * <p>Supplies the parameter {@code shape}, and takes back what was given for it.
     *
     * @param shapeTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public ExpandOp shapeTensor(Edge shapeTensor) {
        return supplier(1, shapeTensor, "shape");
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
