package org.clinfer.describe;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.clinfer.expr.Check;
import org.clinfer.expr.Expr;
import org.clinfer.tensor.DType;

/** The demands of a description on a field, in words; expressions and spellings stand in backquotes. */
public final class FieldText {

    private FieldText() {}

    /** The element types of an input: {@code any}, a group, names, or {@code type of `x`}. */
    public static String types(InputDescription input) {
        if (!input.sameType().isEmpty()) {
            return "type of " + code(input.sameType());
        }
        return input.dtypes().isEmpty() ? "any" : types(input.dtypes());
    }

    /** Element types as groups where they are one, with single ones after it. */
    public static String types(List<DType> types) {
        return group(TypeGroup.ANY, types)
                .or(() -> group(TypeGroup.NUMERIC, types))
                .or(() -> group(TypeGroup.FLOATING, types))
                .or(() -> group(TypeGroup.INTEGER, types))
                .orElseGet(() -> TypeSupport.labels(types));
    }

    private static Optional<String> group(TypeGroup group, List<DType> types) {
        String name = group.name().toLowerCase(Locale.ROOT);
        List<DType> all = group.types();
        if (!types.containsAll(all)) {
            return Optional.empty();
        }
        List<DType> others = types.stream().filter(type -> !all.contains(type)).toList();
        return Optional.of(others.isEmpty() ? name : name + ", " + types(others));
    }

    /** Everything else about an input: whether it must be there, its shape, and its checks. */
    public static List<String> rules(InputDescription input) {
        List<String> rules = new ArrayList<>();
        if (input.optional()) {
            rules.add("optional");
        }
        if (input.variadic()) {
            rules.add("one or more");
        }
        input.ndim().ifPresent(ndim -> rules.add(counted(ndim, "dimension")));
        input.len().ifPresent(len -> rules.add(counted(len, "element")));
        if (!input.sameShape().isEmpty()) {
            rules.add("shape of " + code(input.sameShape()));
        }
        input.isStatic().ifPresent(constant -> rules.add(constant ? "constant" : "not constant"));
        if (input.value()) {
            rules.add("must be known when the run is planned");
        }
        rules.addAll(checks(input.checks()));
        return rules;
    }

    /** The default of a parameter, or that there is none. */
    public static String byDefault(ParamDescription param) {
        if (param.byDefault().isEmpty()) {
            return param.fromInput().isEmpty() ? "must be given" : "must be given, here or as an input";
        }
        Expr value = param.byDefault().get();
        return value.source().equals("null") ? "none" : code(value);
    }

    /** Everything else about a parameter: length, bounds, spellings, the input that can supply it, and its checks. */
    public static List<String> rules(ParamDescription param) {
        List<String> rules = new ArrayList<>();
        param.len().ifPresent(len -> rules.add(counted(len, "element")));
        for (Bound bound : param.bounds()) {
            rules.add((param.type().isArray() ? "each " : "")
                    + code(bound.relation().symbol() + " " + bound.limit().source()));
        }
        if (!param.oneOf().isEmpty()) {
            rules.add("one of " + param.oneOf().stream().map(FieldText::code).collect(Collectors.joining(", ")));
        }
        if (!param.fromInput().isEmpty()) {
            rules.add("or the input " + code(param.fromInput()));
        }
        rules.addAll(checks(param.checks()));
        return rules;
    }

    /** The type of an output: a name, or the expression that gives it. */
    public static String type(OutputDescription output) {
        String source = output.dtype().source().replace("'", "");
        return output.dtype().isConstant() ? source : code(source);
    }

    /** The shape of an output as an expression. */
    public static String dims(OutputDescription output) {
        String dims = output.dims().stream().map(Expr::source).collect(Collectors.joining(", "));
        return code(output.dimsAreList() ? dims : "[" + dims + "]");
    }

    /** The checks of an operator on all its arguments together. */
    public static List<String> checks(List<Check> checks) {
        return checks.stream().map(FieldText::check).toList();
    }

    private static String check(Check check) {
        if (check.message().isEmpty()) {
            return code(check.condition());
        }
        boolean never = check.condition().source().equals("false");
        return never ? check.message() : code(check.condition()) + " (" + check.message() + ")";
    }

    private static String counted(Expr number, String unit) {
        return number.isConstant()
                ? number.source() + " " + unit + (number.source().equals("1") ? "" : "s")
                : code(number) + " " + unit + "s";
    }

    private static String code(Expr expression) {
        return code(expression.source());
    }

    private static String code(String text) {
        return "`" + text + "`";
    }
}
