package org.clinfer.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading and evaluating expressions: precedence, kinds, three-valued answers, errors and bounds. */
class ExprTest {

    private static final TensorType BATCHED = new TensorType(
            DType.FLOAT32, new Shape(List.of(Dim.named("batch"), Dim.of(3), Dim.named("h"), Dim.unknown())));

    private static final Scope SCOPE = Scope.of(Map.ofEntries(
            Map.entry("a", Value.of(7)),
            Map.entry("b", Value.of(2)),
            Map.entry("r", Value.of(1.5)),
            Map.entry("t", Value.of(true)),
            Map.entry("f", Value.of(false)),
            Map.entry("u", Value.unknown()),
            Map.entry("n", Value.unknown("n")),
            Map.entry("m", Value.unknown("m")),
            Map.entry("none", Value.absent()),
            Map.entry("list", Value.ints(3, 1, 2)),
            Map.entry("words", Value.texts(List.of("x", "y"))),
            Map.entry("holes", Value.list(Value.of(4), Value.unknown(), Value.unknown("n"))),
            Map.entry("x", Value.tensor("x", TensorType.of(DType.FLOAT16, 2, 3, 5))),
            Map.entry("q", Value.tensor("q", BATCHED)),
            Map.entry("axes", Value.tensor("axes", TensorType.of(DType.INT64, 3), Tensor.of(new long[] {0, -1, 2}, 3))),
            Map.entry(
                    "reals",
                    Value.tensor("reals", TensorType.of(DType.FLOAT32, 2), Tensor.of(new float[] {0.5f, 2}, 2))),
            Map.entry(
                    "many",
                    Value.list(
                            Value.tensor("many[0]", TensorType.of(DType.INT8, 4)),
                            Value.tensor("many[1]", TensorType.of(DType.INT8, 6)))),
            Map.entry(
                    "device",
                    new Value.Fields(
                            "device",
                            Map.of(
                                    "kind",
                                    Value.of("gpu"),
                                    "max_work_group_size",
                                    Value.of(256),
                                    "extensions",
                                    Value.texts(List.of("cl_khr_fp16")))))));

    private static String value(String source) {
        return Expr.parse(source, "").evaluate(SCOPE).toString();
    }

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
                "1 == 1.0 ~ true",
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
                "many[1].dims[0] ~ 6",
                "len(many) ~ 2",
                "map(many, v -> v.dims[0]) ~ [4, 6]",
                "device.kind ~ 'gpu'",
                "device.max_work_group_size >= 64 ~ true",
                "device.local_mem_size ~ device.local_mem_size",
                "device.local_mem_size >= 64 ~ ?",
                "has_extension('cl_khr_fp16') ~ true",
                "has_extension('cl_khr_fp64') ~ false",
                "map(range(2), i -> map(range(2), j -> i * 10 + j)) ~ [[0, 1], [10, 11]]",
                "map(range(2), a -> a) + [a] ~ [0, 1, 7]"
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
                "1 + ~ expected a value, found the end ~ 4",
                "1 2 ~ expected an operator or the end, found '2' ~ 3",
                "(1 ~ expected ')', found the end ~ 3",
                "[1, ~ expected a value, found the end ~ 4",
                "a ? 1 ~ expected ':', found the end ~ 6",
                "a. ~ expected a field name after '.', found the end ~ 3",
                "a # b ~ unexpected character '#' ~ 3",
                "'abc ~ the text that starts here does not end ~ 1",
                "12x ~ a number is followed by 'x' ~ 1",
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
                "u + 'x' ~ '+' cannot take the unknown ? and the string 'x' ~ 1",
                "a < 'x' ~ '<' cannot compare the int 7 with the string 'x' ~ 1",
                "a == 'x' ~ '==' cannot compare the int 7 with the string 'x' ~ 1",
                "a && t ~ a condition must be a bool, not the int 7 ~ 1",
                "!a ~ a condition must be a bool, not the int 7 ~ 1",
                "a ? 1 : 2 ~ a condition must be a bool, not the int 7 ~ 1",
                "list[-1] ~ index -1 is outside a list of 3 elements ~ 1",
                "list[3] ~ index 3 is outside a list of 3 elements ~ 1",
                "list['x'] ~ an index must be an int, not the string 'x' ~ 1",
                "x.dims[3] ~ index 3 is outside a list of 3 elements ~ 1",
                "a[0] ~ only a list can be indexed, not the int 7 ~ 1",
                "none.dims ~ a null has no field 'dims' ~ 1",
                "x.size ~ a tensor has no field 'size', only dims, ndim, len, dtype and data ~ 1",
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
    void knowsItsFreeNames() {
        Expr expression = Expr.parse("map(list, v -> v + a) + [x.dims[b], has(none) ? 1 : v]", "");
        assertThat(expression.names()).isEqualTo(Set.of("list", "a", "x", "b", "none", "v"));
        assertThat(Expr.parse(" weights ", "").asName()).isEqualTo("weights");
        assertThat(Expr.parse("weights.dims", "").asName()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "[", "-", "!", "abs(", "t ? 1 : ", "[0][", "map(list, v -> "})
    void boundsNesting(String opening) {
        String source = opening.repeat(200) + "1";
        assertThatThrownBy(() -> Expr.parse(source, "")).hasMessageContaining("nested deeper than 64 levels");
    }

    @Test
    void boundsLengthAndChains() {
        assertThatThrownBy(() -> Expr.parse(" ".repeat(4096) + "1", ""))
                .hasMessageContaining("the expression has 4097 characters, more than 4096");
        assertThatThrownBy(() -> Expr.parse("1" + "+1".repeat(1000), ""))
                .hasMessageContaining("chains more than 512 operations");
        assertThat(value("1" + "+1".repeat(500))).isEqualTo("501");
    }

    @Test
    void boundsListsAndSteps() {
        assertThat(value("len(range(1000000))")).isEqualTo("1000000");
        assertThatThrownBy(() -> value("range(1000001)"))
                .hasMessageContaining("a list of 1000001 elements is larger than the 1000000 allowed");
        assertThatThrownBy(() -> value("range(-9223372036854775807, 9223372036854775807)"))
                .hasMessageContaining("is larger than the 1000000 allowed");
        assertThatThrownBy(() -> value("all(range(2000), i -> all(range(2000), j -> i + j >= 0))"))
                .hasMessageContaining("the evaluation takes more than 1000000 steps");
        assertThatThrownBy(() -> value("map(range(100), i -> len(fill(1000000, 0)))"))
                .hasMessageContaining("the evaluation makes more than 8000000 list elements");
    }
}
