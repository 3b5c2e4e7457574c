package org.clinfer.describe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.expr.Check;
import org.clinfer.expr.Expr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Families of descriptions: what an object that is like one becomes, and what is refused. */
final class FamiliesTest {

    private static final String FIELDS = "`arch`: `none`, `tensors_in`: [{`arg_name`: `x`, `mtype`: `LN_MEM_NONE`}], "
            + "`tensors_out`: [{`arg_name`: `y`, `mtype`: `LN_MEM_NONE`, `dtype`: `x.dtype`, `dims`: `x.dims`}]";

    /** The catalogue of toy.json with the operator Toy, and of files beside it, given as name and content. */
    private static OpCatalog catalog(String families, String fields, String... others) {
        Map<String, byte[]> files = new HashMap<>();
        String toy = "{`author`: `me`, " + families + ", `ops`: [{`optype`: `Toy`, " + fields + "}]}";
        files.put("toy.json", toy.replace('`', '"').getBytes(UTF_8));
        for (int i = 0; i < others.length; i += 2) {
            files.put(others[i], others[i + 1].replace('`', '"').getBytes(UTF_8));
        }
        return OpCatalog.empty().with(files);
    }

    private static OpDescription toy(String families, String fields, String... others) {
        return catalog(families, fields, others).find("Toy").orElseThrow();
    }

    private static VariantDescription variant(String families, String fields) {
        return catalog(families, FIELDS + ", `variants`: [{`variant`: `v`, " + fields + "}]")
                .variants("Toy")
                .get(0);
    }

    private static List<String> checks(List<Check> checks) {
        return checks.stream().map(check -> check.condition().source()).toList();
    }

    @Test
    void anObjectHasTheFieldsOfItsFamilyToo() {
        OpDescription op = toy(
                "`families`: {`moved`: {" + FIELDS + ", `moves`: true, `checks`: [{`check`: `x.ndim > 0`}]}}",
                "`like`: `moved`, `doc`: `Toys`, `checks`: [{`check`: `x.ndim > 1`}]");
        assertThat(op.author()).isEqualTo("me");
        assertThat(op.doc()).isEqualTo("Toys");
        assertThat(op.moves()).isTrue();
        assertThat(checks(op.checks())).containsExactly("x.ndim > 0", "x.ndim > 1");
    }

    @Test
    void namesStandForValues() {
        OpDescription op = toy(
                "`families`: {`most`: {`defaults`: {`size`: 3, `unit`: `axes`},"
                        + " `check`: `$of.ndim <= $size, \\`more than $size $unit of ${of}_1\\``}}",
                FIELDS + ", `checks`: [{`like`: `most`, `of`: `x`},"
                        + " {`like`: `most`, `of`: `x`, `size`: 4, `unit`: `$dimensions`}]");
        assertThat(checks(op.checks())).containsExactly("x.ndim <= 3", "x.ndim <= 4");
        assertThat(op.checks())
                .extracting(Check::message)
                .containsExactly("more than 3 axes of x_1", "more than 4 $dimensions of x_1");
    }

    @Test
    void aNameAloneStandsForAValueOfAnyKind() {
        OpDescription op = toy(
                "`families`: {`some`: {`arg_name`: `n`, `ptype`: `LN_PARAM_ARRAY_NUMBER`, `realtype`: `int`, `default`: `$numbers`}}",
                FIELDS + ", `params`: [{`like`: `some`, `numbers`: [1, 2]}]");
        assertThat(op.params().get(0).byDefault().map(Expr::source)).contains("[1, 2]");
    }

    @Test
    void aListStandsForItsElements() {
        OpDescription op = toy(
                "`families`: {`both`: [{`check`: `$low < x.ndim`}, {`check`: `x.ndim < $high`}], `high`: {`check`: `x.ndim < 9`}}",
                FIELDS + ", `checks`: [{`check`: `true`}, {`like`: `both`, `low`: 1, `high`: 5}, {`like`: `high`}]");
        assertThat(checks(op.checks())).containsExactly("true", "1 < x.ndim", "x.ndim < 5", "x.ndim < 9");
    }

    @Test
    void familiesAreLikeOthers() {
        VariantDescription variant = variant(
                "`families`: {`outer`: {`like`: `inner`, `from`: `$input`, `global`: [1]},"
                        + " `inner`: {`kernel`: `a.cl#a`, `args`: {`like`: `sizes`, `x`: `$from`}}, `sizes`: {`len`: `y.len`}}",
                "`run`: [{`like`: `outer`, `input`: `x`, `local`: [1]}]");
        LaunchDescription launch = variant.run().get(0);
        assertThat(launch.args()).hasToString("{len=y.len, x=x}");
        assertThat(launch.local()).hasSize(1);
    }

    @Test
    void filesShareFamilies() {
        String shared = "{`families`: {`ranked`: {`check`: `x.ndim == $ndim`}, `other`: []}}";
        OpDescription op = toy(
                "`uses`: [`shared.json`]",
                FIELDS + ", `checks`: [{`like`: `ranked`, `ndim`: 4}]",
                "shared.json",
                shared);
        assertThat(checks(op.checks())).containsExactly("x.ndim == 4");
    }

    @Test
    void variantsStandInTheirOperator() {
        VariantDescription variant = variant(
                "`uses`: []",
                "`doc`: `d`, `checks`: [{`fits_int`: [`x.len`, `2 * y.len`]}]"
                        + ", `run`: [{`kernel`: `a.cl#a`, `global`: [1]}]");
        assertThat(variant.optype()).isEqualTo("Toy_v");
        assertThat(variant.inherits()).isEqualTo("Toy");
        assertThat(variant.author()).isEqualTo("me");
        assertThat(variant.checks())
                .extracting(check -> check.condition().source(), Check::message)
                .containsExactly(
                        tuple("x.len < 2147483648 && 2 * y.len < 2147483648", "2^31 elements or more in one tensor"));
        String unused =
                "`autogen`: false, `variants`: [{`variant`: `v`, `optype`: `Mine`, `run`: [{`kernel`: `a.cl#a`, `global`: [1]}]}]";
        assertThat(catalog("`uses`: []", FIELDS + ", " + unused).operators()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '\0',
            value = {
                "{`a`: {`check`: `true`}} ~ {`like`: `b`} ~ ops[0].checks[0]: there is no family 'b'",
                "{`a`: {`check`: `true`}} ~ {`like`: [1]} ~ ops[0].checks[0]: there is no family '[1]'",
                "{`a`: {`check`: `true`}} ~ {`check`: `true`} ~ families.a: no 'like' names this family",
                "{`a`: {`check`: `$b`}} ~ {`like`: `a`} ~ ops[0].checks[0]: the family 'a' needs 'b'",
                "{`a`: {`check`: `true`}} ~ {`like`: `a`, `check`: `true`} ~ ops[0].checks[0]: the family 'a' has a 'check' already",
                "{`a`: {`check`: `true`}} ~ {`like`: `a`, `b`: 1} ~ ops[0].checks[0](a): unknown field 'b'",
                "{`a`: [{`check`: `true`}]} ~ {`like`: `a`, `b`: 1} ~ ops[0].checks[0]: the family 'a' is a list, and takes no 'b'",
                "{`a`: {`check`: `1 $b`}} ~ {`like`: `a`, `b`: [1]} ~ ops[0].checks[0].check: $b stands within a string, and its value is a list (in the family 'a')",
                "{`a`: {`like`: `b`}, `b`: {`like`: `a`}} ~ {`like`: `a`} ~ ops[0].checks[0]: the family 'a' is like itself (in the family 'b')",
                "{`a`: {`check`: `$b`}, `b`: []} ~ {`like`: `a`, `b`: {`like`: `b`}} ~ ops[0].checks[0].b: the family 'b' is a list, and stands for elements of lists alone",
                "{`a`: {`check`: `1 +`}} ~ {`like`: `a`} ~ ops[0].checks[0](a).check: expected a value, found the end, at column 4 of: 1 +",
                "{`a`: {`defaults`: {`b`: 1}, `check`: `true`}} ~ {`like`: `a`} ~ families.a.defaults: there is no $b in the family",
                "{`a`: {`defaults`: 1, `check`: `true`}} ~ {`like`: `a`} ~ families.a.defaults: expected an object, found 1",
                "{`a b`: {}} ~ {`like`: `a b`} ~ families: expected names of letters, digits and '_', found 'a b'",
                "{`a`: 1} ~ {`like`: `a`} ~ families.a: expected an object or a list, found 1",
                "[] ~ {`like`: `a`} ~ families: expected an object, found a list",
            })
    void isRefused(String families, String check, String message) {
        assertThatThrownBy(() -> catalog("`families`: " + families, FIELDS + ", `checks`: [" + check + "]"))
                .isInstanceOf(DescriptionException.class)
                .hasMessage("toy.json: " + message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '\0',
            value = {
                "`uses`: [`b.json`] ~ uses: there is no file 'b.json' in this folder",
                "`uses`: [`../a.json`] ~ uses: expected a file of this folder such as shared.json, found '../a.json'",
                "`uses`: [`a.json`, `a.json`] ~ uses: the family 'a' of a.json is there already",
                "`uses`: [`a.json`], `families`: {`a`: []} ~ uses: the family 'a' of a.json is there already",
                "`uses`: [`a.json`], `families`: {`b`: {`check`: `true`}} ~ uses: no 'like' names a family of a.json",
            })
    void filesAreRefused(String fields, String message) {
        String likeB = fields.contains("`b`") ? ", `checks`: [{`like`: `b`}]" : "";
        assertThatThrownBy(() -> catalog(fields, FIELDS + likeB, "a.json", "{`families`: {`a`: []}}"))
                .isInstanceOf(DescriptionException.class)
                .hasMessage("toy.json: " + message);
    }

    @Test
    void whatFamiliesMakeIsBounded() {
        StringBuilder lists = new StringBuilder("`families`: {`f0`: [{`check`: `true`}, {`check`: `true`}]");
        StringBuilder texts = new StringBuilder("`families`: {`f0`: [{`check`: `$a`}]");
        for (int i = 1; i < 15; i++) {
            String inner = "{`like`: `f" + (i - 1) + "`";
            lists.append(", `f" + i + "`: [" + String.join(", ", Collections.nCopies(8, inner + "}")) + "]");
            texts.append(", `f" + i + "`: [" + inner + ", `a`: `" + "$a".repeat(50) + "`}]");
        }
        String bounded = "families make more than 1048576 values and characters of this file";
        assertThatThrownBy(() -> catalog(lists + "}", FIELDS + ", `checks`: [{`like`: `f14`}]"))
                .hasMessageContaining(bounded);
        assertThatThrownBy(() -> catalog(texts + "}", FIELDS + ", `checks`: [{`like`: `f14`, `a`: `1`}]"))
                .hasMessageContaining(bounded);
        StringBuilder deep = new StringBuilder("`families`: {`f0`: []");
        for (int i = 1; i < 18; i++) {
            deep.append(", `f" + i + "`: [{`like`: `f" + (i - 1) + "`}]");
        }
        assertThat(toy(
                                deep.toString().replace(", `f16`: [{`like`: `f15`}], `f17`: [{`like`: `f16`}]", "}"),
                                FIELDS + ", `checks`: [{`like`: `f15`}]")
                        .checks())
                .isEmpty();
        assertThatThrownBy(() -> catalog(deep + "}", FIELDS + ", `checks`: [{`like`: `f17`}]"))
                .hasMessageContaining("more than 16 families are like each other (in the family 'f2')");
    }
}
