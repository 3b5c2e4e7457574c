package org.clinfer.kernel;

import java.util.List;
import org.clinfer.describe.OpDescription;
import org.clinfer.expr.Scope;

/**
 * One use of an operator as kernels see it.
 *
 * @param scope inputs, parameters, scratch values and outputs by name
 * @param given for each input whether it is there
 * @param outputs number of outputs
 */
public record OperatorUse(Scope scope, List<Boolean> given, int outputs) {

    public OperatorUse {
        given = List.copyOf(given);
    }

    boolean hasInput(int position) {
        return position < given.size() && given.get(position);
    }

    /** The number of tensors of the variadic argument {@code name}. */
    int variadicCount(OpDescription op, String name) {
        for (int i = 0; i < op.inputs().size(); i++) {
            if (op.inputs().get(i).name().equals(name)) {
                return given.size() - i;
            }
        }
        for (int i = 0; i < op.outputs().size(); i++) {
            if (op.outputs().get(i).name().equals(name)) {
                return outputs - i;
            }
        }
        throw new IllegalArgumentException(op.optype() + " has no tensor '" + name + "' to repeat a launch for");
    }
}
