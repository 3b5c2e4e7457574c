package org.clinfer.describe;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ValueType;

/**
 * Verifies that a description uses only names declared before the place of use, as their types allow, and declares none
 * twice.
 */
final class NameRules {

    private static final String INDEX = "index";
    private static final ValueType INT_OR_NULL = ValueType.INT.or(ValueType.NULL);
    /** The element of a tensor. */
    private static final ValueType ELEMENT = ValueType.NUMBER.or(ValueType.BOOL);
    /** The value of a macro. */
    private static final ValueType MACRO = ELEMENT.or(ValueType.STRING);

    private final DeclaredNames names;

    private NameRules(String subject, Mistakes mistakes) {
        this.names = new DeclaredNames(subject, mistakes);
    }

    /**
     * Adds what is wrong with an operator: of its declarations the first, of its expressions all.
     *
     * @return whether all declarations are right, without which nothing can be said of its variants
     */
    static boolean verify(OpDescription op, Mistakes mistakes) {
        try {
            new NameRules(op.source() + ": " + op.optype(), mistakes).operator(op);
            return true;
        } catch (DescriptionException wrong) {
            mistakes.add(wrong);
            return false;
        }
    }

    /** Adds what is wrong with a variant: of its declarations the first, of its expressions all. */
    static void verify(VariantDescription variant, OpDescription op, Mistakes mistakes) {
        NameRules rules = new NameRules(variant.source() + ": " + variant.optype(), mistakes);
        mistakes.collect(() -> rules.variant(variant, op));
    }

    private void operator(OpDescription op) {
        inputs(op);
        names.show("output_count", ValueType.INT);
        for (ParamDescription param : op.params()) {
            param(op, param);
        }
        privs(op.privs());
        names.check(op.checks());
        outputs(op);
        owners(op);
        promises(op);
        elements(op);
    }

    private void variant(VariantDescription variant, OpDescription op) {
        NameTypes.ofVariants(op).forEach(names::show);
        inputRules(variant, op);
        privs(variant.privs());
        scratch(variant);
        names.check(variant.checks());
        for (LaunchDescription launch : variant.launches()) {
            launch(launch, op);
        }
        if (variant.body() instanceof VariantDescription.Launches launches) {
            results(launches, op);
        } else if (variant.body() instanceof VariantDescription.Elements elements) {
            elements(elements, op);
        } else if (variant.body() instanceof VariantDescription.Parts parts) {
            parts(parts, op);
        }
    }

    private void inputs(OpDescription op) {
        for (int i = 0; i < op.inputs().size(); i++) {
            InputDescription input = op.inputs().get(i);
            requireEarlier(input.sameType(), input.name() + ": sametype");
            requireEarlier(input.sameShape(), input.name() + ": sameshape");
            names.declare(input.name(), NameTypes.of(input));
            counts(input);
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
            counts(input);
        }
    }

    private void counts(InputDescription input) {
        names.use(input.ndim(), ValueType.INT);
        names.use(input.len(), ValueType.INT);
        names.check(input.checks());
    }

    private void scratch(VariantDescription variant) {
        if (!variant.scratch().isEmpty() && !(variant.body() instanceof VariantDescription.Launches)) {
            throw failure("tensors_out: only kernels have tensors of their own");
        }
        for (ScratchDescription scratch : variant.scratch()) {
            names.use(scratch.dtype(), ValueType.STRING);
            ValueType size = scratch.dimsAreList() ? NameTypes.SIZES.or(ValueType.INT) : ValueType.INT;
            scratch.dims().forEach(dim -> names.use(dim, size));
            names.declare(scratch.name(), ValueType.TENSOR);
        }
    }

    /** Every output has one rule. */
    private void elements(VariantDescription.Elements elements, OpDescription op) {
        Set<String> computed = new LinkedHashSet<>();
        names.show("at", NameTypes.SIZES);
        for (ElementRule rule : elements.run()) {
            names.use(rule.value(), ELEMENT);
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
            part.params().values().forEach(value -> names.use(value, ValueType.ANY));
            names.use(part.when(), ValueType.BOOL);
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
        names.showWithin(INDEX, ValueType.INT, () -> names.use(op.calcOffset(), INT_OR_NULL));
        names.use(op.multiplyAdds(), ValueType.NUMBER);
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
        if (!name.isEmpty() && !names.has(name)) {
            throw failure(place + " names '" + name + "', which is not an input before it");
        }
    }

    private void param(OpDescription op, ParamDescription param) {
        names.use(param.byDefault(), NameTypes.ofDefault(param));
        names.showWithin("value", ValueType.STRING, () -> names.use(param.fromFunc(), ValueType.NUMBER));
        names.declare(param.name(), NameTypes.of(param));
        names.use(param.len(), INT_OR_NULL);
        ValueType limit = ValueType.NUMBER.or(ValueType.NULL);
        ValueType limits = param.type().isArray() ? limit.or(ValueType.listOf(ValueType.NUMBER)) : limit;
        param.bounds().forEach(bound -> names.use(bound.limit(), limits));
        names.check(param.checks());
        if (!param.fromInput().isEmpty()
                && op.input(param.fromInput()).filter(InputDescription::value).isEmpty()) {
            throw failure(param.name() + ": from_input names '" + param.fromInput()
                    + "', which is not an input with \"value\": true");
        }
    }

    private void privs(List<PrivDescription> privs) {
        for (PrivDescription priv : privs) {
            names.use(priv.value(), NameTypes.expected(priv.type()));
            names.declare(priv.name(), NameTypes.of(priv, names.types()));
        }
    }

    private void outputs(OpDescription op) {
        for (int i = 0; i < op.outputs().size(); i++) {
            OutputDescription output = op.outputs().get(i);
            if (output.variadic()) {
                names.showWithin(INDEX, ValueType.INT, () -> type(output));
            } else {
                type(output);
            }
            names.declare(output.name(), NameTypes.of(output));
            names.check(output.checks());
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

    private void type(OutputDescription output) {
        names.use(output.dtype(), ValueType.STRING);
        dims(output.dims(), output.dimsAreList());
        names.use(output.ndim(), ValueType.INT);
        names.use(output.len(), ValueType.INT);
    }

    private void dims(List<Expr> dims, boolean areList) {
        dims.forEach(dim -> names.use(dim, areList ? NameTypes.SIZES : ValueType.INT));
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
            names.showWithin(
                    launch.each(),
                    ValueType.TENSOR,
                    () -> names.showWithin(INDEX, ValueType.INT, () -> launch(launch)));
        } else {
            launch(launch);
        }
    }

    /** The types of arguments are those of the kernel's parameters, which are known elsewhere. */
    private void launch(LaunchDescription launch) {
        launch.build().values().forEach(value -> names.use(value, MACRO));
        launch.args().values().forEach(value -> names.use(value, ValueType.ANY));
        launch.global().forEach(size -> names.use(size, ValueType.INT));
        launch.local().forEach(size -> names.use(size, ValueType.INT));
        names.use(launch.when(), ValueType.BOOL);
    }

    private DescriptionException failure(String reason) {
        return names.failure(reason);
    }
}
