package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Sums of the elements along an axis up to each one. Integers wrap.
 *
 * <p>One use of {@code CumSum} while its optional fields are set; made by {@code Ops.cumSum}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class CumSumOp extends OpBuilder<CumSumOp> {

    CumSumOp(Ops ops) {
        super(ops, "CumSum", 1);
    }

    @Override
    CumSumOp self() {
        return this;
    }

    /**
     * The input {@code axis_tensor}.
     *
     * <p>Supplies the parameter {@code axis}, and takes back what was given for it.
     *
     * @param axisTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public CumSumOp axisTensor(Edge axisTensor) {
        return supplier(1, axisTensor, "axis");
    }

    /**
     * Without the element itself.
     *
     * @param exclusive a bool; default {@code false}
     * @return this
     */
    public CumSumOp exclusive(boolean exclusive) {
        return param("exclusive", Attribute.of(exclusive));
    }

    /**
     * From the end.
     *
     * @param reverse a bool; default {@code false}
     * @return this
     */
    public CumSumOp reverse(boolean reverse) {
        return param("reverse", Attribute.of(reverse));
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
