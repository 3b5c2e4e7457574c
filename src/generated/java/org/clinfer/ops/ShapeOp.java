package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * The sizes of the input as an int64 vector.
 *
 * <p>One use of {@code Shape} while its optional fields are set; made by {@code Ops.shape}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ShapeOp extends OpBuilder<ShapeOp> {

    ShapeOp(Ops ops) {
        super(ops, "Shape", 1);
    }

    @Override
    ShapeOp self() {
        return this;
    }

    /**
     * The parameter {@code start}.
     *
     * @param start an int; default {@code 0}
     * @return this
     */
    public ShapeOp start(long start) {
        return param("start", Attribute.of(start));
    }

    /**
     * The parameter {@code end}.
     *
     * @param end an int; default {@code x.ndim}
     * @return this
     */
    public ShapeOp end(long end) {
        return param("end", Attribute.of(end));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: int64; dims: {@code [max(last - first, 0)]}
     */
    public Edge y() {
        return output(0);
    }
}
