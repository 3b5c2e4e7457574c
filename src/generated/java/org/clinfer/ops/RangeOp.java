package org.clinfer.ops;

import javax.annotation.processing.Generated;

/**
 * Start, start + delta, ... below limit (exclusive). Integers are exact; others are computed in float64 and rounded.
 *
 * <p>One use of {@code Range} while its optional fields are set; made by {@code Ops.range}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class RangeOp extends OpBuilder<RangeOp> {

    RangeOp(Ops ops) {
        super(ops, "Range", 1);
    }

    @Override
    RangeOp self() {
        return this;
    }

    /**
     * The input {@code start_tensor}.
     *
     * <p>Supplies the parameter {@code start}, and takes back what was given for it.
     *
     * @param startTensor types: numeric; optional; must be known when the run is planned
     * @return this
     */
    public RangeOp startTensor(Edge startTensor) {
        return supplier(0, startTensor, "start");
    }

    /**
     * The input {@code limit_tensor}.
     *
     * <p>Supplies the parameter {@code limit}, and takes back what was given for it.
     *
     * @param limitTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public RangeOp limitTensor(Edge limitTensor) {
        return supplier(1, limitTensor, "limit");
    }

    /**
     * The input {@code delta_tensor}.
     *
     * <p>Supplies the parameter {@code delta}, and takes back what was given for it.
     *
     * @param deltaTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public RangeOp deltaTensor(Edge deltaTensor) {
        return supplier(2, deltaTensor, "delta");
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code has(start_tensor) ? start_tensor.dtype : float32}; dims: {@code [max(ceil((limit
     *     - start) / delta), 0)]}
     */
    public Edge y() {
        return output(0);
    }
}
