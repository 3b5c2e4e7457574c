package org.clinfer.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.expr.ExprScope.SCOPE;
import static org.clinfer.expr.ExprScope.value;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions that are malformed, fail while they are evaluated, or go beyond the bounds. */
final class ExprErrorsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "1 + ~ expected a value, found the end ~ 4",
                "1 2 ~ expected an operator or the end, found '2' ~ 3",
                "(1 ~ expected ')', found the end ~ 3",
                "[1, ~ expected a value, found the end ~ 4",
                "a ? 1 ~ expected ':', found the end ~ 6",
                "a. ~ expected a field name after '.', found the end ~ 3",
                "a # b ~ unexpected character '#' ~ 3",
                "'abc ~ the text that starts here does not end ~ 1",
                "12x ~ a number is followed by 'x' ~ 1",
                "1. ~ expected a field name after '.', found the end ~ 3",
                "1e ~ a number is followed by 'e' ~ 1",
                "1e+ ~ a number is followed by 'e' ~ 1",
                "'abc\\ ~ the text that starts here does not end ~ 1",
                "99999999999999999999 ~ the number 99999999999999999999 does not fit 64 bits ~ 1",
                "nope(1) ~ unknown function 'nope' ~ 1",
                "1 + sqrt(1, 2) ~ sqrt() takes 1 argument, not 2 ~ 5",
                "slice(a) ~ slice() takes 3 arguments, not 1 ~ 1",
                "range() ~ range() takes 1 to 2 arguments, not 0 ~ 1",
                "min() ~ min() takes at least 1 arguments, not 0 ~ 1",
                "map(a, b) ~ map() takes a list and a lambda, as in map(list, v -> v + 1) ~ 1",
                "len(v -> v) ~ len() does not take a lambda ~ 1",
                "v -> v ~ expected an operator or the end, found '->' ~ 3",
                "a = b ~ unexpected character '=' ~ 3"
            })
    void rejectsMalformedSources(String source, String reason, int column) {
        assertThatThrownBy(() -> Expr.parse(source, "op.json: ops[0].len"))
                .isInstanceOfSatisfying(
                        ExprException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(reason))
                .hasMessage("op.json: ops[0].len: " + reason + ", at column " + column + " of: " + source);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "a + nope ~ unknown name 'nope' ~ 5",
                "1 / (b - 2) ~ division by zero: 1 / 0 ~ 1",
                "2 + 1 % 0 ~ division by zero: 1 % 0 ~ 5",
                "9223372036854775807 + 1 ~ 9223372036854775807 + 1 overflows 64 bits ~ 1",
                "4611686018427387904 * 2 ~ 4611686018427387904 * 2 overflows 64 bits ~ 1",
                "-(0 - 9223372036854775807 - 1) ~ 0 - -9223372036854775808 overflows 64 bits ~ 1",
                "a + 'x' ~ '+' cannot take the int 7 and the string 'x' ~ 1",
                "t + 1 ~ '+' cannot take the bool true and the int 1 ~ 1",
                "x * 2 ~ '*' cannot take the tensor 2x3x5:float16 and the int 2 ~ 1",
                "device * 2 ~ '*' cannot take the group of fields device and the int 2 ~ 1",
                "none - 1.5 ~ '-' cannot take nothing and the real 1.5 ~ 1",
                "u + 'x' ~ '+' cannot take the unknown ? and the string 'x' ~ 1",
                "a < 'x' ~ '<' cannot compare the int 7 with the string 'x' ~ 1",
                "a == 'x' ~ '==' cannot compare the int 7 with the string 'x' ~ 1",
                "a && t ~ a condition must be a bool, not the int 7 ~ 1",
                "!a ~ a condition must be a bool, not the int 7 ~ 1",
                "!1 ~ a condition must be a bool, not the int 1 ~ 1",
                "a ? 1 : 2 ~ a condition must be a bool, not the int 7 ~ 1",
                "list[-1] ~ index -1 is outside a list of 3 elements ~ 1",
                "list[3] ~ index 3 is outside a list of 3 elements ~ 1",
                "list['x'] ~ an index must be an int, not the string 'x' ~ 1",
                "x.dims[3] ~ index 3 is outside a list of 3 elements ~ 1",
                "a[0] ~ only a list can be indexed, not the int 7 ~ 1",
                "none.dims ~ a null has no field 'dims' ~ 1",
                "x.size ~ a tensor has no field 'size', only dims, ndim, len, dtype, data, given ~ 1",
                "1 + error('no ' + 'way') ~ no way ~ 5",
                "map(list, v -> v / 0) ~ division by zero: 3 / 0 ~ 16"
            })
    void reportsFailuresWithTheirPlace(String source, String reason, int column) {
        Expr expression = Expr.parse(source, "here");
        assertThatThrownBy(() -> expression.evaluate(SCOPE))
                .isInstanceOf(ExprException.class)
                .hasMessage("here: " + reason + ", at column " + column + " of: " + source);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "[", "-", "!", "abs(", "t ? 1 : ", "[0][", "map(list, v -> "})
    void boundsNesting(String opening) {
        String source = opening.repeat(200) + "1";
        assertThatThrownBy(() -> Expr.parse(source, "")).hasMessageContaining("nested deeper than 64 levels");
    }

    /** As deep, as high and as long as allowed is allowed. */
    @Test
    void allowsWhatIsWithinTheBounds() {
        assertThat(value("(".repeat(63) + "1" + ")".repeat(63))).isEqualTo("1");
        assertThat(value("1" + "+1".repeat(511))).isEqualTo("512");
        assertThat(value(" ".repeat(4095) + "1")).isEqualTo("1");
        assertThat(value("-a" + " + -a".repeat(100))).isEqualTo("-707");
        assertThat(value("len([]" + " + [0]".repeat(100) + ")")).isEqualTo("100");
        assertThat(value("abs(1)" + " + abs(1)".repeat(100))).isEqualTo("101");
    }

    @Test
    void boundsTheLengthOfStrings() {
        Scope scope = SCOPE.with("long", ExpressionValue.of("x".repeat(500_000)));
        assertThat(Expr.parse("len(long + long)", "").evaluate(scope)).isEqualTo(ExpressionValue.of(1_000_000));
        assertThatThrownBy(() -> Expr.parse("long + long + 'x'", "").evaluate(scope))
                .hasMessageContaining("a string of 1000001 characters is too long");
    }

    @Test
    void boundsWhatEvaluationsSpendTogether() {
        Budget budget = new Budget();
        Expr heavy = Expr.parse("len(range(1000000))", "");
        for (int i = 0; i <= 16; i++) {
            assertThat(budget.isExhausted()).isFalse();
            assertThat(heavy.evaluate(SCOPE, budget)).isEqualTo(ExpressionValue.of(1_000_000));
        }
        assertThat(budget.isExhausted()).isTrue();
        Expr light = Expr.parse("a", "here");
        assertThat(light.evaluate(SCOPE)).isEqualTo(ExpressionValue.of(7));
        assertThatThrownBy(() -> light.evaluate(SCOPE, budget))
                .hasMessage("here: the expressions of the description take too much time or memory in all,"
                        + " at column 1 of: a");
    }

    @Test
    void boundsWhatEvaluationsReadTogether() {
        Scope scope = SCOPE.with("long", Expr.parse("range(1000000)", "").evaluate(SCOPE));
        Expr heavy = Expr.parse("all(range(60), i -> contains(long, -1) || sum([i]) >= 0)", "");
        Budget budget = new Budget();
        assertThat(heavy.evaluate(scope, budget)).isEqualTo(ExpressionValue.of(true));
        budget.spend(0, 0, 7 * 60_000_000L); // as seven more
        assertThat(budget.isExhausted()).isFalse();
        heavy.evaluate(scope, budget);
        assertThat(budget.isExhausted()).isTrue();
    }

    @Test
    void boundsTheSizeOfNestedLists() {
        Scope scope = SCOPE.with("wide", Expr.parse("range(1000000)", "").evaluate(SCOPE));
        assertThat(Expr.parse("len([wide, wide, wide, wide, wide, wide, wide])", "")
                        .evaluate(scope))
                .isEqualTo(ExpressionValue.of(7));
        assertThatThrownBy(() -> Expr.parse("[wide, wide, wide, wide, wide, wide, wide, wide]", "")
                        .evaluate(scope))
                .hasMessageContaining("has more than 8000000 elements in all");
        assertThat(value("[[[[1, 2], 3]]]")).isEqualTo("[[[[… 2 elements], 3]]]");
    }

    @Test
    void showsTheBeginningOfLongSources() {
        String source = "nope + " + "0".repeat(193);
        Expr whole = Expr.parse(source, "");
        assertThatThrownBy(() -> whole.evaluate(SCOPE)).hasMessageEndingWith("at column 1 of: " + source);
        Expr longer = Expr.parse(source + "0", "");
        assertThatThrownBy(() -> longer.evaluate(SCOPE))
                .hasMessageEndingWith("at column 1 of: " + source + "…")
                .isInstanceOfSatisfying(
                        ExprException.class,
                        failure -> assertThat(failure.position()).isZero());
    }

    @Test
    void boundsLengthAndChains() {
        assertThatThrownBy(() -> Expr.parse(" ".repeat(4096) + "1", ""))
                .hasMessageContaining("the expression has 4097 characters, more than 4096");
        assertThatThrownBy(() -> Expr.parse("1" + "+1".repeat(1000), ""))
                .hasMessageContaining("chains more than 512 operations");
        assertThatThrownBy(() -> Expr.parse("1" + "+1".repeat(512), ""))
                .hasMessageContaining("chains more than 512 operations");
        assertThat(value("1" + "+1".repeat(500))).isEqualTo("501");
    }

    @Test
    void boundsListsAndSteps() {
        assertThat(value("len(range(1000000))")).isEqualTo("1000000");
        assertThatThrownBy(() -> value("range(1000001)"))
                .hasMessageContaining("a list of 1000001 elements is larger than the 1000000 allowed");
        assertThatThrownBy(() -> value("range(600000) + range(600000)"))
                .hasMessageContaining("a list of 1200000 elements is larger than the 1000000 allowed");
        assertThatThrownBy(() -> value("range(-9223372036854775807, 9223372036854775807)"))
                .hasMessageContaining("is larger than the 1000000 allowed");
        assertThatThrownBy(() -> value("all(range(2000), i -> all(range(2000), j -> i + j >= 0))"))
                .hasMessageContaining("the evaluation takes more than 1000000 steps");
        assertThatThrownBy(() -> value("map(range(100), i -> len(fill(1000000, 0)))"))
                .hasMessageContaining("the evaluation makes more than 8000000 list elements");
    }
}
