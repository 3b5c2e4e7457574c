package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * x where x &gt;= 0, else slope * x (OpLib 3.13). slope is a vector of one slope per channel as in OpLib, or broadcasts
 * to x as in numpy and ONNX. Integers wrap.
 *
 * <p>One use of {@code PRelu} while its optional fields are set; made by {@code Ops.pRelu}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class PReluOp extends OpBuilder<PReluOp> {

    PReluOp(Ops ops) {
        super(ops, "PRelu", 1);
    }

    @Override
    PReluOp self() {
        return this;
    }

    /**
     * Slope is a vector of one slope per channel, the second axis of x; false: it broadcasts to x as in numpy, a vector
     * along the last axis.
     *
     * @param perChannel a bool; default {@code slope.ndim == 1 && slope.len != 1 && x.ndim >= 2 && slope.len ==
     *     x.dims[1]}; {@code per_channel ? x.ndim >= 2 && slope.ndim == 1 && slope.len == x.dims[1] : slope.ndim <=
     *     x.ndim && all(range(slope.ndim), i -> slope.dims[i] == 1 || slope.dims[i] == x.dims[x.ndim - slope.ndim +
     *     i])} (slope must be a vector of one slope per channel, or broadcast to the shape of x)
     * @return this
     */
    public PReluOp perChannel(boolean perChannel) {
        return param("per_channel", Attribute.of(perChannel));
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
