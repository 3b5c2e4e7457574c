package org.clinfer.ops;

import java.util.List;
import org.clinfer.graph.Attribute;

/** One use of an operator that has no method of {@link Ops}, while its parameters are set; made by {@link Ops#op}. */
public final class NamedOp extends OpBuilder<NamedOp> {

    NamedOp(Ops ops, String op, int neededOutputs) {
        super(ops, op, neededOutputs);
    }

    @Override
    NamedOp self() {
        return this;
    }

    /**
     * Sets a parameter by its name.
     *
     * @param param the name in the operator's description
     * @param value its value
     * @return this
     */
    public NamedOp with(String param, Attribute value) {
        return param(param, value);
    }

    /**
     * Gives an input by its position, behind optional ones that are left out.
     *
     * @param position in the order of the description, counted from 0
     * @param value the value
     * @return this
     */
    public NamedOp with(int position, Edge value) {
        return input(position, value);
    }

    /** {@return the first output, which ends this use of the operator} */
    public Edge y() {
        return output(0);
    }

    /**
     * {@return the outputs, of which there are as many; ends this use of the operator}
     *
     * @param count how many outputs there are
     */
    public List<Edge> y(int count) {
        return outputs(0, count);
    }
}
