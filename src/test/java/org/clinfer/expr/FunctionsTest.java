package org.clinfer.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every function: values, unknowns and refusals. */
class FunctionsTest {

    private static final Scope SCOPE = Scope.of(Map.of(
            "u", Value.unknown(),
            "n", Value.unknown("n"),
            "none", Value.absent(),
            "x", Value.tensor("x", TensorType.of(DType.FLOAT32, 2, 3))));

    private static String value(String source) {
        return Expr.parse(source, "").evaluate(SCOPE).toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "floor_div(7, 2) | 3",
                "floor_div(-7, 2) | -4",
                "floor_div(n, 1) | n",
                "floor_div(n, 2) | ?",
                "ceil_div(7, 2) | 4",
                "ceil_div(-7, 2) | -3",
                "ceil_div(8, 2) | 4",
                "ceil_div(8, -3) | -2",
                "mod(-7, 3) | 2",
                "mod(7, -3) | -2",
                "mod(u, 3) | ?",
                "min(3, 1, 2) | 1",
                "min([3, 1.5]) | 1.5",
                "max(3, 1, 2) | 3",
                "max([4]) | 4",
                "max(1, u) | ?",
                "max([1, u]) | ?",
                "min(n) | n",
                "abs(-3) | 3",
                "abs(-2.5) | 2.5",
                "abs(u) | ?",
                "floor(2.7) | 2",
                "floor(-2.1) | -3",
                "floor(5) | 5",
                "ceil(2.1) | 3",
                "ceil(-2.7) | -2",
                "round(2.5) | 2",
                "round(3.5) | 4",
                "round(-2.5) | -2",
                "round(n) | n",
                "int(2.9) | 2",
                "int(-2.9) | -2",
                "int(true) | 1",
                "int(n) | n",
                "real(2) | 2.0",
                "sqrt(16) | 4.0",
                "len([1, u]) | 2",
                "len('abc') | 3",
                "len(u) | ?",
                "sum([1, 2, 3]) | 6",
                "sum([]) | 0",
                "sum([1, 0.5]) | 1.5",
                "sum([1, u]) | ?",
                "sum([0, n]) | n",
                "product([2, 3, 4]) | 24",
                "product([]) | 1",
                "product([1, n, 1]) | n",
                "product([2, n]) | ?",
                "range(3) | [0, 1, 2]",
                "range(2, 5) | [2, 3, 4]",
                "range(5, 2) | []",
                "range(0) | []",
                "range(u) | ?",
                "map([1, 2], v -> v * v) | [1, 4]",
                "map(u, v -> v) | ?",
                "map([1, u], v -> v + 1) | [2, ?]",
                "all([1, 2], v -> v > 0) | true",
                "all([1, u, 0], v -> v > 0) | false",
                "all([1, u], v -> v > 0) | ?",
                "all([], v -> false) | true",
                "all(u, v -> true) | ?",
                "any([0, 2], v -> v > 1) | true",
                "any([0, u, 2], v -> v > 1) | true",
                "any([0, u], v -> v > 1) | ?",
                "any([], v -> true) | false",
                "filter([1, 2, 3], v -> v != 2) | [1, 3]",
                "filter([1, u], v -> v > 0) | ?",
                "contains([1, 2], 2) | true",
                "contains([1, u], 2) | ?",
                "contains([u, 2], 2) | true",
                "contains(['a'], 'b') | false",
                "contains([n], n) | true",
                "index_of([5, 6], 6) | 1",
                "index_of([5, 6], 7) | -1",
                "index_of([5, u, 6], 5) | 0",
                "index_of([u, 6], 6) | ?",
                "slice([1, 2, 3], 1, 3) | [2, 3]",
                "slice([1, u], 0, 1) | [1]",
                "slice([1], 1, 1) | []",
                "slice([1], u, 1) | ?",
                "reverse([1, u, 3]) | [3, ?, 1]",
                "sort([3, 1, 2]) | [1, 2, 3]",
                "sort(['b', 'a']) | ['a', 'b']",
                "sort([2, 1.5]) | [1.5, 2]",
                "sort([1, u]) | ?",
                "fill(3, n) | [n, n, n]",
                "fill(0, 1) | []",
                "fill(u, 1) | ?",
                "set([1, 2], 0, n) | [n, 2]",
                "set([1, 2], u, 3) | ?",
                "has(x) | true",
                "has(none) | false",
                "has(u) | true",
                "is_known(1) | true",
                "is_known(u) | false",
                "is_known([1, u]) | false",
                "is_known(x) | true",
                "is_known(x.data) | false",
                "is_known(none) | true",
                "broadcast([2, 1], [3]) | [2, 3]",
                "broadcast([n, 3], [1]) | [n, 3]",
                "broadcast([n], [3]) | [3]",
                "broadcast([n], [n]) | [n]",
                "broadcast([n], [u]) | [?]",
                "broadcast([2, 1, 4], [3, 1], [4]) | [2, 3, 4]",
                "broadcast([], [2]) | [2]",
                "broadcast([0], [1]) | [0]",
                "broadcast(u, [2]) | ?",
                "broadcast_all([[1], [2, 1], [3]]) | [2, 3]",
                "broadcast_all([[1], u]) | ?",
                "strides_of([2, 3, 4]) | [12, 4, 1]",
                "strides_of([]) | []",
                "strides_of([n, 3]) | [3, 1]",
                "strides_of([3, n]) | [n, 1]",
                "strides_of([3, n, 2]) | [?, 2, 1]",
                "broadcast_strides([3, 1], [2, 3, 4]) | [0, 1, 0]",
                "broadcast_strides([2, 3], [2, 3]) | [3, 1]",
                "broadcast_strides([], [2, 3]) | [0, 0]",
                "broadcast_strides([2], [n]) | [1]",
                "broadcast_strides([n], [n]) | [1]",
                "broadcast_strides([n], [4]) | [?]",
                "normalize_axis(-1, 4) | 3",
                "normalize_axis(2, 4) | 2",
                "normalize_axis(u, 4) | ?",
                "normalize_axes([-1, 0], 3) | [2, 0]",
                "normalize_axes([u, 0], 3) | [?, 0]",
                "pad_left([1, 2], 4, 0) | [0, 0, 1, 2]",
                "pad_left([n], 2, 1) | [1, n]",
                "pad_left([1], 1, 0) | [1]"
            })
    void computes(String source, String expected) {
        assertThat(value(source)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "floor_div(1, 0) | division by zero: floor_div(1, 0)",
                "ceil_div(1.5, 2) | ceil_div() expects an int, not the real 1.5",
                "mod(1, 0) | division by zero: mod(1, 0)",
                "min([]) | min() of an empty list",
                "max('a', 'b') | max() expects a number, not the string 'a'",
                "floor(1e300) | floor(1.0E300) does not fit 64 bits",
                "int('1') | int() expects a number, not the string '1'",
                "sqrt(-1) | sqrt(-1) of a negative number",
                "len(1) | len() expects a list, not the int 1",
                "len(none) | len() expects a list, not nothing",
                "sum(3) | sum() expects a list, not the int 3",
                "sum([9223372036854775807, 1]) | 9223372036854775807 + 1 overflows 64 bits",
                "map(1, v -> v) | map() expects a list, not the int 1",
                "all([1], v -> v) | a condition must be a bool, not the int 1",
                "contains([1], 'a') | '==' cannot compare the int 1 with the string 'a'",
                "slice([1, 2], 1, 3) | slice from 1 to 3 is outside a list of 2 elements",
                "slice([1, 2], 2, 1) | slice from 2 to 1 is outside a list of 2 elements",
                "sort([1, 'a']) | sort() expects a list of numbers or of strings, not the list [1, 'a']",
                "fill(-1, 0) | fill() of -1 elements",
                "set([1], 1, 2) | index 1 is outside a list of 1 elements",
                "pad_left([1, 2], 1, 0) | pad_left() to 1 elements, but the list has 2",
                "broadcast([2, 3], [4]) | shapes [2, 3] and [4] do not broadcast",
                "broadcast([2, 'a'], [1]) | broadcast() expects lists of ints, not the list [2, 'a']",
                "broadcast_all([]) | broadcast_all() of no shapes",
                "broadcast_strides([2], [3]) | shape [2] does not broadcast to [3]",
                "broadcast_strides([2, 2], [2]) | shape [2, 2] does not broadcast to [2]",
                "normalize_axis(4, 4) | axis 4 is outside 4 dimensions, expected -4 to 3",
                "normalize_axes([-5], 4) | axis -5 is outside 4 dimensions, expected -4 to 3",
                "has_extension('a') | has_extension() needs a device, and there is none here",
                "error('stop') | stop"
            })
    void refuses(String source, String reason) {
        assertThatThrownBy(() -> value(source))
                .isInstanceOfSatisfying(
                        ExprException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(reason));
    }
}
