package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * The same elements with another shape; -1 infers one size, 0 copies the input's (OpLib 3.15).
 *
 * <p>One use of {@code Reshape} while its optional fields are set; made by {@code Ops.reshape}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ReshapeOp extends OpBuilder<ReshapeOp> {

    ReshapeOp(Ops ops) {
        super(ops, "Reshape", 1);
    }

    @Override
    ReshapeOp self() {
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
    public ReshapeOp shapeTensor(Edge shapeTensor) {
        return supplier(1, shapeTensor, "shape");
    }

    /**
     * 0 means an empty axis instead of a copied size.
     *
     * @param allowZero a bool; default {@code false}
     * @return this
     */
    public ReshapeOp allowZero(boolean allowZero) {
        return param("allow_zero", Attribute.of(allowZero));
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
