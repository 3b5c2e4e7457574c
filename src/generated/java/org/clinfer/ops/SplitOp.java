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
     * <p>Types: any; optional; must be known when the run is planned.
     *
     * <p>Supplies the parameter {@code split}, and takes back what was given for it.
     */
    public SplitOp splitTensor(Edge splitTensor) {
        return supplier(1, splitTensor, "split");
    }

    /**
     * The parameter {@code axis}.
     *
     * <p>An int; default {@code 0}; {@code >= -x.ndim}; {@code < x.ndim}.
     */
    public SplitOp axis(long axis) {
        return param("axis", Attribute.of(axis));
    }

    /**
     * Size of each part; left out: equal parts, the last may be smaller.
     *
     * <p>A list of ints; default none; each {@code >= 0}; or the input {@code split_tensor}.
     *
     * <p>Takes back what was given for the input {@code split_tensor}.
     */
    public SplitOp split(long... split) {
        return param("split", Attribute.ofInts(split), 1);
    }

    /**
     * The parameter {@code num_outputs}.
     *
     * <p>An int; default {@code 1}; {@code >= 1}.
     */
    public SplitOp numOutputs(long numOutputs) {
        return param("num_outputs", Attribute.of(numOutputs));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * <p>Type: {@code x.dtype}; dims: {@code set(x.dims, cut, sizes[index])}.
     *
     * @param count how many there are
     */
    public List<Edge> y(int count) {
        return outputs(0, count);
    }
}
