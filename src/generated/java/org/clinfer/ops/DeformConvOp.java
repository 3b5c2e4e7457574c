package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * A convolution whose taps each have an offset of their own at every place of the output, and perhaps a weight there
 * (deformable convolution v1 and v2). Between pixels it interpolates; outside is 0.
 *
 * <p>One use of {@code DeformConv} while its optional fields are set; made by {@code Ops.deformConv}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class DeformConvOp extends OpBuilder<DeformConvOp> {

    DeformConvOp(Ops ops) {
        super(ops, "DeformConv", 1);
    }

    @Override
    DeformConvOp self() {
        return this;
    }

    /**
     * The input {@code bias}.
     *
     * @param bias types: type of {@code x}; optional
     * @return this
     */
    public DeformConvOp bias(Edge bias) {
        return input(3, bias);
    }

    /**
     * Batch x (offset_group * taps) x places.
     *
     * @param mask types: type of {@code x}; optional
     * @return this
     */
    public DeformConvOp mask(Edge mask) {
        return input(4, mask);
    }

    /**
     * The parameter {@code dilations}.
     *
     * @param dilations a list of ints; default {@code [1, 1]}; 2 elements; each {@code >= 1}; each {@code < 1073741824}
     * @return this
     */
    public DeformConvOp dilations(long... dilations) {
        return param("dilations", Attribute.ofInts(dilations));
    }

    /**
     * The parameter {@code group}.
     *
     * @param group an int; default {@code 1}; {@code >= 1}
     * @return this
     */
    public DeformConvOp group(long group) {
        return param("group", Attribute.of(group));
    }

    /**
     * The parameter {@code kernel_shape}.
     *
     * @param kernelShape a list of ints; default {@code [weights.dims[2], weights.dims[3]]}; 2 elements; each {@code >=
     *     1}
     * @return this
     */
    public DeformConvOp kernelShape(long... kernelShape) {
        return param("kernel_shape", Attribute.ofInts(kernelShape));
    }

    /**
     * The parameter {@code offset_group}.
     *
     * @param offsetGroup an int; default {@code 1}; {@code >= 1}
     * @return this
     */
    public DeformConvOp offsetGroup(long offsetGroup) {
        return param("offset_group", Attribute.of(offsetGroup));
    }

    /**
     * Top, left, bottom, right.
     *
     * @param pads a list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code <
     *     1073741824}
     * @return this
     */
    public DeformConvOp pads(long... pads) {
        return param("pads", Attribute.ofInts(pads));
    }

    /**
     * The parameter {@code strides}.
     *
     * @param strides a list of ints; default {@code [1, 1]}; 2 elements; each {@code >= 1}; each {@code < 1073741824}
     * @return this
     */
    public DeformConvOp strides(long... strides) {
        return param("strides", Attribute.ofInts(strides));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code [x.dims[0], weights.dims[0]] + out_size}
     */
    public Edge y() {
        return output(0);
    }
}
