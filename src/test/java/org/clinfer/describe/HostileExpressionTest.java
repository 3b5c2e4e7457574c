package org.clinfer.describe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions that would take forever or all memory: the node is refused with a reason, soon and in little memory. */
final class HostileExpressionTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    /** Binds an operator with these scratch values and this check to one input of shape 2x3. */
    private static List<String> violations(String params, String privs, String check) {
        String json = """
                {"ops": [{"optype": "Bomb", "author": "me", "arch": "none",
                  "tensors_in": [{"arg_name": "x", "mtype": "LN_MEM_NONE"}], "params": [%s], "extra_privs": [%s],
                  "checks": [{"check": "%s"}],
                  "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": "x.dims"}]}]}
                """.formatted(params, privs, check);
        OpCatalog catalog = OpCatalog.empty().with(new TreeMap<>(Map.of("op.json", json.getBytes(UTF_8))));
        ArgValue input = ArgValue.of(TensorType.of(DType.FLOAT32, 2, 3));
        Binding binding = assertTimeout(
                SOON, () -> OpBinder.bind(catalog.find("Bomb").orElseThrow(), "node", List.of(input), Map.of(), 1));
        List<String> messages =
                binding.violations().stream().map(Violation::message).toList();
        assertThat(String.join("", messages)).hasSizeLessThan(200_000);
        return messages;
    }

    private static String privs(int count, IntFunction<String> value) {
        return IntStream.range(0, count)
                .mapToObj(
                        i -> "{\"type\": \"list\", \"name\": \"a%d\", \"value\": \"%s\"}".formatted(i, value.apply(i)))
                .collect(Collectors.joining(",\n"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "all(range(1000000), i -> all(range(1000000), j -> i + j >= 0)) ~ takes more than 1000000 steps",
                "len(map(range(1000), i -> map(range(1000), j -> range(1000)))) > 0 ~ more than 8000000 list elements",
                "len(map(range(100), i -> fill(1000000, 0))) > 0 ~ more than 8000000 list elements",
                "len(range(9223372036854775807)) > 0 ~ larger than the 1000000 allowed",
                "all(range(100000), i -> range(100) == range(100)) ~ more than 8000000 list elements",
                "x.dims[9223372036854775807] > 0 ~ index 9223372036854775807 is outside a list of 2 elements",
                "product(fill(100, 1000000)) > 0 ~ overflows 64 bits"
            })
    void ofOneCheck(String check, String reason) {
        assertThat(violations("", "", check)).singleElement().asString().contains(reason);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "all(range(300000), i -> a0 == a0)",
                "all(range(300000), i -> sum(a0) > 0)",
                "all(range(300000), i -> contains(a0, -1) || i >= 0)",
                "all(range(300000), i -> is_known(a0))"
            })
    void thatReadsALongListAgainAndAgain(String check) {
        assertThat(violations("", privs(1, i -> "range(1000000)"), check))
                .singleElement()
                .asString()
                .contains("the evaluation reads more than 64000000 list elements");
    }

    @Test
    void thatDoublesAList() {
        assertThat(violations(
                        "", privs(60, i -> i == 0 ? "[1]" : "[a" + (i - 1) + ", a" + (i - 1) + "]"), "a40 == a40"))
                .anySatisfy(message -> assertThat(message).contains("has more than 8000000 elements in all"));
    }

    @Test
    void thatShowsANestedList() {
        String nested = privs(6, i -> i == 0 ? "range(16)" : "map(range(16), i -> a" + (i - 1) + ")");
        assertThat(violations("", nested, "(x.ndim == 2 ? a4 : 3) == 3"))
                .anySatisfy(
                        message -> assertThat(message).contains("'==' cannot compare the list [[[[… 16 elements], "));
    }

    @Test
    void thatNestsAListDeeply() {
        assertThat(violations(
                        "", privs(1000, i -> i == 0 ? "[1]" : "[a" + (i - 1) + "]"), "(x.ndim == 2 ? a999 : 3) == 3"))
                .anySatisfy(message -> assertThat(message).contains("a list is nested deeper than 64 levels"));
    }

    @Test
    void thatDoublesAString() {
        String strings = IntStream.range(0, 60)
                .mapToObj(i -> "{\"type\": \"string\", \"name\": \"s%d\", \"value\": \"%s\"}"
                        .formatted(i, i == 0 ? "'x'" : "s" + (i - 1) + " + s" + (i - 1)))
                .collect(Collectors.joining(", "));
        assertThat(violations("", strings, "s40 == 'x'"))
                .anySatisfy(message -> assertThat(message).contains("a string of 1048576 characters is too long"));
        assertThat(violations("", strings, "len(map(range(1000), i -> s19 + 'x')) > 0"))
                .anySatisfy(message -> assertThat(message).contains("more than 8000000 list elements"));
    }

    @Test
    void ofManyParts() {
        String inAll = "the expressions of the description take too much time or memory in all";
        assertThat(violations("", privs(1000, i -> "range(1000000)"), "true"))
                .anySatisfy(message -> assertThat(message).contains(inAll));
        assertThat(violations("", privs(1000, i -> "range(all(range(300000), i -> i >= 0) ? 1 : 2)"), "true"))
                .anySatisfy(message -> assertThat(message).contains(inAll));
    }

    @Test
    void thatBreaksABoundAMillionTimes() {
        String param =
                "{\"arg_name\": \"p\", \"ptype\": \"LN_PARAM_ARRAY_NUMBER\", \"realtype\": \"int\", \"default\": \"range(100000)\", \"lt\": 0}";
        assertThat(violations(param, "", "true")).hasSizeBetween(1, 100);
    }

    @Test
    void thatIsLongToExplain() {
        String heavy = "all(range(200000), i -> i >= 0)";
        assertThat(violations("", "", heavy + " && true".repeat(100) + " && x.ndim == 3"))
                .singleElement()
                .asString()
                .contains("expected ");
    }
}
