package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * min(max(x, min), max); a bound left out does not bind. With integers the bounds are rounded half to even and
 * saturated first.
 *
 * <p>One use of {@code Clip} while its optional fields are set; made by {@code Ops.clip}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ClipOp extends OpBuilder<ClipOp> {

    ClipOp(Ops ops) {
        super(ops, "Clip", 1);
    }

    @Override
    ClipOp self() {
        return this;
    }

    /**
     * The input {@code min_tensor}.
     *
     * <p>Supplies the parameter {@code min}, and takes back what was given for it.
     *
     * @param minTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public ClipOp minTensor(Edge minTensor) {
        return supplier(1, minTensor, "min");
    }

    /**
     * The input {@code max_tensor}.
     *
     * <p>Supplies the parameter {@code max}, and takes back what was given for it.
     *
     * @param maxTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public ClipOp maxTensor(Edge maxTensor) {
        return supplier(2, maxTensor, "max");
    }

    /**
     * The parameter {@code min}.
     *
     * <p>Takes back what was given for the input {@code min_tensor}.
     *
     * @param min a number; default none; or the input {@code min_tensor}
     * @return this
     */
    public ClipOp min(double min) {
        return param("min", Attribute.of(min), 1);
    }

    /**
     * The parameter {@code max}.
     *
     * <p>Takes back what was given for the input {@code max_tensor}.
     *
     * @param max a number; default none; or the input {@code max_tensor}
     * @return this
     */
    public ClipOp max(double max) {
        return param("max", Attribute.of(max), 2);
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
