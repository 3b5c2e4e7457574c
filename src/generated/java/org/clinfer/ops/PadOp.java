package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Pads each axis; CONSTANT, REFLECT, SYMMETRIC, EDGE and WRAP as numpy's pad; negative widths cut (OpLib 3.10). Where
 * borders of several axes cross, the constant of the last of these axes stands. A constant is rounded to a floating
 * data type, and truncated and saturated to an integer one; any but 0 is true.
 *
 * <p>One use of {@code Pad} while its optional fields are set; made by {@code Ops.pad}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class PadOp extends OpBuilder<PadOp> {

    /**
     * The values of {@code Mode} of {@code Pad}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum Mode {
        /** The spelling {@code CONSTANT}. */
        CONSTANT,
        /** The spelling {@code REFLECT}. */
        REFLECT,
        /** The spelling {@code SYMMETRIC}. */
        SYMMETRIC,
        /** The spelling {@code EDGE}. */
        EDGE,
        /** The spelling {@code WRAP}. */
        WRAP
    }

    PadOp(Ops ops) {
        super(ops, "Pad", 1);
    }

    @Override
    PadOp self() {
        return this;
    }

    /**
     * The input {@code pads_tensor}.
     *
     * <p>Supplies the parameter {@code pads}, and takes back what was given for it.
     *
     * @param padsTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public PadOp padsTensor(Edge padsTensor) {
        return supplier(1, padsTensor, "pads");
    }

    /**
     * The input {@code value_tensor}.
     *
     * <p>Supplies the parameter {@code constant_value}, and takes back what was given for it.
     *
     * @param valueTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public PadOp valueTensor(Edge valueTensor) {
        return supplier(2, valueTensor, "constant_value");
    }

    /**
     * The input {@code axes_tensor}.
     *
     * <p>Supplies the parameter {@code axes}, and takes back what was given for it.
     *
     * @param axesTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public PadOp axesTensor(Edge axesTensor) {
        return supplier(3, axesTensor, "axes");
    }

    /**
     * The parameter {@code mode}.
     *
     * @param mode a string; default {@code 'CONSTANT'}; one of {@code CONSTANT}, {@code REFLECT}, {@code SYMMETRIC},
     *     {@code EDGE}, {@code WRAP}
     * @return this
     */
    public PadOp mode(Mode mode) {
        return param("mode", Attribute.of(mode.toString()));
    }

    /**
     * [before, after] per axis, flattened.
     *
     * @param padWith a list of ints; default none; {@code 2 * x.ndim} elements
     * @return this
     */
    public PadOp padWith(long... padWith) {
        return param("pad_with", Attribute.ofInts(padWith));
    }

    /**
     * All before, then all after, of {@code axes}; instead of pad_with.
     *
     * <p>Takes back what was given for the input {@code pads_tensor}.
     *
     * @param pads a list of ints; default none; or the input {@code pads_tensor}
     * @return this
     */
    public PadOp pads(long... pads) {
        return param("pads", Attribute.ofInts(pads), 1);
    }

    /**
     * The parameter {@code axes}.
     *
     * <p>Takes back what was given for the input {@code axes_tensor}.
     *
     * @param axes a list of ints; default {@code range(x.ndim)}; each {@code >= -x.ndim}; each {@code < x.ndim}; or the
     *     input {@code axes_tensor}; {@code all(axes, a -> len(filter(axes, b -> mod(a, x.ndim) == mod(b, x.ndim))) ==
     *     1)} (an axis is given twice)
     * @return this
     */
    public PadOp axes(long... axes) {
        return param("axes", Attribute.ofInts(axes), 3);
    }

    /**
     * For all axes and sides; left out: 0.
     *
     * <p>Takes back what was given for the input {@code value_tensor}.
     *
     * @param constantValue a number; default none; or the input {@code value_tensor}
     * @return this
     */
    public PadOp constantValue(double constantValue) {
        return param("constant_value", Attribute.of(constantValue), 2);
    }

    /**
     * One value per axis and side, flattened; instead of constant_value.
     *
     * @param constantValues a list of numbers; default {@code fill(2 * x.ndim, has(constant_value) ? constant_value :
     *     0.0)}; {@code 2 * x.ndim} elements; {@code !has(constant_value) || all(constant_values, v -> v ==
     *     constant_value || v != v && constant_value != constant_value)} (constant_value and constant_values exclude
     *     each other)
     * @return this
     */
    public PadOp constantValues(double... constantValues) {
        return param("constant_values", Attribute.ofReals(constantValues));
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
