package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * x where x &gt;= 0, else slope * x (OpLib 3.13). slope broadcasts to x as in numpy and ONNX, or with per_channel is a
 * vector of one slope per channel as in OpLib. Products of integers saturate.
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
     * Slope is a vector of one slope per channel, the second axis of x; otherwise it broadcasts to x.
     *
     * <p>A bool; default {@code false}.
     */
    public PReluOp perChannel(boolean perChannel) {
        return param("per_channel", Attribute.of(perChannel));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * <p>Type: {@code x.dtype}; dims: {@code x.dims}.
     */
    public Edge y() {
        return output(0);
    }
}
