package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * 1 where along an axis the first largest element stands, else 0 (ONNX Hardmax).
 *
 * <p>One use of {@code Hardmax} while its optional fields are set; made by {@code Ops.hardmax}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class HardmaxOp extends OpBuilder<HardmaxOp> {

    HardmaxOp(Ops ops) {
        super(ops, "Hardmax", 1);
    }

    @Override
    HardmaxOp self() {
        return this;
    }

    /**
     * The parameter {@code axis}.
     *
     * @param axis an int; default {@code -1}; {@code >= -x.ndim}; {@code < x.ndim}
     * @return this
     */
    public HardmaxOp axis(long axis) {
        return param("axis", Attribute.of(axis));
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
