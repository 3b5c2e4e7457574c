package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * exp(x) / sum(exp(x)) along an axis, without overflow.
 *
 * <p>One use of {@code Softmax} while its optional fields are set; made by {@code Ops.softmax}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class SoftmaxOp extends OpBuilder<SoftmaxOp> {

    SoftmaxOp(Ops ops) {
        super(ops, "Softmax", 1);
    }

    @Override
    SoftmaxOp self() {
        return this;
    }

    /**
     * The parameter {@code axis}.
     *
     * @param axis an int; default {@code -1}; {@code >= -max(x.ndim, 1)}; {@code < max(x.ndim, 1)}
     * @return this
     */
    public SoftmaxOp axis(long axis) {
        return param("axis", Attribute.of(axis));
    }

    /**
     * All axes from {@code axis} on count as one (ONNX before opset 13).
     *
     * @param flatten a bool; default {@code false}
     * @return this
     */
    public SoftmaxOp flatten(boolean flatten) {
        return param("flatten", Attribute.of(flatten));
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
