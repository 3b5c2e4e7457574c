package org.clinfer.describe;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.expr.Check;
import org.clinfer.expr.Scope;

/**
 * A way to run an abstract operator on OpenCL.
 *
 * @param inherits the abstract operator whose arguments and outputs it has
 * @param variant its short name; {@code ref} is the one tried last
 * @param inputs further rules for inputs of that operator, by their names
 * @param checks what has to hold for it to be used
 * @param source the file it comes from
 */
public record VariantDescription(
        String optype,
        String author,
        String inherits,
        String variant,
        List<InputDescription> inputs,
        List<Check> checks,
        List<PrivDescription> privs,
        List<LaunchDescription> run,
        String doc,
        String source) {

    public VariantDescription {
        inputs = List.copyOf(inputs);
        checks = List.copyOf(checks);
        privs = List.copyOf(privs);
        run = List.copyOf(run);
    }

    /**
     * Which of its rules for inputs and of its checks a node breaks; the checks are passed over where an input is wrong.
     *
     * @param op the abstract operator
     * @param scope the values of the node, its outputs, the scratch values of this variant and the device
     */
    public List<String> refusals(OpDescription op, Scope scope) {
        BindState state = new BindState(op, "", scope);
        InputBinder binder = new InputBinder(state);
        inputs.forEach(input -> binder.checkGiven(input, scope.find(input.name())));
        if (state.violations().isEmpty()) {
            checks.forEach(check -> state.check(check, ""));
        }
        List<String> refusals = new ArrayList<>();
        state.violations().forEach(violation -> refusals.add(violation.message()));
        refusals.addAll(state.undecided());
        return refusals;
    }

    /** Whether this is the reference, which is tried last. */
    public boolean isReference() {
        return variant.equals("ref");
    }
}
