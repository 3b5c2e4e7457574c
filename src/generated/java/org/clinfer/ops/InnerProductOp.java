package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Fully connected layer: every image of [batch, in_channels, in_height, in_width], flattened in this order, times
 * weights [out_channels, in_channels * in_height * in_width] or [out_channels, in_channels, in_height, in_width] (OpLib
 * 3.6). Integers are summed exactly in 64 bits and saturate to their type; float16 and bfloat16 are summed in float32
 * and rounded once.
 *
 * <p>One use of {@code InnerProduct} while its optional fields are set; made by {@code Ops.innerProduct}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class InnerProductOp extends OpBuilder<InnerProductOp> {

    InnerProductOp(Ops ops) {
        super(ops, "InnerProduct", 1);
    }

    @Override
    InnerProductOp self() {
        return this;
    }

    /**
     * The input {@code bias}.
     *
     * @param bias types: type of {@code x}; optional; 1 dimension; {@code weights.dims[0]} elements
     * @return this
     */
    public InnerProductOp bias(Edge bias) {
        return input(2, bias);
    }

    /**
     * The parameter {@code bias_term}.
     *
     * @param biasTerm a bool; default {@code has(bias)}; {@code bias_term == has(bias)} (bias_term says whether a bias
     *     tensor is given)
     * @return this
     */
    public InnerProductOp biasTerm(boolean biasTerm) {
        return param("bias_term", Attribute.of(biasTerm));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code [m, n, 1, 1]}
     */
    public Edge y() {
        return output(0);
    }
}
