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

    /** A parameter by its name. */
    public NamedOp with(String param, Attribute value) {
        return param(param, value);
    }

    /** An input by its position, behind optional ones that are left out. */
    public NamedOp with(int position, Edge value) {
        return input(position, value);
    }

    /** The first output, which ends this use of the operator. */
    public Edge y() {
        return output(0);
    }

    /** The outputs, of which there are as many; ends this use of the operator. */
    public List<Edge> y(int count) {
        return outputs(0, count);
    }
}
