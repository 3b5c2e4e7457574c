package org.clinfer.describe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wherever an expression may stand, a name that is not declared before it is refused at its place. */
final class NameRulesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "\"len\": \"x.len\" ~ \"len\": \"nope\" ~ ops[0].tensors_in[2].len",
                "\"len(rest) < 3\" ~ \"nope < 3\" ~ ops[0].tensors_in[2].check",
                "\"default\": \"fill(2, 1)\" ~ \"default\": \"fill(nope, 1)\" ~ ops[0].params[1].default",
                "\"len\": 2, ~ \"len\": \"nope\", ~ ops[0].params[1].len",
                "\"ge\": \"-x.ndim\" ~ \"ge\": \"nope\" ~ ops[0].params[0].ge",
                "\"ge\": \"-x.ndim\" ~ \"check\": \"nope\" ~ ops[0].params[0].check",
                "\"[axis, 2]\" ~ \"[nope, 2]\" ~ ops[0].extra_privs[0].value",
                "\"[axis, 2]\" ~ \"sizes\" ~ ops[0].extra_privs[0].value",
                "\"dtype\": \"x.dtype\" ~ \"dtype\": \"nope.dtype\" ~ ops[0].tensors_out[0].dtype",
                "\"x.dims[0]\"] ~ \"nope\"] ~ ops[0].tensors_out[0].dims[1]",
                "\"x.dims[0]\"] ~ \"index\"] ~ ops[0].tensors_out[0].dims[1]",
                "\"ndim\": 2} ~ \"ndim\": \"nope\"} ~ ops[0].tensors_out[0].ndim",
                "\"ndim\": 2} ~ \"len\": \"nope\"} ~ ops[0].tensors_out[0].len",
                "device.kind == 'gpu' ~ nope == 'gpu' ~ ops[1].checks[0].check",
                "\"name\": \"tile\", \"value\": \"8\" ~ \"name\": \"tile\", \"value\": \"nope\" ~ ops[1].extra_privs[0].value",
                "\"TILE\": \"tile\" ~ \"TILE\": \"nope\" ~ ops[1].run[0].build.TILE",
                "\"args\": {\"x\": \"x\" ~ \"args\": {\"x\": \"nope\" ~ ops[1].run[0].args.x",
                "\"global\": [\"y.len\" ~ \"global\": [\"nope\" ~ ops[1].run[0].global[0]",
                "\"when\": \"has(k)\" ~ \"when\": \"has(nope)\" ~ ops[1].run[0].when",
                "[{\"arg_name\": \"x\", \"mtype\": \"LN_MEM_CPU\", \"dtype\": [\"numeric\"]}] ~ [{\"arg_name\": \"x\", \"ndim\": \"nope\"}] ~ ops[2].tensors_in[0].ndim",
                "[{\"arg_name\": \"x\", \"mtype\": \"LN_MEM_CPU\", \"dtype\": [\"numeric\"]}] ~ [{\"arg_name\": \"x\", \"len\": \"nope\"}] ~ ops[2].tensors_in[0].len",
                "[{\"arg_name\": \"x\", \"mtype\": \"LN_MEM_CPU\", \"dtype\": [\"numeric\"]}] ~ [{\"arg_name\": \"x\", \"check\": \"nope\"}] ~ ops[2].tensors_in[0].check"
            })
    void unknownNamesAreRefused(String original, String replacement, String place) {
        refused(original, replacement, "op.json: " + place + ": unknown name '");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "\"sameshape\": \"x\" ~ \"sameshape\": \"w\" ~ Full: rest: sameshape names 'w', which is not an input before",
                "\"zero_border\": \"sizes\" ~ \"zero_border\": \"y\" ~ Full: rest: zero_border names 'y', which is neither a parameter nor",
                "{\"arg_name\": \"x\", \"mtype\": \"LN_MEM_CPU\", \"dtype\": [\"numeric\"]} ~ {\"arg_name\": \"w\"} ~ tensors_in names 'w', which is not an input of",
                "{\"arg_name\": \"x\", \"mtype\": \"LN_MEM_CPU\", \"dtype\": [\"numeric\"]} ~ {\"arg_name\": \"x\"}, {\"arg_name\": \"x\"} ~ tensors_in names 'x' twice",
                "{\"arg_name\": \"x\", \"mtype\": \"LN_MEM_CPU\", \"dtype\": [\"numeric\"]} ~ {\"arg_name\": \"x\", \"sametype\": \"w\"} ~ x: sametype names 'w'",
                "{\"arg_name\": \"x\", \"mtype\": \"LN_MEM_CPU\", \"dtype\": [\"numeric\"]} ~ {\"arg_name\": \"x\", \"sameshape\": \"w\"} ~ x: sameshape names 'w'"
            })
    void namesOfArgumentsAreThoseOfTheOperator(String original, String replacement, String message) {
        refused(original, replacement, message);
    }

    private static void refused(String original, String replacement, String message) {
        assertThat(FullDescription.JSON).contains(original);
        String json = FullDescription.JSON.replaceFirst(Pattern.quote(original), Matcher.quoteReplacement(replacement));
        assertThatThrownBy(() -> OpCatalog.empty().with(new TreeMap<>(Map.of("op.json", json.getBytes(UTF_8)))))
                .isInstanceOf(DescriptionException.class)
                .hasMessageContaining(message);
    }
}
