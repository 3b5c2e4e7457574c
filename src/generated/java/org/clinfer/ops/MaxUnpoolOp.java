package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * The elements of x at the places that a MaxPoolIndices names, and 0 elsewhere.
 *
 * <p>One use of {@code MaxUnpool} while its optional fields are set; made by {@code Ops.maxUnpool}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class MaxUnpoolOp extends OpBuilder<MaxUnpoolOp> {

    MaxUnpoolOp(Ops ops) {
        super(ops, "MaxUnpool", 1);
    }

    @Override
    MaxUnpoolOp self() {
        return this;
    }

    /**
     * a larger size, at the end of which there is nothing.
     *
     * @param outputShape types: any; optional; must be known when the run is planned
     * @return this
     */
    public MaxUnpoolOp outputShape(Edge outputShape) {
        return input(2, outputShape);
    }

    /**
     * All begins, then all ends.
     *
     * @param pads a list of ints; default {@code fill(2 * (x.ndim - 2), 0)}; {@code 2 * (x.ndim - 2)} elements; each
     *     {@code >= 0}; each {@code < 1073741824}
     * @return this
     */
    public MaxUnpoolOp pads(long... pads) {
        return param("pads", Attribute.ofInts(pads));
    }

    /**
     * The parameter {@code strides}.
     *
     * @param strides a list of ints; default {@code fill(x.ndim - 2, 1)}; {@code x.ndim - 2} elements; each {@code >=
     *     1}; each {@code < 1073741824}
     * @return this
     */
    public MaxUnpoolOp strides(long... strides) {
        return param("strides", Attribute.ofInts(strides));
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
