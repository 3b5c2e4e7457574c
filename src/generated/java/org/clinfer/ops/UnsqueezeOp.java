package org.clinfer.ops;

import javax.annotation.processing.Generated;

/**
 * Inserts axes of size 1 at these places of the output.
 *
 * <p>One use of {@code Unsqueeze} while its optional fields are set; made by {@code Ops.unsqueeze}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class UnsqueezeOp extends OpBuilder<UnsqueezeOp> {

    UnsqueezeOp(Ops ops) {
        super(ops, "Unsqueeze", 1);
    }

    @Override
    UnsqueezeOp self() {
        return this;
    }

    /**
     * The input {@code axes}.
     *
     * <p>Supplies the parameter {@code axis}, and takes back what was given for it.
     *
     * @param axes types: any; optional; must be known when the run is planned
     * @return this
     */
    public UnsqueezeOp axes(Edge axes) {
        return supplier(1, axes, "axis");
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code map(range(y_ndim), i -> contains(inserted, i) ? 1 :
     *     x.dims[i - len(filter(inserted, v -> v < i))])}
     */
    public Edge y() {
        return output(0);
    }
}
