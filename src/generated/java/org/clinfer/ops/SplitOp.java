package org.clinfer.ops;

import java.util.List;
import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Cuts a tensor along one axis.
 *
 * <p>One use of {@code Split} while its optional fields are set; made by {@code Ops.split}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class SplitOp extends OpBuilder<SplitOp> {

    SplitOp(Ops ops) {
        super(ops, "Split", 0);
    }

    @Override
    SplitOp self() {
        return this;
    }

    /**
     * The input {@code split_tensor}.
     *
     * <p>Supplies the parameter {@code split}, and takes back what was given for it.
     *
     * @param splitTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public SplitOp splitTensor(Edge splitTensor) {
        return supplier(1, splitTensor, "split");
    }

    /**
     * The parameter {@code axis}.
     *
     * @param axis an int; default {@code 0}; {@code >= -x.ndim}; {@code < x.ndim}
     * @return this
     */
    public SplitOp axis(long axis) {
        return param("axis", Attribute.of(axis));
    }

    /**
     * Size of each part; left out: equal parts, the last may be smaller.
     *
     * <p>Takes back what was given for the input {@code split_tensor}.
     *
     * @param split a list of ints; default none; each {@code >= 0}; or the input {@code split_tensor}
     * @return this
     */
    public SplitOp split(long... split) {
        return param("split", Attribute.ofInts(split), 1);
    }

    /**
     * The parameter {@code num_outputs}.
     *
     * @param numOutputs an int; default {@code 1}; {@code >= 1}
     * @return this
     */
    public SplitOp numOutputs(long numOutputs) {
        return param("num_outputs", Attribute.of(numOutputs));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @param count how many there are
     * @return its values; type: {@code x.dtype}; dims: {@code set(x.dims, cut, sizes[index])}
     */
    public List<Edge> y(int count) {
        return outputs(0, count);
    }
}
