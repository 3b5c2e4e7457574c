package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * An axis more, along which the second of two values stands where the index says, and the first elsewhere (ONNX
 * OneHot). An index outside of the axis is nowhere.
 *
 * <p>One use of {@code OneHot} while its optional fields are set; made by {@code Ops.oneHot}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class OneHotOp extends OpBuilder<OneHotOp> {

    OneHotOp(Ops ops) {
        super(ops, "OneHot", 1);
    }

    @Override
    OneHotOp self() {
        return this;
    }

    /**
     * The input {@code depth_tensor}.
     *
     * <p>Supplies the parameter {@code depth}, and takes back what was given for it.
     *
     * @param depthTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public OneHotOp depthTensor(Edge depthTensor) {
        return supplier(1, depthTensor, "depth");
    }

    /**
     * The parameter {@code axis}.
     *
     * @param axis an int; default {@code -1}; {@code >= -(indices.ndim + 1)}; {@code <= indices.ndim}
     * @return this
     */
    public OneHotOp axis(long axis) {
        return param("axis", Attribute.of(axis));
    }

    /**
     * Whether negative indices count from the end.
     *
     * @param wrap a bool; default {@code true}
     * @return this
     */
    public OneHotOp wrap(boolean wrap) {
        return param("wrap", Attribute.of(wrap));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code values.dtype}; dims: {@code slice(indices.dims, 0, along) + [depth] +
     *     slice(indices.dims, along, indices.ndim)}
     */
    public Edge y() {
        return output(0);
    }
}
