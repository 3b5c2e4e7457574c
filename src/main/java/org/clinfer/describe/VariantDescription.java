package org.clinfer.describe;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.clinfer.expr.Check;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;

/**
 * A way to run an abstract operator.
 *
 * @param inherits the abstract operator whose arguments and outputs it has
 * @param variant its short name; {@code ref} is the one tried last
 * @param deviceKind the kind of device it is meant for, as {@code device.kind} in expressions; empty for any
 * @param alternativeTo the variant from which it differs by a setting alone, for tuning to choose from; else empty
 * @param inputs further rules for inputs of that operator, by their names
 * @param checks what has to hold for it to be used
 * @param scratch tensors of its own
 * @param body what it does
 * @param source the file it comes from
 */
public record VariantDescription(
        String optype,
        String author,
        String inherits,
        String variant,
        Optional<String> deviceKind,
        String alternativeTo,
        List<InputDescription> inputs,
        List<Check> checks,
        List<PrivDescription> privs,
        List<ScratchDescription> scratch,
        Body body,
        String doc,
        String source) {

    /** The body of a variant; its kind is the description's {@code arch}. */
    public sealed interface Body {}

    /**
     * Kernel launches ({@code opencl}).
     *
     * @param staticRun once, after memory is planned: they read constants and fill static scratch tensors
     * @param run in every run; none where the output is the input's memory
     * @param postRun once, before the memory is given back
     */
    public record Launches(
            List<LaunchDescription> staticRun, List<LaunchDescription> run, List<LaunchDescription> postRun)
            implements Body {
        public Launches {
            staticRun = List.copyOf(staticRun);
            run = List.copyOf(run);
            postRun = List.copyOf(postRun);
        }
    }

    /** One rule per output ({@code cpu}). */
    public record Elements(List<ElementRule> run) implements Body {
        public Elements {
            run = List.copyOf(run);
        }
    }

    /** Other operators, in an order in which they can run ({@code graph}). */
    public record Parts(List<PartDescription> ops) implements Body {
        public Parts {
            ops = List.copyOf(ops);
        }
    }

    public VariantDescription {
        inputs = List.copyOf(inputs);
        checks = List.copyOf(checks);
        privs = List.copyOf(privs);
        scratch = List.copyOf(scratch);
    }

    /** The same with a scratch value of this name before its own. */
    VariantDescription with(String name, ExpressionValue.Int value) {
        return with(optype, variant, "", name, value);
    }

    /** An alternative with another value; what is counted stands in its names. */
    VariantDescription alternative(String name, ExpressionValue.Int value) {
        return with(optype + "_" + value.value(), variant + "_" + value.value(), variant, name, value);
    }

    private VariantDescription with(
            String newOptype, String newVariant, String other, String name, ExpressionValue.Int value) {
        List<PrivDescription> all = new ArrayList<>();
        all.add(new PrivDescription(PrivDescription.Type.INT, name, Expr.constant(value)));
        all.addAll(privs);
        return new VariantDescription(
                newOptype,
                author,
                inherits,
                newVariant,
                deviceKind,
                other,
                inputs,
                checks,
                all,
                scratch,
                body,
                doc,
                source);
    }

    /** The kernel launches of every run. */
    public List<LaunchDescription> run() {
        return body instanceof Launches launches ? launches.run() : List.of();
    }

    /** The kernel launches of all three phases. */
    public List<LaunchDescription> launches() {
        List<LaunchDescription> all = new ArrayList<>();
        if (body instanceof Launches launches) {
            all.addAll(launches.staticRun());
            all.addAll(launches.run());
            all.addAll(launches.postRun());
        }
        return all;
    }

    /**
     * The rules for inputs and the checks that a node breaks; the checks are passed over where an input is wrong.
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

    /** {@return whether what it does, or whether it is used, may depend on the elements of a constant} */
    public boolean readsElements() {
        return expressions().anyMatch(Expr::readsElements);
    }

    /** Tells whether what it does, or its use, depends on a fact of the device. */
    public boolean takesDevice(String fact) {
        return expressions().anyMatch(expression -> expression.takes("device", fact));
    }

    private Stream<Expr> expressions() {
        Stream<Expr> ofInputs = inputs.stream()
                .flatMap(input -> Stream.of(
                                input.ndim().stream(),
                                input.len().stream(),
                                input.checks().stream().map(Check::condition))
                        .flatMap(Function.identity()));
        Stream<Expr> ofScratch =
                scratch.stream().flatMap(tensor -> Stream.concat(Stream.of(tensor.dtype()), tensor.dims().stream()));
        return Stream.of(
                        ofInputs,
                        checks.stream().map(Check::condition),
                        privs.stream().map(PrivDescription::value),
                        ofScratch,
                        launches().stream().flatMap(LaunchDescription::expressions))
                .flatMap(Function.identity());
    }

    /** The values of a node and the scratch values of this variant. */
    public Scope scope(Scope node) {
        Scope scope = node;
        for (PrivDescription priv : privs) {
            scope = scope.with(priv.name(), priv.value().evaluate(scope));
        }
        return scope;
    }

    /** {@return whether this is the reference, which is tried last} */
    public boolean isReference() {
        return variant.equals("ref");
    }
}
