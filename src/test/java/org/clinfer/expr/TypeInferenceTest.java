package org.clinfer.expr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Types of expressions before they are evaluated: what fails whatever the values are is found, and nothing else. */
final class TypeInferenceTest {

    private static final Map<String, ValueType> NAMES = Map.of(
            "x", ValueType.TENSOR,
            "b", ValueType.TENSOR.or(ValueType.NULL),
            "xs", ValueType.listOf(ValueType.TENSOR),
            "n", ValueType.INT,
            "r", ValueType.NUMBER,
            "flag", ValueType.BOOL,
            "mode", ValueType.STRING,
            "pads", ValueType.listOf(ValueType.INT),
            "device",
                    ValueType.fields(Map.of(
                            "units",
                            ValueType.INT,
                            "kind",
                            ValueType.STRING,
                            "costs",
                            ValueType.FIELDS,
                            "extensions",
                            ValueType.listOf(ValueType.STRING))),
            "any", ValueType.ANY);

    private static List<String> mistakes(String source, ValueType expected) {
        return Expr.parse(source, "f").mistakes(NAMES, expected).stream()
                .map(ExprException::reason)
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "n + flag ~ '+' cannot take an int and a bool",
                "x + 1 ~ '+' cannot take a tensor and an int",
                "mode - 'a' ~ '-' cannot take a string and a string",
                "-mode ~ '-' cannot take a string",
                "!n ~ a condition must be a bool, not an int",
                "n && flag ~ a condition must be a bool, not an int",
                "x.len ? 1 : 2 ~ a condition must be a bool, not an int",
                "mode == 1 ~ '==' cannot compare a string with an int",
                "flag < true ~ '<' cannot compare a bool with a bool",
                "x.dims < 3 ~ '<' cannot compare a list of ints with an int",
                "x.dims * 2 ~ '*' cannot take a list of ints and an int",
                "x.dim ~ a tensor has no field 'dim', only dims, ndim, len, dtype, data, given; did you mean 'dims'?",
                "device.unit ~ there is no field 'unit'; did you mean 'units'?",
                "is_known(device.unit) ~ there is no field 'unit'; did you mean 'units'?",
                "device.kind < 3 ~ '<' cannot compare a string with an int",
                "n.len ~ an int has no field 'len'",
                "pads.ndim ~ a list of ints has no field 'ndim'",
                "x[0] ~ only a list can be indexed, not a tensor",
                "pads[mode] ~ an index must be an int, not a string",
                "pads[1.5] ~ an index must be an int, not a real",
                "xs[0] + 1 ~ '+' cannot take a tensor and an int",
                "ceil_div(x.len, 2.0) ~ ceil_div() expects an int, not a real",
                "ceil_div(r, 64) + ceil_div(mode, 64) ~ ceil_div() expects an int, not a string",
                "min(1, mode) ~ min() expects a number or a list of numbers, not a string",
                "len(x) ~ len() expects a string or a list, not a tensor",
                "len(n) ~ len() expects a string or a list, not an int",
                "sum(x.dtype) ~ sum() expects a list of numbers, not a string",
                "product(map(pads, p -> 'a')) ~ product() expects a list of numbers, not a list of strings",
                "map(pads, p -> p + flag) ~ '+' cannot take an int and a bool",
                "filter(pads, p -> p) ~ a condition must be a bool, not an int",
                "all(n, p -> p > 0) ~ all() expects a list, not an int",
                "element(n, [0]) ~ element() expects a tensor, not an int",
                "cast(r, 16) ~ cast() expects a string, not an int",
                "broadcast(x.dims, x) ~ broadcast() expects a list of ints, not a tensor",
                "has_extension(3) ~ has_extension() expects a string, not an int",
                "[1, 2] == 2 ~ '==' cannot compare a list of ints with an int"
            })
    void whatCannotBeIsFound(String source, String mistake) {
        assertThat(mistakes(source, ValueType.ANY)).containsExactly(mistake);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "has(b) ? b.len : 0",
                "b == null || b.ndim == 1",
                "any + 1",
                "any.dims[0] + any",
                "nobody_knows + 'a'",
                "device.units >= 64 && device.costs.any > 1 && contains(device.extensions, 'cl_khr_fp16')",
                "[] == x.dims",
                "[1, 'a'][n] + 'b'",
                "(flag ? 1 : 'a') + 2",
                "map(range(x.ndim), i -> x.dims[i] * pads[i])",
                "sum(map(xs, each -> each.len)) + xs.len",
                "pads + [1, x.ndim]",
                "x.dtype + '_' + mode < 'z'",
                "max(pads) + max(1, 2.5) + min([n, r])",
                "floor_div(r, 2)",
                "len(mode) + len(xs)",
                "fill(2, x.dims)[0][1] + 1",
                "set(pads, 0, 7)[0] + pad_left(pads, 3, 1)[0]",
                "sort(x.dims)[0] - reverse(pads)[0] + slice(pads, 0, 1)[0]",
                "error('why') + 1"
            })
    void whatMayBeIsLeftAlone(String source) {
        assertThat(mistakes(source, ValueType.ANY)).isEmpty();
    }

    @Test
    void resultsAreOfTheTypeThatIsExpected() {
        assertThat(mistakes("n > 1", ValueType.INT)).containsExactly("expected an int, not a bool");
        assertThat(mistakes("x.dims", ValueType.INT)).containsExactly("expected an int, not a list of ints");
        assertThat(mistakes("x.len / 2", ValueType.INT)).isEmpty();
        assertThat(mistakes("x.len / 2.0", ValueType.INT)).containsExactly("expected an int, not a real");
        assertThat(mistakes("x.len * r", ValueType.INT)).isEmpty();
        assertThat(mistakes("null", ValueType.BOOL)).containsExactly("expected a bool, not null");
        assertThat(mistakes("[mode]", ValueType.listOf(ValueType.INT)))
                .containsExactly("expected a list of ints, not a list of strings");
        assertThat(mistakes("[]", ValueType.listOf(ValueType.INT))).isEmpty();
        assertThat(mistakes("device", ValueType.NUMBER)).containsExactly("expected a number, not a group of fields");
    }

    @Test
    void allMistakesOfAnExpressionAreFoundEachOnce() {
        assertThat(mistakes("(n + flag) * 2 + x.dim + min(mode)", ValueType.INT))
                .hasSize(3);
        assertThat(mistakes("(n + flag).dims[0] == 'a'", ValueType.BOOL)).hasSize(1);
    }

    @Test
    void aDeviceIsNeededForItsExtensions() {
        Expr extension = Expr.parse("has_extension('cl_khr_fp64')", "");
        assertThat(extension.mistakes(Map.of(), ValueType.BOOL)).hasSize(1);
        assertThat(extension.mistakes(NAMES, ValueType.BOOL)).isEmpty();
    }

    /** The types of values that are known are those of the values. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "1.5",
                "true",
                "'a'",
                "null",
                "[1, 2]",
                "[]",
                "7 / 2",
                "7 / 2.0",
                "1 + 2.5",
                "'a' + 'b'",
                "[1] + [2]",
                "x.dims",
                "x.len",
                "x.dtype",
                "x.data",
                "x.given",
                "x.data[0]",
                "floor(2.5)",
                "int(true)",
                "real(1)",
                "sqrt(4)",
                "pow(2, 3)",
                "abs(-2)",
                "abs(-2.5)",
                "max(1, 2.5)",
                "min([3, 1])",
                "len('abc')",
                "sum([1, 2])",
                "sum([])",
                "product([1.5, 2])",
                "range(3)",
                "contains([1], 1)",
                "index_of([1], 1)",
                "slice([1, 2], 0, 1)",
                "sort(['b', 'a'])",
                "fill(2, 'a')",
                "set([1], 0, 'a')",
                "pad_left([1], 2, 0.5)",
                "map([1, 2], v -> v > 1)",
                "filter([1, 2], v -> v > 1)",
                "all([1], v -> v > 0)",
                "broadcast(x.dims, [1])",
                "broadcast_all([x.dims, [1]])",
                "strides_of(x.dims)",
                "broadcast_strides([1], x.dims)",
                "normalize_axis(-1, 2)",
                "normalize_axes([-1], 2)",
                "element(x, [1])",
                "cast(1.7, 'int8')",
                "cast(1, 'float32')",
                "has(x)",
                "is_known(1)",
                "mod(7, 2)",
                "floor_div(7, 2)",
                "ceil_div(7, 2)"
            })
    void typesAreThoseOfValues(String source) {
        try (Tensor tensor = Tensor.of(new float[] {1, 2, 3}, 3)) {
            assertThat(tensor.dtype()).isEqualTo(DType.FLOAT32);
            ExpressionValue x = ExpressionValue.tensor("x", tensor.type(), tensor);
            Expr expression = Expr.parse(source, "");
            ValueType type = expression.type(NAMES);
            ValueType found =
                    TypeInference.ofValue(expression.evaluate(Scope.empty().with("x", x)));
            assertThat(type.kinds()).containsAll(found.kinds());
            assertThat(type.elementOrAny().kinds())
                    .containsAll(found.element().map(ValueType::kinds).orElse(Set.of()));
            assertThat(type.isAny()).isFalse();
        }
    }

    @Test
    void everyFunctionHasTypes() {
        Set<String> names = new LinkedHashSet<>(FunctionTypes.names());
        names.addAll(List.of("map", "filter", "all", "any"));
        assertThat(names).containsExactlyInAnyOrderElementsOf(Expr.functions());
    }
}
