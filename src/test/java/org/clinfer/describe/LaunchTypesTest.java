package org.clinfer.describe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wherever an expression may stand, one of another type is refused at its place, and all that are wrong at once. */
final class LaunchTypesTest {

    private static List<String> mistakes(Map<String, String> files) {
        Map<String, byte[]> bytes = new TreeMap<>();
        files.forEach((name, text) -> bytes.put(name, text.getBytes(UTF_8)));
        DescriptionException wrong = catchThrowableOfType(
                DescriptionException.class, () -> OpCatalog.empty().with(bytes));
        assertThat(wrong).as("nothing is refused").isNotNull();
        return wrong.mistakes();
    }

    private static String full(String original, String replacement) {
        assertThat(FullDescription.JSON).contains(original);
        return FullDescription.JSON.replaceFirst(Pattern.quote(original), Matcher.quoteReplacement(replacement));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "\"ndim\": 4, ~ \"ndim\": true, ~ ops[0].tensors_in[0].ndim: expected an int, not a bool",
                "\"len\": \"x.len\" ~ \"len\": \"x.dims\" ~ ops[0].tensors_in[2].len: expected an int, not a list of ints",
                "\"x.len > 0, ~ \"x.len, ~ ops[0].tensors_in[0].checks[0].check: expected a bool, not an int",
                "\"len(rest) < 3\" ~ \"rest.ndim < 3\" ~ ops[0].tensors_in[2].check: a list of tensors has no field 'ndim'",
                "\"ge\": \"-x.ndim\" ~ \"ge\": \"x.dtype\" ~ ops[0].params[0].ge: expected a number, not a string",
                "\"default\": \"fill(2, 1)\" ~ \"default\": \"x.len\" ~ ops[0].params[1].default: expected a list of numbers, not an int",
                "\"len\": 2, ~ \"len\": \"mode\", ~ ops[0].params[1].len: unknown name 'mode'",
                "\"[axis, 2]\" ~ \"x.ndim\" ~ ops[0].extra_privs[0].value: expected a list of numbers, not an int",
                "\"sizes[0] > 0\" ~ \"mode > 0\" ~ ops[0].checks[0].check: '>' cannot compare a string with an int",
                "\"sizes[1] == 2\" ~ \"sizes == 2\" ~ ops[0].custom: '==' cannot compare a list of ints with an int",
                "\"dtype\": \"x.dtype\", \"dims\": [2 ~ \"dtype\": \"x\", \"dims\": [2 ~ ops[0].tensors_out[0].dtype: expected a string, not a tensor",
                "\"x.dims[0]\"] ~ \"x.dims\"] ~ ops[0].tensors_out[0].dims[1]: expected an int, not a list of ints",
                "\"y.dims + [index]\" ~ \"y.dims + index\" ~ ops[0].tensors_out[1].dims: '+' cannot take a list of ints and an int",
                "device.kind == 'gpu' ~ device.kind ? 1 : 2 ~ ops[1].checks[0].check: expected a bool, not an int",
                "\"tile\", \"value\": \"8\" ~ \"tile\", \"value\": \"'8'\" ~ ops[1].extra_privs[0].value: expected a number, not a string",
                "\"TILE\": \"tile\" ~ \"TILE\": \"x.dims\" ~ ops[1].run[0].build.TILE: expected a number or a bool or a string, not a list of ints",
                "\"n\": \"z.len * index\" ~ \"n\": \"z.len * mode\" ~ ops[1].run[0].args.n: '*' cannot take an int and a string",
                "\"global\": [\"y.len\" ~ \"global\": [\"y.len > 1\" ~ ops[1].run[0].global[0]: expected an int, not a bool",
                "\"global\": [\"y.len\", 1] ~ \"global\": [\"y.len\", true] ~ ops[1].run[0].global[1]: expected an int, not a bool",
                "\"local\": [\"tile\" ~ \"local\": [\"mode\" ~ ops[1].run[0].local[0]: expected an int, not a string",
                "\"when\": \"has(k)\" ~ \"when\": \"k\" ~ ops[1].run[0].when: expected a bool, not a tensor",
                "\"element(x, at)\" ~ \"element(x, at) > 0 ? x.dims : at\" ~ ops[2].run[0].value: expected a number or a bool, not a list of ints",
                "\"element(x, at)\" ~ \"element(x, 0)\" ~ ops[2].run[0].value: element() expects a list of ints, not an int",
                "\"dims\": [64] ~ \"dims\": [6.5] ~ ops[3].tensors_out[0].dims[0]: expected an int, not a real",
                "\"from_func\": \"value == 'on' ? 1 : 0\" ~ \"from_func\": \"value\" ~ ops[4].params[0].from_func: expected a number, not a string",
                "\"when\": \"how > 0\" ~ \"when\": \"how\" ~ ops[4].variants[0].run[0](copy).when: expected a bool, not an int",
                "\"x.ndim > 1\" ~ \"x.ndim\" ~ ops[6].ops[0].when: expected a bool, not an int",
                "ceil_div($from.len, $group) ~ ceil_dev($from.len, $group) ~ ops[4].variants[0].run[0](copy).global[0]: unknown function 'ceil_dev'; did you mean 'ceil_div'?",
                "ceil_div($from.len, $group) ~ ceil_div($from.len) ~ ops[4].variants[0].run[0](copy).global[0]: ceil_div() takes 2 arguments, not 1"
            })
    void aTypeThatCannotBe(String original, String replacement, String mistake) {
        assertThat(mistakes(Map.of("op.json", full(original, replacement))))
                .anyMatch(found -> found.startsWith("op.json: " + mistake));
    }

    @Test
    void unknownNamesComeWithTheOneThatMayBeMeant() {
        assertThat(mistakes(Map.of("op.json", full("\"local\": [\"tile\"", "\"local\": [\"tyle\""))))
                .singleElement()
                .asString()
                .startsWith("op.json: ops[1].run[0].local[0]: unknown name 'tyle' in: tyle; did you mean 'tile'?;");
    }

    /** Syntax, names, types, fields and declarations, of several operators and files, in one go. */
    @Test
    void allMistakesOfAFolderAtOnce() {
        String wrong = full("\"y.len\", 1]", "\"y.len +\", \"y.dims\"]")
                .replace("\"sizes[0] > 0\"", "\"sizes[0] > nope\"")
                .replace("\"when\": \"has(k)\"", "\"when\": 3")
                .replace("{\"tensor\": \"y\", \"value\": \"element(x, at)\"}", "{\"tensor\": \"y\", \"value\": \"x\"}")
                .replace("\"doc\": \"weights in tiles\"", "\"docs\": \"weights in tiles\"");
        String other =
                new Toy().input("x", "").output("y", "`dtype`: 3, `dims`: []").json("Other");
        List<String> mistakes =
                mistakes(Map.of("op.json", wrong, "other.json", "{\"ops\": [" + other.replace('`', '"') + "]}"));
        assertThat(mistakes)
                .extracting(mistake -> mistake.replaceFirst(": [^:]*$", ""))
                .anySatisfy(found -> assertThat(found).startsWith("op.json: ops[1].run[0].global[0]"))
                .anySatisfy(found -> assertThat(found).startsWith("op.json: ops[1].run[0].global[1]"))
                .anySatisfy(found -> assertThat(found).startsWith("op.json: ops[0].checks[0].check"))
                .anySatisfy(found -> assertThat(found).startsWith("op.json: ops[1].run[0].when"))
                .anySatisfy(found -> assertThat(found).startsWith("op.json: ops[2].run[0].value"))
                .anySatisfy(found -> assertThat(found).startsWith("op.json: ops[3].tensors_out[0]"))
                .anySatisfy(found -> assertThat(found).startsWith("other.json: ops[0].tensors_out[0].dtype"))
                .hasSize(7);
    }

    @Test
    void soManyMistakesThatNobodyReadsThemAreCut() {
        String checks = "{`check`: `nope > 1`}, ".repeat(400) + "{`check`: `true`}";
        String op = new Toy()
                .input("x", "")
                .outputLike("y", "x")
                .with("`checks`: [" + checks + "]")
                .json("Toy");
        DescriptionException wrong = catchThrowableOfType(DescriptionException.class, () -> Toy.catalog(op));
        assertThat(wrong.mistakes()).hasSizeBetween(10, 50);
        assertThat(wrong).hasMessageStartingWith("more than " + wrong.mistakes().size() + " mistakes");
        assertThat(wrong.getMessage()).hasSizeLessThan(10_000);
    }
}
