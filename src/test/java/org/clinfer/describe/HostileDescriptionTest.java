package org.clinfer.describe;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Descriptions that are made to do harm end in one message with file, place and reason, soon and in little memory. */
final class HostileDescriptionTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private static OpCatalog load(byte[] json) {
        return OpCatalog.empty().with(new TreeMap<>(Map.of("op.json", json)));
    }

    private static void refused(byte[] json, String message) {
        assertTimeout(
                SOON,
                () -> assertThatThrownBy(() -> load(json))
                        .isInstanceOfSatisfying(
                                DescriptionException.class,
                                refusal -> assertThat(refusal.mistakes().get(0)).startsWith("op.json: "))
                        .hasMessageContaining(message)
                        .satisfies(refusal -> assertThat(refusal.getMessage()).hasSizeLessThan(10_000)));
    }

    private static void refused(String json, String message) {
        refused(json.getBytes(UTF_8), message);
    }

    /** The full description with a part replaced, which it has to have. */
    private static String full(String part, String replacement) {
        assertThat(FullDescription.JSON).contains(part);
        return FullDescription.JSON.replace(part, replacement);
    }

    private static String repeated(int count, String element) {
        return IntStream.range(0, count)
                .mapToObj(i -> element.replace("#", "" + i))
                .collect(Collectors.joining(", "));
    }

    @Test
    void whatIsNoJson() {
        refused("", "expected an object, found nothing");
        refused("   ", "expected an object, found nothing");
        refused("null", "expected an object, found null");
        refused("\u0000\u0001", "line 1, column 1");
        refused(new byte[] {'{', '"', (byte) 0xff, (byte) 0xfe, '"', ':', '1', '}'}, "line 1");
        refused(full("all fields", "\u00e9").getBytes(ISO_8859_1), "line 2");
        refused("{\"ops\": [], \"ops\": []}", "Duplicate Object property \"ops\"");
        refused("{\"ops\": " + "[".repeat(1_000_000), "nesting depth");
        refused("{\"ops\": " + "{\"a\": ".repeat(1_000_000), "nesting depth");
        refused("{\"ops\": [], \"" + "a".repeat(1_000_000) + "\": 1}", "Name length");
        refused("{\"ops\": [" + "9".repeat(1_000_000) + "]}", " length");
        refused("{\"ops\": [\"" + "9".repeat(1_000_000) + "\"]}", " length");
    }

    @Test
    void everyEncodingOfJsonIsRead() {
        assertThat(load(FullDescription.JSON.getBytes(UTF_16)).find("Full")).isPresent();
    }

    @Test
    void aHugeFile(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("op.json"), "{\"ops\": [" + " ".repeat(9 << 20) + "]}");
        assertThatThrownBy(() -> OpCatalog.of(folder))
                .isInstanceOf(DescriptionException.class)
                .hasMessageContaining("op.json: the file is larger than 8388608 bytes");
    }

    @Test
    void enormousLists() {
        String check = "[{\"check\": \"sizes[0] > 0\"}]";
        refused(full(check, "[" + repeated(100_000, "{\"check\": \"true\"}") + "]"), "ops[0].checks: expected at most");
        refused(
                "{\"ops\": [" + repeated(200_000, "{\"optype\": \"a#\"}") + "]}",
                "ops: expected at most 10000 elements");
        String label = "\"dtype\": \"int64\"";
        refused(full(label, "\"dtype\": [" + repeated(500_000, "\"int8\"") + "]"), "tensors_in[1].dtype: expected at");
        String sizes = "\"global\": [\"y.len\", 1]";
        refused(full(sizes, "\"global\": [" + repeated(500_000, "1") + "]"), "ops[1].run[0].global: expected at most");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "\"ndim\": 4 ~ \"ndim\": 1e400 ~ tensors_in[0].ndim: a number is too large for 64 bits",
                "\"ndim\": 4 ~ \"ndim\": \"1e400\" ~ tensors_in[0].ndim: the number 1e400 does not fit 64 bits",
                "\"ndim\": 4 ~ \"ndim\": -9223372036854775809 ~ tensors_in[0].ndim: the number -9223372036854775809",
                "\"eq\": [1, 2.5] ~ \"eq\": [1, -1e999] ~ params[1].eq[1]: a number is too large for 64 bits",
                "sizes[0] > 0 ~ 9223372036854775808 > 0 ~ ops[0].checks[0].check: the number 9223372036854775808",
                "sizes[0] > 0 ~ exec('ls') > 0 ~ ops[0].checks[0].check: unknown function 'exec'",
                "\"name\": \"sizes\" ~ \"name\": \"x\" ~ op.json: Full: the name 'x' is declared twice",
                "\"arg_name\": \"y\" ~ \"arg_name\": \"sizes\" ~ op.json: Full: the name 'sizes' is declared twice",
                "\"arg_name\": \"z\" ~ \"arg_name\": \"output_count\" ~ Full: the name 'output_count' is reserved",
                "\"name\": \"tile\" ~ \"name\": \"axis\" ~ op.json: Full_fast: the name 'axis' is declared twice",
                "\"Full_fast\" ~ \"Full\" ~ op.json: the optype Full of variant 'fast' of Full is taken already in op.json",
                "\"sametype\": \"x\" ~ \"sametype\": \"rest\" ~ rest: sametype names 'rest', which is not an input before"
            })
    void whatLooksRight(String original, String replacement, String message) {
        refused(full(original, replacement), message);
    }

    @Test
    void hugeExpressions() {
        refused(
                full("sizes[0] > 0", "1 + ".repeat(5000) + "1 > 0"),
                "ops[0].checks[0].check: the expression has 20005");
        refused(full("sizes[0] > 0", "(".repeat(1000)), "ops[0].checks[0].check: the expression is nested deeper");
        refused(full("sizes[0] > 0", "1 > 0" + "&&1>0".repeat(700)), "chains more than 512 operations");
        refused(full("sizes[0] > 0", "u".repeat(4000) + " > 0"), "ops[0].checks[0].check: unknown name");
    }

    @Test
    void twoOfAName() {
        String operator =
                "{\"optype\": \"A\", \"author\": \"me\", \"arch\": \"none\", \"tensors_in\": [], \"tensors_out\": []}";
        refused("{\"ops\": [" + operator + ", " + operator + "]}", "operator A is described already in op.json");
        String variant =
                "{\"optype\": \"A_v\", \"author\": \"me\", \"arch\": \"opencl\", \"inherits\": \"A\", \"variant\": \"v\"}";
        refused(
                "{\"ops\": [" + operator + ", " + variant + ", " + variant + "]}",
                "variant 'v' of A is described already in op.json");
    }

    @Test
    void inheritanceInARing() {
        String variant =
                "{\"optype\": \"%s\", \"author\": \"me\", \"arch\": \"opencl\", \"inherits\": \"%s\", \"variant\": \"v\"}";
        String ring = variant.formatted("A", "B") + ", " + variant.formatted("B", "A");
        refused("{\"ops\": [" + ring + "]}", "A: inherits 'B', which is not a known abstract operator");
        refused("{\"ops\": [" + variant.formatted("A", "A") + "]}", "inherits 'A', which is not a known abstract");
    }

    @Test
    void compositionInARing() {
        String itself = "{\"name\": \"second\", \"optype\": \"Twin\"";
        refused(
                full("{\"name\": \"second\", \"optype\": \"Same\"", itself),
                "second: the operator consists of itself: Twin > Twin");
        String ring = full("{\"optype\": \"Twin\",", """
                {"optype": "Same_parts", "author": "me", "arch": "graph", "inherits": "Same", "variant": "parts",
                 "ops": [{"name": "only", "optype": "Twin", "tensors_in": [{"arg_name": "x", "name": "x"}],
                          "tensors_out": [{"arg_name": "y", "name": "y"}]}]},
                {"optype": "Twin",""");
        refused(ring, "the operator consists of itself: ");
    }

    /** A chain of operators, each composed of the one before twice: 2^200 of the first. */
    @Test
    void compositionThatDoubles() {
        StringBuilder chain = new StringBuilder();
        for (int i = 1; i <= 200; i++) {
            chain.append("""
                    {"optype": "T#", "author": "me", "arch": "none", "tensors_in": [{"arg_name": "x", "mtype": "LN_MEM_NONE"}],
                     "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": "x.dims"}]},
                    {"optype": "T#_parts", "author": "me", "arch": "graph", "inherits": "T#", "variant": "parts", "ops": [
                     {"name": "a", "optype": "T@", "tensors_in": [{"arg_name": "x", "name": "x"}],
                      "tensors_out": [{"arg_name": "y", "name": "t"}]},
                     {"name": "b", "optype": "T@", "tensors_in": [{"arg_name": "x", "name": "t"}],
                      "tensors_out": [{"arg_name": "y", "name": "y"}]}]},
                    """.replace("#", "" + i).replace("T@", i == 1 ? "Same" : "T" + (i - 1)));
        }
        refused(
                full("{\"optype\": \"Twin\",", chain + "{\"optype\": \"Twin\","),
                "T14_parts: ops: more than 10000 operators in all");
    }

    @Test
    void compositionThatIsDeep() {
        StringBuilder chain = new StringBuilder();
        for (int i = 1; i <= 40; i++) {
            chain.append("""
                    {"optype": "T#", "author": "me", "arch": "none", "tensors_in": [{"arg_name": "x", "mtype": "LN_MEM_NONE"}],
                     "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": "x.dims"}]},
                    {"optype": "T#_parts", "author": "me", "arch": "graph", "inherits": "T#", "variant": "parts", "ops": [
                     {"name": "a", "optype": "T@", "tensors_in": [{"arg_name": "x", "name": "x"}],
                      "tensors_out": [{"arg_name": "y", "name": "y"}]}]},
                    """.replace("#", "" + i).replace("T@", i == 1 ? "Same" : "T" + (i - 1)));
        }
        refused(full("{\"optype\": \"Twin\",", chain + "{\"optype\": \"Twin\","), "more than 32 composed operators");
    }

    @Test
    void manyVariants() {
        String operator =
                "{\"optype\": \"A\", \"author\": \"me\", \"arch\": \"none\", \"tensors_in\": [], \"tensors_out\": []}";
        String variant =
                "{\"optype\": \"A#\", \"author\": \"me\", \"arch\": \"opencl\", \"inherits\": \"A\", \"variant\": \"v#\"}";
        String json = "{\"ops\": [" + operator + ", " + repeated(9_999, variant) + "]}";
        assertTimeout(
                SOON, () -> assertThat(load(json.getBytes(UTF_8)).variants("A")).hasSize(9_999));
    }
}
