package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * A copy of data with slices replaced: each row of indices names the slice by one number for each of the first axes of
 * data; negative ones count from the end.
 *
 * <p>One use of {@code ScatterND} while its optional fields are set; made by {@code Ops.scatterND}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ScatterNDOp extends OpBuilder<ScatterNDOp> {

    ScatterNDOp(Ops ops) {
        super(ops, "ScatterND", 1);
    }

    @Override
    ScatterNDOp self() {
        return this;
    }

    /**
     * How an update meets the element that is there; none replaces it, and of several the last counts.
     *
     * @param reduction a string; default {@code 'none'}; one of {@code none}, {@code add}, {@code mul}, {@code max},
     *     {@code min}
     * @return this
     */
    public ScatterNDOp reduction(Reduction reduction) {
        return param("reduction", Attribute.of(reduction.toString()));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code data.dtype}; dims: {@code data.dims}
     */
    public Edge y() {
        return output(0);
    }
}
