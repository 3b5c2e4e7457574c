package org.clinfer.expr;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The table of the functions that expressions may call. */
final class Functions {

    private static final int ANY = Integer.MAX_VALUE;
    private static final Map<String, Function> TABLE = table();

    private Functions() {}

    static @Nullable Function find(String name) {
        return TABLE.get(name);
    }

    /** The names of all functions. */
    static Set<String> names() {
        return TABLE.keySet();
    }

    /** The computation of a function from its evaluated arguments. */
    interface Body {
        ExpressionValue apply(List<ExpressionValue> arguments, Evaluation run);
    }

    /** The computation of a function from a list and a lambda over its elements. */
    interface LambdaBody {
        ExpressionValue apply(List<ExpressionValue> elements, ExpressionNode.Lambda lambda, Evaluation run);
    }

    /** A function: its name, the number of its arguments, and its body. */
    sealed interface Function {

        String name();

        ExpressionValue call(List<ExpressionNode> arguments, Evaluation run);

        /** The mistake in calling it with these arguments, or empty. */
        String signatureProblem(List<ExpressionNode> arguments);
    }

    /** A function of values; with {@code strict}, an unknown argument makes the result unknown. */
    private record Plain(String name, int least, int most, boolean strict, Body body) implements Function {
        @Override
        public ExpressionValue call(List<ExpressionNode> arguments, Evaluation run) {
            ExpressionValue[] values = new ExpressionValue[arguments.size()];
            boolean unknown = false;
            for (int i = 0; i < values.length; i++) {
                values[i] = run.of(arguments.get(i));
                unknown |= values[i] instanceof ExpressionValue.Unknown;
                run.look(values[i]);
            }
            return unknown && strict ? Constants.UNKNOWN : body.apply(List.of(values), run);
        }

        @Override
        public String signatureProblem(List<ExpressionNode> arguments) {
            int given = arguments.size();
            if (given < least || given > most) {
                String expected =
                        most == ANY ? "at least " + least : least == most ? "" + least : least + " to " + most;
                return name + "() takes " + expected + (expected.equals("1") ? " argument" : " arguments") + ", not "
                        + given;
            }
            boolean lambda = arguments.stream().anyMatch(ExpressionNode.Lambda.class::isInstance);
            return lambda ? name + "() does not take a lambda" : "";
        }
    }

    /** A function of a list and a lambda; an unknown list makes the result unknown. */
    private record OverElements(String name, LambdaBody body) implements Function {
        @Override
        public ExpressionValue call(List<ExpressionNode> arguments, Evaluation run) {
            ExpressionValue list = run.of(arguments.get(0));
            if (list instanceof ExpressionValue.Unknown) {
                return Constants.UNKNOWN;
            }
            return body.apply(Arguments.list(name, list), (ExpressionNode.Lambda) arguments.get(1), run);
        }

        @Override
        public String signatureProblem(List<ExpressionNode> arguments) {
            boolean right = arguments.size() == 2
                    && !(arguments.get(0) instanceof ExpressionNode.Lambda)
                    && arguments.get(1) instanceof ExpressionNode.Lambda;
            return right ? "" : name + "() takes a list and a lambda, as in " + name + "(list, v -> v + 1)";
        }
    }

    private static Map<String, Function> table() {
        Map<String, Function> table = new LinkedHashMap<>();
        numbers(table);
        lists(table);
        shapes(table);
        lenient(
                table,
                "has",
                1,
                1,
                (arguments, run) -> ExpressionValue.of(!arguments.get(0).isAbsent()));
        lenient(
                table,
                "is_known",
                1,
                1,
                (arguments, run) -> ExpressionValue.of(arguments.get(0).isKnown()));
        strict(table, "error", 1, 1, (arguments, run) -> {
            throw new Failure(Arguments.text("error", arguments.get(0)));
        });
        lambda(table, "map", LambdaFunctions::map);
        lambda(table, "filter", LambdaFunctions::filter);
        lambda(table, "all", (elements, lambda, run) -> LambdaFunctions.decide(elements, lambda, run, false));
        lambda(table, "any", (elements, lambda, run) -> LambdaFunctions.decide(elements, lambda, run, true));
        return Map.copyOf(table);
    }

    private static void numbers(Map<String, Function> table) {
        lenient(table, "floor_div", 2, 2, (arguments, run) -> NumberFunctions.floorDiv(arguments));
        lenient(table, "ceil_div", 2, 2, (arguments, run) -> NumberFunctions.ceilDiv(arguments));
        strict(table, "mod", 2, 2, (arguments, run) -> NumberFunctions.floorMod(arguments));
        lenient(table, "min", 1, ANY, (arguments, run) -> NumberFunctions.extreme("min", arguments, -1));
        lenient(table, "max", 1, ANY, (arguments, run) -> NumberFunctions.extreme("max", arguments, 1));
        strict(table, "abs", 1, 1, (arguments, run) -> NumberFunctions.abs(arguments.get(0)));
        lenient(
                table,
                "floor",
                1,
                1,
                (arguments, run) -> NumberFunctions.toInt("floor", arguments.get(0), Math::floor));
        lenient(table, "ceil", 1, 1, (arguments, run) -> NumberFunctions.toInt("ceil", arguments.get(0), Math::ceil));
        lenient(table, "round", 1, 1, (arguments, run) -> NumberFunctions.toInt("round", arguments.get(0), Math::rint));
        lenient(table, "int", 1, 1, (arguments, run) -> NumberFunctions.truncate(arguments.get(0)));
        strict(table, "real", 1, 1, (arguments, run) -> ExpressionValue.of(Arguments.real("real", arguments.get(0))));
        strict(table, "exp", 1, 1, (arguments, run) -> NumberFunctions.real("exp", arguments.get(0), Math::exp));
        strict(table, "log", 1, 1, (arguments, run) -> NumberFunctions.real("log", arguments.get(0), Math::log));
        strict(table, "sin", 1, 1, (arguments, run) -> NumberFunctions.real("sin", arguments.get(0), Math::sin));
        strict(table, "cos", 1, 1, (arguments, run) -> NumberFunctions.real("cos", arguments.get(0), Math::cos));
        strict(table, "tanh", 1, 1, (arguments, run) -> NumberFunctions.real("tanh", arguments.get(0), Math::tanh));
        strict(table, "pow", 2, 2, (arguments, run) -> NumberFunctions.pow(arguments));
        strict(table, "sqrt", 1, 1, (arguments, run) -> NumberFunctions.sqrt(arguments.get(0)));
    }

    private static void lists(Map<String, Function> table) {
        strict(table, "len", 1, 1, (arguments, run) -> ListFunctions.length(arguments.get(0)));
        strict(table, "sum", 1, 1, (arguments, run) -> ListFunctions.sum(arguments.get(0)));
        strict(table, "product", 1, 1, (arguments, run) -> ListFunctions.product(arguments.get(0)));
        strict(table, "range", 1, 2, ListFunctions::range);
        lenient(table, "contains", 2, 2, (arguments, run) -> ListFunctions.contains(arguments));
        lenient(table, "index_of", 2, 2, (arguments, run) -> ListFunctions.indexOf(arguments));
        strict(table, "slice", 3, 3, ListFunctions::slice);
        strict(table, "reverse", 1, 1, ListFunctions::reverse);
        strict(table, "sort", 1, 1, ListFunctions::sort);
        lenient(table, "fill", 2, 2, ListFunctions::fill);
        lenient(table, "set", 3, 3, ListFunctions::set);
        lenient(table, "pad_left", 3, 3, ListFunctions::padLeft);
    }

    private static void shapes(Map<String, Function> table) {
        strict(table, "broadcast", 1, ANY, (arguments, run) -> ShapeFunctions.broadcast(arguments, run));
        strict(table, "broadcast_all", 1, 1, ShapeFunctions::broadcastAll);
        strict(table, "strides_of", 1, 1, ShapeFunctions::stridesOf);
        strict(table, "broadcast_strides", 2, 2, ShapeFunctions::broadcastStrides);
        strict(table, "normalize_axis", 2, 2, (arguments, run) -> ShapeFunctions.normalizeAxis(arguments));
        strict(table, "normalize_axes", 2, 2, ShapeFunctions::normalizeAxes);
        strict(table, "element", 2, 2, (arguments, run) -> Members.elementOfTensor(arguments));
        strict(table, "cast", 2, 2, (arguments, run) -> Members.cast(arguments));
        strict(table, "has_extension", 1, 1, (arguments, run) -> ShapeFunctions.hasExtension(arguments, run));
    }

    private static void strict(Map<String, Function> table, String name, int least, int most, Body body) {
        table.put(name, new Plain(name, least, most, true, body));
    }

    private static void lenient(Map<String, Function> table, String name, int least, int most, Body body) {
        table.put(name, new Plain(name, least, most, false, body));
    }

    private static void lambda(Map<String, Function> table, String name, LambdaBody body) {
        table.put(name, new OverElements(name, body));
    }
}
