package org.clinfer.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.expr.ExprScope.SCOPE;
import static org.clinfer.expr.ExprScope.value;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reading and evaluating expressions: precedence, kinds, three-valued answers, explanations and names. */
class ExprTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "1 + 2 * 3 ~ 7",
                "(1 + 2) * 3 ~ 9",
                "10 - 4 - 3 ~ 3",
                "-7 / 2 ~ -3",
                "-7 % 3 ~ -1",
                "7 / 2 * 2 ~ 6",
                "-a * b ~ -14",
                "- -a ~ 7",
                "!t || t ~ true",
                "!(t && f) ~ true",
                "t || f && f ~ true",
                "1 + 1 == 2 && 3 < 4 ~ true",
                "1 < 2 == t ~ true",
                "a > b ? 'yes' : 'no' ~ 'yes'",
                "f ? 1 : t ? 2 : 3 ~ 2",
                "f || f ? 1 : 2 ~ 2",
                "1e3 ~ 1000.0",
                "2.5e-1 + 1 ~ 1.25",
                "a / 2.0 ~ 3.5",
                "5.5 % 2 ~ 1.5",
                "2.5 - 1 ~ 1.5",
                "2.5 * 2 ~ 5.0",
                "1 == 1.0 ~ true",
                "-0.0 == 0.0 ~ true",
                "0.0 == -0.0 ~ true",
                "2 <= 2 ~ true",
                "2 >= 2 ~ true",
                "2 < 2 ~ false",
                "2 > 2 ~ false",
                "0.0 / 0 < 1 ~ false",
                "1 >= 0.0 / 0 ~ false",
                "0.0 / 0 == 0.0 / 0 ~ false",
                "'b' > \"a\" ~ true",
                "'it\\'s' ~ 'it's'",
                "'a' + 'b' ~ 'ab'",
                "[1, 2] + [3] ~ [1, 2, 3]",
                "[1, 2] == [1, 2] ~ true",
                "[1, 2] == [1] ~ false",
                "[1, 2] != [1, 3] ~ true",
                "[] ~ []",
                "[[1], [2]][1][0] ~ 2",
                "list[b] ~ 2",
                "list.len ~ 3",
                "none == null ~ true",
                "a == null ~ false",
                "x.dims ~ [2, 3, 5]",
                "x.dims[1] + x.dims[2] ~ 8",
                "x.ndim ~ 3",
                "x.len ~ 30",
                "x.dtype == 'float16' ~ true",
                "axes.data ~ [0, -1, 2]",
                "axes.data[1] ~ -1",
                "reals.data ~ [0.5, 2.0]",
                "x.data ~ ?",
                "flags.data ~ [false, true]",
                "many[1].dims[0] ~ 6",
                "box.dims[1] ~ 9",
                "box.dims ~ [8, 9]",
                "none ~ null",
                "x ~ 2x3x5:float16",
                "device ~ device",
                "len(many) ~ 2",
                "map(many, v -> v.dims[0]) ~ [4, 6]",
                "device.kind ~ 'gpu'",
                "device.max_work_group_size >= 64 ~ true",
                "device.local_mem_size ~ device.local_mem_size",
                "device.local_mem_size >= 64 ~ ?",
                "has_extension('cl_khr_fp16') ~ true",
                "has_extension('cl_khr_fp64') ~ false",
                "map(range(2), i -> map(range(2), j -> i * 10 + j)) ~ [[0, 1], [10, 11]]",
                "map(range(2), a -> a) + [a] ~ [0, 1, 7]",
                "map([1], A -> A) + map([2], Z_9 -> Z_9) + map([3], zA -> zA) ~ [1, 2, 3]",
                "range(16) ~ [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]",
                "range(17) ~ [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, … 17 elements]"
            })
    void evaluates(String source, String expected) {
        assertThat(value(source)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "t && t ~ true",
                "t && f ~ false",
                "t && u ~ ?",
                "f && u ~ false",
                "u && f ~ false",
                "u && t ~ ?",
                "u && u ~ ?",
                "t || u ~ true",
                "u || t ~ true",
                "f || u ~ ?",
                "u || f ~ ?",
                "f || f ~ false",
                "!u ~ ?",
                "u == u ~ ?",
                "n == n ~ true",
                "n != n ~ false",
                "n == m ~ ?",
                "n == 3 ~ ?",
                "n < n ~ false",
                "n <= n ~ true",
                "n < m ~ ?",
                "n < 3 ~ ?",
                "u + 1 ~ ?",
                "0 * u ~ ?",
                "-u ~ ?",
                "n ~ n",
                "n * 1 ~ n",
                "1 * n ~ n",
                "n + 0 ~ n",
                "n - 0 ~ n",
                "n / 1 ~ n",
                "n * 2 ~ ?",
                "u ? 1 : 2 ~ ?",
                "u[0] ~ ?",
                "list[u] ~ ?",
                "u.dims ~ ?",
                "u.dims[0] ~ ?",
                "x.dims[u] ~ ?",
                "holes ~ [4, ?, n]",
                "holes[2] ~ n",
                "holes == [4, 1, 2] ~ ?",
                "holes == [5, 1, 2] ~ false",
                "holes == [4, 1] ~ false",
                "q.dims ~ [batch, 3, h, ?]",
                "q.dims[0] ~ batch",
                "q.ndim ~ 4",
                "q.len ~ ?",
                "q.dims[0] == q.dims[0] ~ true",
                "q.dims[3] == q.dims[3] ~ ?",
                "t ? n : u ~ n"
            })
    void answersWithThreeValues(String source, String expected) {
        assertThat(value(source)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "a * b < 10 ~ a * b < 10: 7 * 2 = 14",
                "(a + b) * 2 == b ~ (a + b) * 2 == b: (7 + 2) * 2 = 18, b = 2",
                "t && a < b ~ a < b: a = 7, b = 2",
                "a < b && nope ~ a < b: a = 7, b = 2",
                "f || a < b ~ f || a < b: f = false, a = 7, b = 2",
                "!t ~ !t: t = true",
                "x.dims[1] == x.dims[2] ~ x.dims[1] == x.dims[2]: x.dims[1] = 3, x.dims[2] = 5",
                "floor_div(a, b) >= 4 ~ floor_div(a, b) >= 4: floor_div(7, 2) = 3",
                "all(list, v -> v > 1) ~ all(list, v -> v > 1): for element 1, v = 1",
                "all(list, v -> v * b > 2) ~ all(list, v -> v * b > 2): for element 1, 1 * 2 = 2",
                "q.dims[0] * 2 > a ~ q.dims[0] * 2 > a: batch * 2 = ?, a = 7",
                "x.dtype == 'int8' ~ x.dtype == 'int8': x.dtype = 'float16'",
                "contains(list, 9) ~ contains(list, 9): contains([3, 1, 2], 9) = false",
                "all(list, v -> v > 0) ~ all(list, v -> v > 0): all([3, 1, 2], v -> v > 0) = true",
                "a == -1 ~ a == -1: a = 7",
                "1 + (f ? list[9] : b) > 3 ~ 1 + (f ? list[9] : b) > 3: 1 + (false ? (index 9 is outside a list of 3 elements) : 2) = 3",
                "1 > 2 ~ 1 > 2"
            })
    void explainsItself(String source, String expected) {
        assertThat(Expr.parse(source, "").explain(SCOPE)).isEqualTo(expected);
    }

    @Test
    void readsChecksWithAndWithoutMessage() {
        Check bare = Check.parse("a < b", "");
        Check spoken = Check.parse("min(a, b) > 3, \"too small, by far\"", "");
        assertThat(bare.message()).isEmpty();
        assertThat(bare.explain(SCOPE)).isEqualTo("expected a < b: a = 7, b = 2");
        assertThat(spoken.message()).isEqualTo("too small, by far");
        assertThat(spoken.explain(SCOPE)).isEqualTo("too small, by far (min(a, b) > 3: min(7, 2) = 2)");
        assertThatThrownBy(() -> Check.parse("a < b, c", "w"))
                .hasMessage("w: expected a quoted message after ',', found 'c', at column 8 of: a < b, c");
    }

    @Test
    void aCheckEndsWithItsMessage() {
        assertThatThrownBy(() -> Check.parse("a < b, 'c' d", "w"))
                .hasMessageContaining("expected an operator or the end, found 'd'");
    }

    @Test
    void tellsTheConstantsItMayBe() {
        assertThat(Expr.parse("axes == 3 ? 'c' : (group > 1 ? 'a' : 'b b')", "").outcomes())
                .containsExactly(ExpressionValue.of("c"), ExpressionValue.of("a"), ExpressionValue.of("b b"));
        assertThat(Expr.parse("filter == 'x' ? name : 4", "").outcomes()).containsExactly(ExpressionValue.of(4));
        assertThat(Expr.parse("'only'", "").outcomes()).containsExactly(ExpressionValue.of("only"));
        assertThat(Expr.parse("a + 'b'", "").outcomes()).isEmpty();
    }

    @Test
    void knowsItsFreeNames() {
        Expr expression = Expr.parse("map(list, v -> v + a) + [x.dims[b], has(none) ? 1 : v]", "");
        assertThat(expression.names()).isEqualTo(Set.of("list", "a", "x", "b", "none", "v"));
        assertThat(Expr.parse(" weights ", "").asName()).isEqualTo("weights");
        assertThat(Expr.parse("weights.dims", "").asName()).isEmpty();
    }

    @Test
    void namesOfWhichAFieldAloneIsTakenAreLeftOut() {
        Expr expression = Expr.parse(
                "x.dtype == 'int8' && y.dtype == 'bool' && y.dims[0] > z.rank && all(l, v -> v.dtype == w)", "");
        assertThat(expression.namesBeside("dtype")).containsExactlyInAnyOrder("y", "z", "l", "w");
        assertThat(expression.namesBeside("rank")).containsExactlyInAnyOrder("x", "y", "l", "w");
    }
}
