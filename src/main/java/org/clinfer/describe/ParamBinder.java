package org.clinfer.describe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/** Binds the parameters of a node: from an input, as given, or by default; then checks them. */
final class ParamBinder {

    private static final Expr DATA = Expr.parse("t.data", "");

    private static final Map<Bound.Relation, Expr> COMPARISONS = Arrays.stream(Bound.Relation.values())
            .collect(Collectors.toUnmodifiableMap(r -> r, r -> Expr.parse("v " + r.symbol() + " limit", "")));

    /** Elements of one parameter that are reported to break one bound. */
    private static final int MOST_VIOLATIONS = 16;

    private final BindState state;

    ParamBinder(BindState state) {
        this.state = state;
    }

    void bind(Map<String, ExpressionValue> given) {
        List<ParamDescription> declared = state.op().params();
        given.forEach((name, value) -> {
            if (!value.isAbsent() && state.op().param(name).isEmpty()) {
                String known = declared.stream().map(ParamDescription::name).collect(Collectors.joining(", "));
                String expected = known.isEmpty() ? "no parameters" : "one of the parameters " + known;
                state.violate(name, "expected " + expected + ", found an undeclared one, " + value);
            }
        });
        for (ParamDescription param : declared) {
            Optional<ExpressionValue> value =
                    valueOf(param, given.getOrDefault(param.name(), ExpressionValue.absent()));
            Optional<ExpressionValue> converted = value.flatMap(raw -> converted(param, raw));
            state.define(param.name(), converted.orElse(ExpressionValue.absent()));
            if (converted.isEmpty()) {
                state.markBroken(param.name());
            } else if (!converted.get().isAbsent()) {
                mapped(param, converted.get()).ifPresent(mapped -> {
                    state.define(param.name(), mapped);
                    check(param, mapped);
                });
            }
        }
    }

    private Optional<ExpressionValue> valueOf(ParamDescription param, ExpressionValue given) {
        ExpressionValue supplier = state.value(param.fromInput()).orElse(ExpressionValue.absent());
        if (supplier instanceof ExpressionValue.TensorArg tensor) {
            if (!given.isAbsent()) {
                state.violate(
                        param.name(),
                        "expected it either as a parameter or as the input " + param.fromInput() + ", found both");
                return Optional.empty();
            }
            return fromInput(param, tensor);
        }
        if (!given.isAbsent()) {
            return Optional.of(given);
        }
        if (param.byDefault().isPresent()) {
            return state.evaluate(param.byDefault().get(), param.name());
        }
        if (param.type() == ParamType.LN_PARAM_NULL) {
            return Optional.of(ExpressionValue.absent());
        }
        state.violate(param.name(), "expected " + param.expected() + ", found none");
        return Optional.empty();
    }

    /** The elements of an input: one of them for a scalar, where a bool is a number too, all of a 1-D tensor for an array. */
    private Optional<ExpressionValue> fromInput(ParamDescription param, ExpressionValue.TensorArg tensor) {
        Shape shape = tensor.type().shape();
        boolean array = param.type().isArray();
        boolean fits = array ? shape.rank() == 1 : !shape.isKnown() || shape.elements() == 1;
        if (!fits) {
            state.violate(
                    param.fromInput(),
                    "expected " + (array ? "a 1-D tensor" : "one element") + " for the parameter " + param.name()
                            + ", found " + tensor.type());
            return Optional.empty();
        }
        if (tensor.sizes() != null) {
            return Optional.of(
                    array
                            ? ExpressionValue.list(tensor.sizes())
                            : tensor.sizes().get(0));
        }
        if (tensor.data() == null) {
            return Optional.of(array ? unknownElements(shape.dim(0)) : ExpressionValue.unknown());
        }
        ExpressionValue data = DATA.evaluate(Scope.empty().with("t", tensor));
        if (array) {
            return Optional.of(data);
        }
        ExpressionValue element = ((ExpressionValue.ListOf) data).elements().get(0);
        boolean isCount = param.type() == ParamType.LN_PARAM_NUMBER;
        return Optional.of(
                isCount && element instanceof ExpressionValue.Bool bool
                        ? ExpressionValue.of(bool.value() ? 1 : 0)
                        : element);
    }

    /** A list of as many unknowns as the dimension says, so that what depends on the length alone stays known. */
    private static ExpressionValue unknownElements(Dim length) {
        if (length instanceof Dim.Known known && known.size() <= 1024) {
            return ExpressionValue.list(Collections.nCopies((int) known.size(), ExpressionValue.unknown()));
        }
        return ExpressionValue.unknown();
    }

    private Optional<ExpressionValue> converted(ParamDescription param, ExpressionValue value) {
        boolean missing = value.isAbsent() && param.byDefault().isPresent();
        Optional<ExpressionValue> converted = missing ? Optional.of(value) : ParamValues.convert(param, value);
        if (converted.isEmpty()) {
            state.violate(param.name(), "expected " + param.expected() + ", found " + value.described());
        }
        return converted;
    }

    /** The value for the strings of a parameter with a {@code from_func}; other values are themselves. */
    private Optional<ExpressionValue> mapped(ParamDescription param, ExpressionValue value) {
        int before = state.violations().size();
        checkOneOf(param, value);
        Optional<ExpressionValue> result = Optional.of(value);
        if (param.fromFunc().isPresent()) {
            boolean spelled = state.violations().size() == before;
            result = spelled ? mapped(param, param.fromFunc().get(), value) : Optional.empty();
        }
        if (result.isEmpty() || state.violations().size() > before) {
            state.markBroken(param.name());
        }
        return result;
    }

    private Optional<ExpressionValue> mapped(ParamDescription param, Expr function, ExpressionValue value) {
        if (value instanceof ExpressionValue.ListOf list) {
            List<ExpressionValue> elements = new ArrayList<>();
            for (ExpressionValue element : list.elements()) {
                mapped(param, function, element).ifPresent(elements::add);
            }
            return elements.size() == list.elements().size()
                    ? Optional.of(ExpressionValue.list(elements))
                    : Optional.empty();
        }
        if (value instanceof ExpressionValue.Unknown) {
            return Optional.of(value);
        }
        Optional<ExpressionValue> result =
                state.evaluate(function, param.name(), state.scope().with("value", value));
        Optional<ExpressionValue> number = result.flatMap(found -> ParamValues.number(param, found));
        if (result.isPresent() && number.isEmpty()) {
            state.violate(
                    param.name(),
                    "expected from_func to give a number for " + value + ", found "
                            + result.get().described());
        }
        return number;
    }

    private void check(ParamDescription param, ExpressionValue value) {
        int before = state.violations().size();
        param.len().ifPresent(len -> checkLength(param, value, len));
        param.bounds().forEach(bound -> checkBound(param, value, bound));
        state.checkAll(param.checks(), param.name());
        if (state.violations().size() > before) {
            state.markBroken(param.name());
        }
    }

    private void checkLength(ParamDescription param, ExpressionValue value, Expr len) {
        Optional<ExpressionValue> expected = state.evaluate(len, param.name());
        if (expected.isEmpty()
                || !(expected.get() instanceof ExpressionValue.Int count)
                || !(value instanceof ExpressionValue.ListOf list)) {
            return;
        }
        if (list.elements().size() != count.value()) {
            String because = len.isConstant() ? "" : " (" + state.shown(len) + ")";
            state.violate(
                    param.name(),
                    "expected " + count + " elements" + because + ", found "
                            + list.elements().size() + ": " + list);
        }
    }

    private void checkBound(ParamDescription param, ExpressionValue value, Bound bound) {
        Optional<ExpressionValue> limit = state.evaluate(bound.limit(), param.name());
        if (limit.isEmpty() || limit.get().isAbsent()) {
            return;
        }
        List<ExpressionValue> elements =
                value instanceof ExpressionValue.ListOf list ? list.elements() : List.of(value);
        List<ExpressionValue> limits = new ArrayList<>();
        if (limit.get() instanceof ExpressionValue.ListOf list) {
            limits.addAll(list.elements());
            if (limits.size() != elements.size()) {
                state.violate(
                        param.name(),
                        "expected " + limits.size() + " elements, as in " + state.shown(bound.limit()) + ", found "
                                + elements.size() + ": " + value);
                return;
            }
        } else {
            limits.addAll(Collections.nCopies(elements.size(), limit.get()));
        }
        Expr comparison = Objects.requireNonNull(COMPARISONS.get(bound.relation()));
        int most = state.violations().size() + MOST_VIOLATIONS;
        for (int i = 0; i < elements.size() && state.violations().size() < most; i++) {
            Scope pair = Scope.empty().with("v", elements.get(i)).with("limit", limits.get(i));
            Optional<ExpressionValue> holds = state.evaluate(comparison, param.name(), pair);
            if (holds.isPresent() && holds.get().equals(ExpressionValue.of(false))) {
                String place = value instanceof ExpressionValue.ListOf ? "element " + i + " " : "";
                String because = bound.limit().isConstant() ? "" : " (" + state.shown(bound.limit()) + ")";
                state.violate(
                        param.name(),
                        "expected " + place + bound.relation().symbol() + " " + limits.get(i) + because + ", found "
                                + elements.get(i));
            }
        }
    }

    private void checkOneOf(ParamDescription param, ExpressionValue value) {
        if (param.oneOf().isEmpty()) {
            return;
        }
        List<ExpressionValue> elements =
                value instanceof ExpressionValue.ListOf list ? list.elements() : List.of(value);
        for (ExpressionValue element : elements) {
            if (element instanceof ExpressionValue.Text text && !param.oneOf().contains(text.value())) {
                state.violate(
                        param.name(),
                        "expected one of " + String.join(", ", param.oneOf()) + ", found " + text.value());
            }
        }
    }
}
