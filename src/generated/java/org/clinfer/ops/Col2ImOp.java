package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * The sum of columns, each of which holds a block of every channel, at the places from which they were taken; what
 * blocks have in common is added up.
 *
 * <p>One use of {@code Col2Im} while its optional fields are set; made by {@code Ops.col2Im}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class Col2ImOp extends OpBuilder<Col2ImOp> {

    Col2ImOp(Ops ops) {
        super(ops, "Col2Im", 1);
    }

    @Override
    Col2ImOp self() {
        return this;
    }

    /**
     * The parameter {@code dilations}.
     *
     * @param dilations a list of ints; default {@code fill(block_shape.len, 1)}; {@code block_shape.len} elements; each
     *     {@code >= 1}; each {@code < 1073741824}
     * @return this
     */
    public Col2ImOp dilations(long... dilations) {
        return param("dilations", Attribute.ofInts(dilations));
    }

    /**
     * All begins, then all ends.
     *
     * @param pads a list of ints; default {@code fill(2 * block_shape.len, 0)}; {@code 2 * block_shape.len} elements;
     *     each {@code >= 0}; each {@code < 1073741824}
     * @return this
     */
    public Col2ImOp pads(long... pads) {
        return param("pads", Attribute.ofInts(pads));
    }

    /**
     * The parameter {@code strides}.
     *
     * @param strides a list of ints; default {@code fill(block_shape.len, 1)}; {@code block_shape.len} elements; each
     *     {@code >= 1}; each {@code < 1073741824}
     * @return this
     */
    public Col2ImOp strides(long... strides) {
        return param("strides", Attribute.ofInts(strides));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code [x.dims[0], channels] + image}
     */
    public Edge y() {
        return output(0);
    }
}
