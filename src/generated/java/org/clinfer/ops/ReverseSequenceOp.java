package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * The first elements of each sequence in reverse; those beyond its length stay.
 *
 * <p>One use of {@code ReverseSequence} while its optional fields are set; made by {@code Ops.reverseSequence}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ReverseSequenceOp extends OpBuilder<ReverseSequenceOp> {

    ReverseSequenceOp(Ops ops) {
        super(ops, "ReverseSequence", 1);
    }

    @Override
    ReverseSequenceOp self() {
        return this;
    }

    /**
     * The axis of the sequences.
     *
     * @param batchAxis an int; default {@code 1}; {@code >= 0}; {@code < x.ndim}
     * @return this
     */
    public ReverseSequenceOp batchAxis(long batchAxis) {
        return param("batch_axis", Attribute.of(batchAxis));
    }

    /**
     * The axis of the elements of a sequence.
     *
     * @param timeAxis an int; default {@code 0}; {@code >= 0}; {@code < x.ndim}
     * @return this
     */
    public ReverseSequenceOp timeAxis(long timeAxis) {
        return param("time_axis", Attribute.of(timeAxis));
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
