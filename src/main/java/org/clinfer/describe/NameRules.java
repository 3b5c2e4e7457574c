package org.clinfer.describe;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.clinfer.expr.Check;
import org.clinfer.expr.Expr;

/** Verifies that a description uses only names declared before the place of use, and declares none twice. */
final class NameRules {

    /** Names bound by Clinfer itself; a description may not declare them. */
    private static final Set<String> RESERVED = Set.of("index", "at", "device", "output_count");

    private final String subject;
    private final Set<String> visible = new LinkedHashSet<>();

    private NameRules(String subject) {
        this.subject = subject;
    }

    static void verify(OpDescription op) {
        NameRules rules = new NameRules(op.source() + ": " + op.optype());
        rules.inputs(op);
        rules.visible.add("output_count");
        for (ParamDescription param : op.params()) {
            rules.param(op, param);
        }
        rules.privs(op.privs());
        rules.checks(op.checks());
        rules.outputs(op);
        rules.owners(op);
        rules.promises(op);
        rules.elements(op);
    }

    static void verify(VariantDescription variant, OpDescription op) {
        NameRules rules = new NameRules(variant.source() + ": " + variant.optype());
        rules.visible.addAll(List.of("device", "output_count"));
        op.inputs().forEach(input -> rules.visible.add(input.name()));
        op.params().forEach(param -> rules.visible.add(param.name()));
        op.privs().forEach(priv -> rules.visible.add(priv.name()));
        op.outputs().forEach(output -> rules.visible.add(output.name()));
        rules.inputRules(variant, op);
        rules.privs(variant.privs());
        rules.scratch(variant);
        rules.checks(variant.checks());
        for (LaunchDescription launch : variant.launches()) {
            rules.launch(launch, op);
        }
        if (variant.body() instanceof VariantDescription.Launches launches) {
            rules.results(launches, op);
        } else if (variant.body() instanceof VariantDescription.Elements elements) {
            rules.elements(elements, op);
        } else if (variant.body() instanceof VariantDescription.Parts parts) {
            rules.parts(parts, op);
        }
    }

    private void inputs(OpDescription op) {
        for (int i = 0; i < op.inputs().size(); i++) {
            InputDescription input = op.inputs().get(i);
            requireEarlier(input.sameType(), input.name() + ": sametype");
            requireEarlier(input.sameShape(), input.name() + ": sameshape");
            declare(input.name());
            uses(input.ndim());
            uses(input.len());
            checks(input.checks());
            if (input.variadic() && i != op.inputs().size() - 1) {
                throw failure(input.name() + ": only the last input can be variadic");
            }
        }
    }

    /** Further rules name an input of the abstract operator, each once, and may use all names but scratch values. */
    private void inputRules(VariantDescription variant, OpDescription op) {
        Set<String> named = new LinkedHashSet<>();
        for (InputDescription input : variant.inputs()) {
            if (op.input(input.name()).isEmpty()) {
                throw failure("tensors_in names '" + input.name() + "', which is not an input of " + op.optype());
            }
            if (!named.add(input.name())) {
                throw failure("tensors_in names '" + input.name() + "' twice");
            }
            requireEarlier(input.sameType(), input.name() + ": sametype");
            requireEarlier(input.sameShape(), input.name() + ": sameshape");
            uses(input.ndim());
            uses(input.len());
            checks(input.checks());
        }
    }

    private void scratch(VariantDescription variant) {
        if (!variant.scratch().isEmpty() && !(variant.body() instanceof VariantDescription.Launches)) {
            throw failure("tensors_out: only kernels have tensors of their own");
        }
        for (ScratchDescription scratch : variant.scratch()) {
            uses(scratch.dtype());
            scratch.dims().forEach(this::uses);
            declare(scratch.name());
        }
    }

    /** Every output has one rule. */
    private void elements(VariantDescription.Elements elements, OpDescription op) {
        Set<String> computed = new LinkedHashSet<>();
        visible.add("at");
        for (ElementRule rule : elements.run()) {
            uses(rule.value());
            boolean known = op.output(rule.output())
                    .filter(output -> !output.variadic())
                    .isPresent();
            if (!known || !computed.add(rule.output())) {
                throw failure("run: '" + rule.output()
                        + (known ? "' has two rules" : "' is not an output, or a variadic one, of " + op.optype()));
            }
        }
        for (OutputDescription output : op.outputs()) {
            if (!computed.contains(output.name())) {
                throw failure("run: there is no rule for the output '" + output.name() + "'");
            }
        }
    }

    /** Every part takes tensors that are there before it, and every output is given once. */
    private void parts(VariantDescription.Parts parts, OpDescription op) {
        Set<String> tensors = new LinkedHashSet<>();
        op.inputs().forEach(input -> tensors.add(input.name()));
        Set<String> given = new LinkedHashSet<>();
        for (PartDescription part : parts.ops()) {
            part.params().values().forEach(this::uses);
            part.when().ifPresent(this::uses);
            if (part.when().isPresent()
                    && (part.inputs().isEmpty() || part.outputs().size() != 1)) {
                throw failure("ops: " + part.name() + ": a part with 'when' has an input and one output");
            }
            for (PartDescription.Tensor input : part.inputs()) {
                if (!tensors.contains(input.tensor())) {
                    throw failure("ops: " + part.name() + ": there is no tensor '" + input.tensor() + "' before it");
                }
            }
            for (PartDescription.Tensor output : part.outputs()) {
                if (!tensors.add(output.tensor())) {
                    throw failure("ops: " + part.name() + ": the tensor '" + output.tensor() + "' is there already");
                }
                given.add(output.tensor());
            }
        }
        for (OutputDescription output : op.outputs()) {
            if (!given.contains(output.name()) || output.variadic()) {
                throw failure("ops: no part gives the output '" + output.name() + "'");
            }
        }
    }

    /** Without launches only an output with an owner has contents. */
    private void results(VariantDescription.Launches launches, OpDescription op) {
        for (OutputDescription output : op.outputs()) {
            if (launches.run().isEmpty() && output.owner().isEmpty() && !output.optional()) {
                throw failure("run: nothing is launched for the output '" + output.name()
                        + "', which has no owner whose memory it could be");
            }
        }
    }

    /** A promised border is a parameter or scratch value of the operator. */
    private void promises(OpDescription op) {
        for (InputDescription input : op.inputs()) {
            String border = input.zeroBorder();
            boolean isKnown = op.param(border).isPresent()
                    || op.privs().stream().anyMatch(priv -> priv.name().equals(border));
            if (!border.isEmpty() && !isKnown) {
                throw failure(input.name() + ": zero_border names '" + border
                        + "', which is neither a parameter nor a scratch value");
            }
        }
    }

    /** The owner of a tensor is on the other side of the operator; only a move needs to know where in it. */
    private void owners(OpDescription op) {
        List<String> owned = new ArrayList<>();
        for (InputDescription input : op.inputs()) {
            if (!input.owner().isEmpty()) {
                owned.add(input.name());
                OutputDescription owner = op.output(input.owner())
                        .orElseThrow(() -> failure(
                                input.name() + ": owner names '" + input.owner() + "', which is not an output"));
                requireOne(input.name(), owner.name(), owner.variadic());
                if (op.calcOffset().isEmpty()) {
                    throw failure(input.name() + ": an input with an owner needs calc_offset");
                }
            }
        }
        op.outputs().stream().filter(output -> !output.owner().isEmpty()).forEach(output -> owned.add(output.name()));
        if (op.calcOffset().isPresent() && owned.size() != 1) {
            throw failure(
                    owned.isEmpty()
                            ? "calc_offset is there, but no tensor with an owner"
                            : "calc_offset is for one argument with an owner, found " + String.join(", ", owned));
        }
        visible.add("index");
        uses(op.calcOffset());
        visible.remove("index");
        uses(op.multiplyAdds());
    }

    private void requireOne(String name, String owner, boolean variadic) {
        if (variadic) {
            throw failure(name + ": owner names '" + owner + "', which stands for several tensors");
        }
    }

    /** Facts about elements need one output. */
    private void elements(OpDescription op) {
        boolean hasOne = op.outputs().size() == 1 && !op.outputs().get(0).variadic();
        if (op.elementwise() && (!hasOne || op.inputs().stream().allMatch(InputDescription::value))) {
            throw failure("elementwise: expected an input with elements and one output");
        }
        if (op.moves() && (op.outputs().size() != 1 || op.moved().isEmpty())) {
            throw failure("moves: expected one output, whose dtype is that of an input");
        }
    }

    private void requireEarlier(String name, String place) {
        if (!name.isEmpty() && !visible.contains(name)) {
            throw failure(place + " names '" + name + "', which is not an input before it");
        }
    }

    private void param(OpDescription op, ParamDescription param) {
        uses(param.byDefault());
        param.fromFunc().ifPresent(function -> {
            boolean hidden = !visible.add("value");
            uses(function);
            if (!hidden) {
                visible.remove("value");
            }
        });
        declare(param.name());
        uses(param.len());
        param.bounds().forEach(bound -> uses(bound.limit()));
        checks(param.checks());
        if (!param.fromInput().isEmpty()
                && op.input(param.fromInput()).filter(InputDescription::value).isEmpty()) {
            throw failure(param.name() + ": from_input names '" + param.fromInput()
                    + "', which is not an input with \"value\": true");
        }
    }

    private void privs(List<PrivDescription> privs) {
        for (PrivDescription priv : privs) {
            uses(priv.value());
            declare(priv.name());
        }
    }

    private void checks(List<Check> checks) {
        checks.forEach(check -> uses(check.condition()));
    }

    private void outputs(OpDescription op) {
        for (int i = 0; i < op.outputs().size(); i++) {
            OutputDescription output = op.outputs().get(i);
            if (output.variadic()) {
                visible.add("index");
            }
            uses(output.dtype());
            output.dims().forEach(this::uses);
            uses(output.ndim());
            uses(output.len());
            visible.remove("index");
            declare(output.name());
            checks(output.checks());
            if (output.variadic() && i != op.outputs().size() - 1) {
                throw failure(output.name() + ": only the last output can be variadic");
            }
            if (!output.owner().isEmpty()) {
                InputDescription owner = op.input(output.owner())
                        .orElseThrow(() -> failure(
                                output.name() + ": owner names '" + output.owner() + "', which is not an input"));
                requireOne(output.name(), owner.name(), owner.variadic());
            }
        }
    }

    private void launch(LaunchDescription launch, OpDescription op) {
        boolean variadic = op.input(launch.each())
                        .filter(InputDescription::variadic)
                        .isPresent()
                || op.output(launch.each()).filter(OutputDescription::variadic).isPresent();
        if (!launch.each().isEmpty() && !variadic) {
            throw failure(
                    "run: each names '" + launch.each() + "', which is not a variadic argument of " + op.optype());
        }
        if (variadic) {
            visible.add("index");
        }
        launch.build().values().forEach(this::uses);
        launch.args().values().forEach(this::uses);
        launch.global().forEach(this::uses);
        launch.local().forEach(this::uses);
        uses(launch.when());
        visible.remove("index");
    }

    private void declare(String name) {
        if (RESERVED.contains(name)) {
            throw failure("the name '" + name + "' is reserved");
        }
        if (!visible.add(name)) {
            throw failure("the name '" + name + "' is declared twice");
        }
    }

    private void uses(Optional<Expr> expression) {
        expression.ifPresent(this::uses);
    }

    private void uses(Expr expression) {
        for (String name : expression.names()) {
            if (!visible.contains(name)) {
                throw new DescriptionException(expression.where() + ": unknown name '" + name + "' in: "
                        + expression.source() + "; known here are " + String.join(", ", visible));
            }
        }
    }

    private DescriptionException failure(String reason) {
        return new DescriptionException(subject + ": " + reason);
    }
}
