package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * A strided box of the input.
 *
 * <p>One use of {@code Slice} while its optional fields are set; made by {@code Ops.slice}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class SliceOp extends OpBuilder<SliceOp> {

    SliceOp(Ops ops) {
        super(ops, "Slice", 1);
    }

    @Override
    SliceOp self() {
        return this;
    }

    /**
     * The input {@code starts_tensor}.
     *
     * <p>Supplies the parameter {@code starts}, and takes back what was given for it.
     *
     * @param startsTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public SliceOp startsTensor(Edge startsTensor) {
        return supplier(1, startsTensor, "starts");
    }

    /**
     * The input {@code ends_tensor}.
     *
     * <p>Supplies the parameter {@code ends}, and takes back what was given for it.
     *
     * @param endsTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public SliceOp endsTensor(Edge endsTensor) {
        return supplier(2, endsTensor, "ends");
    }

    /**
     * The input {@code axes_tensor}.
     *
     * <p>Supplies the parameter {@code axes}, and takes back what was given for it.
     *
     * @param axesTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public SliceOp axesTensor(Edge axesTensor) {
        return supplier(3, axesTensor, "axes");
    }

    /**
     * The input {@code steps_tensor}.
     *
     * <p>Supplies the parameter {@code steps}, and takes back what was given for it.
     *
     * @param stepsTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public SliceOp stepsTensor(Edge stepsTensor) {
        return supplier(4, stepsTensor, "steps");
    }

    /**
     * The parameter {@code axes}.
     *
     * <p>Takes back what was given for the input {@code axes_tensor}.
     *
     * @param axes a list of ints; default {@code range(len(starts))}; {@code len(starts)} elements; each {@code >=
     *     -x.ndim}; each {@code < x.ndim}; or the input {@code axes_tensor}; {@code all(axes, a -> len(filter(axes, b
     *     -> mod(a, x.ndim) == mod(b, x.ndim))) == 1)} (an axis is given twice)
     * @return this
     */
    public SliceOp axes(long... axes) {
        return param("axes", Attribute.ofInts(axes), 3);
    }

    /**
     * The parameter {@code steps}.
     *
     * <p>Takes back what was given for the input {@code steps_tensor}.
     *
     * @param steps a list of ints; default {@code fill(len(starts), 1)}; {@code len(starts)} elements; each {@code !=
     *     0}; or the input {@code steps_tensor}
     * @return this
     */
    public SliceOp steps(long... steps) {
        return param("steps", Attribute.ofInts(steps), 4);
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code y_dims}
     */
    public Edge y() {
        return output(0);
    }
}
