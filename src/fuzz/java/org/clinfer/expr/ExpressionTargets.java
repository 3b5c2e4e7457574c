package org.clinfer.expr;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.clinfer.fuzz.Judge;
import org.clinfer.fuzz.Target;

/** Expressions and checks, which are read, evaluated and explained. */
public final class ExpressionTargets {

    private static final List<String> SEEDS = List.of(
            "a * b + 1 <= 16 && !f",
            "ceil_div(x.dims[0] + 2 * a, b), \"too large\"",
            "all(list, i -> i >= 1 && i < len(list))",
            "t ? [a, b] + list : fill(3, r)",
            "x.ndim == 3 && q.dims[1] % 2 == 1 || u > n",
            "device.kind == 'gpu' && 'x' + words[0] != \"y\"",
            "sum(map(holes, h -> h * 2)) / product(list)",
            "many[1].dims[0] - axes.data[2] - reals.data[0]");

    private ExpressionTargets() {}

    public static List<Target> all() {
        List<String> words = new ArrayList<>(Functions.names());
        words.addAll(List.of(
                "x.dims",
                "q.dims",
                "axes.data",
                "reals",
                "flags",
                "box",
                "many",
                "device",
                "holes",
                "words",
                "none",
                ".ndim",
                ".len",
                ".dtype",
                "->",
                "&&",
                "||",
                "==",
                "!=",
                "<=",
                ">=",
                "?",
                ":",
                "[",
                "]",
                "(",
                ")",
                "!",
                "9223372036854775807",
                "-9223372036854775808",
                "1e308",
                "true",
                "false",
                "\"",
                "'",
                "\\u0041"));
        return List.of(new Target(
                "expression",
                folder -> SEEDS.stream()
                        .map(text -> text.getBytes(StandardCharsets.UTF_8))
                        .toList(),
                words,
                ExpressionTargets::take));
    }

    private static void take(byte[] bytes, Path folder) throws Exception {
        String text = new String(bytes, StandardCharsets.UTF_8);
        Judge.refusesOrDoes(() -> {
            Check check = Check.parse(text, "here");
            check.explain(ExprScope.SCOPE);
        });
        Judge.refusesOrDoes(() -> {
            Expr expression = Expr.parse(text, "here");
            expression.names();
            expression.fields();
            expression.outcomes();
            expression.readsElements();
            expression.explain(ExprScope.SCOPE);
            expression.failing(ExprScope.SCOPE);
            Judge.requireText(expression.evaluate(ExprScope.SCOPE, new Budget()));
        });
    }
}
