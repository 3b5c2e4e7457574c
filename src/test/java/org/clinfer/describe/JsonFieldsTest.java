package org.clinfer.describe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.expr.Check;
import org.clinfer.expr.Expr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fields of a description: the constants they take, both sides of the bounds on their length, what is left out. */
final class JsonFieldsTest {

    private static void refused(String message, String... ops) {
        assertThatThrownBy(() -> Toy.catalog(ops))
                .isInstanceOfSatisfying(
                        DescriptionException.class,
                        wrong -> assertThat(wrong.mistakes().get(0)).isEqualTo("toy.json: " + message));
    }

    private static String kernel(String launch) {
        return Toy.variant("Toy", "opencl", "v", "`run`: [{`kernel`: `a.cl#a`, " + launch + "}]");
    }

    @Test
    void listsAreBounded() {
        String thousand = String.join(", ", Collections.nCopies(1000, "`int8`"));
        Toy most = new Toy().input("x", "`dtype`: [" + thousand + "]");
        assertThat(most.op().inputs().get(0).dtypes()).hasSize(1);
        refused(
                "ops[0].tensors_in[0].dtype: expected at most 1000 elements, found 1001",
                new Toy().input("x", "`dtype`: [" + thousand + ", `int8`]").json("Toy"));
        String[] many = Collections.nCopies(10_000, "1").toArray(String[]::new);
        refused("ops[0]: expected an object, found 1", many);
        refused(
                "ops: expected at most 10000 elements, found 10001",
                Collections.nCopies(10_001, "1").toArray(String[]::new));
    }

    @Test
    void factsAboutElements() {
        OpDescription op = new Toy()
                .input("x", "")
                .input("places", "`dtype`: [`int64`]")
                .input("z", "`sametype`: `x`")
                .outputLike("y", "x")
                .with("`elementwise`: true, `moves`: true")
                .op();
        assertThat(op.elementwise()).isTrue();
        assertThat(op.moves()).isTrue();
        assertThat(op.moved()).containsExactly(0, 2);
        OpDescription silent = new Toy().input("x", "").outputLike("y", "x").op();
        assertThat(silent.elementwise()).isFalse();
        assertThat(silent.moves()).isFalse();
    }

    /** Earlier descriptions have it. */
    @Test
    void workOnTheCpuIsTakenWithoutEffect() {
        Toy toy = new Toy().input("x", "").outputLike("y", "x").with("`cpu_work`: `softmax`");
        assertThat(toy.op().elementwise()).isFalse();
        refused(
                "ops[0].cpu_work: expected a string, found 1",
                toy.with("`cpu_work`: 1").json("Toy"));
    }

    @Test
    void factsNeedOneOutput() {
        Toy two = new Toy().input("x", "").outputLike("y", "x").outputLike("z", "x");
        refused(
                "Toy: elementwise: expected an input with elements and one output",
                two.with("`elementwise`: true").json("Toy"));
        refused(
                "Toy: moves: expected one output, whose dtype is that of an input",
                two.with("`moves`: true").json("Toy"));
        Toy other = new Toy().input("x", "").output("y", "`dtype`: `int64`, `dims`: `x.dims`");
        refused(
                "Toy: moves: expected one output, whose dtype is that of an input",
                other.with("`moves`: true").json("Toy"));
        refused(
                "Toy: elementwise: expected an input with elements and one output",
                new Toy()
                        .input("x", "`value`: true")
                        .outputLike("y", "x")
                        .with("`elementwise`: true")
                        .json("Toy"));
    }

    @Test
    void foundTextsAreCut() {
        refused(
                "ops[0].tensors_in: expected a list, found the string '" + "x".repeat(200) + "'",
                new Toy().json("Toy").replace("`tensors_in`: []", "`tensors_in`: `" + "x".repeat(200) + "`"));
        refused(
                "ops[0].tensors_in: expected a list, found the string '" + "x".repeat(200) + "…'",
                new Toy().json("Toy").replace("`tensors_in`: []", "`tensors_in`: `" + "x".repeat(201) + "`"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "ARRAY_NUMBER | `realtype`: `float`, `default`: [1, 2.5, 1e3] | [1, 2.5, 1000.0]",
                "ARRAY_BOOL | `default`: [true, false] | [true, false]",
                "ARRAY_STRING | `default`: [`a`] | ['a']",
                "BOOL | `default`: null | null",
                "BOOL | `default`: false | false",
                "STRING | `default`: `1 + 1` | '1 + 1'",
                "NUMBER | `realtype`: `int`, `default`: `1 + 1` | 1 + 1",
                "NUMBER | `realtype`: `int`, `default`: -9223372036854775808 | -9223372036854775808",
            })
    void constants(String type, String fields, String shown) {
        Toy toy = new Toy().param("p", type, fields);
        assertThat(toy.op().params().get(0).byDefault().map(Expr::source)).contains(shown);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "`default`: [1, {}] | default[1]: expected a constant, found an object",
                "`default`: [1, [2, {}]] | default[1][1]: expected a constant, found an object",
                "`default`: [1, 99999999999999999999] | default[1]: the number 99999999999999999999 does not fit 64 bits",
                "`default`: [1, 1e999] | default[1]: a number is too large for 64 bits",
                "`default`: [1, null] | default: expected a list of ints, found a list",
                "`ge`: [1, `a`] | ge[1]: expected a number, found the string 'a'",
                "`ge`: {} | ge: expected a number or an expression, found an object",
            })
    void wrongConstants(String fields, String message) {
        refused(
                "ops[0].params[0]." + message,
                new Toy()
                        .param("p", "ARRAY_NUMBER", "`realtype`: `int`, " + fields)
                        .json("Toy"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "NUMBER | `realtype`: `int`, `from_func`: `1` | from_func: only strings have a from_func, and the ptype is LN_PARAM_NUMBER",
                "BOOL | `realtype`: `int` | realtype: only numbers, and strings with a from_func, have a realtype, and the ptype is LN_PARAM_BOOL",
                "BOOL | `one_of`: [`a`] | one_of: only strings have a one_of, and the ptype is LN_PARAM_BOOL",
                "STRING | `ge`: 1 | ge: only numbers have bounds, and the ptype is LN_PARAM_STRING",
                "STRING | `len`: 1 | len: only arrays have a len, and the ptype is LN_PARAM_STRING",
                "BOOL | `default`: [true] | default: expected a bool, found a list",
            })
    void fieldsOfOtherTypes(String type, String fields, String message) {
        refused(
                "ops[0].params[0]." + message,
                new Toy().param("p", type, fields).json("Toy"));
    }

    @Test
    void functionsByNameOrExpression() {
        String fields = "`realtype`: `int`, `ge`: 0, `from_func`: ";
        Toy toy = new Toy()
                .param("a", "STRING", fields + "`len`")
                .param("b", "STRING", fields + "`abs(len(value))`")
                .param("c", "STRING", fields + "`len([value])`");
        assertThat(toy.op().params())
                .extracting(param -> param.fromFunc().map(Expr::source).orElse(""))
                .containsExactly("len(value)", "abs(len(value))", "len([value])");
    }

    @Test
    void workSizes() {
        String op = new Toy().json("Toy");
        LaunchDescription launch = Toy.catalog(op, kernel("`global`: [1, 2, 3], `local`: [1, 2, 3]"))
                .variants("Toy")
                .get(0)
                .run()
                .get(0);
        assertThat(launch.global()).hasSize(3);
        assertThat(launch.local()).hasSize(3);
        assertThat(launch.each()).isEmpty();
        refused("ops[1].run[0].global: expected one to three sizes, found 0", op, kernel("`global`: []"));
        refused("ops[1].run[0].global: expected one to three sizes, found 4", op, kernel("`global`: [1, 1, 1, 1]"));
        refused(
                "ops[1].run[0].local: expected 2 sizes as in global, found 3",
                op,
                kernel("`global`: [1, 1], `local`: [1, 1, 1]"));
    }

    @Test
    void settings() {
        String op = new Toy().json("Toy");
        List<VariantDescription> variants =
                Toy.catalog(op, setting("`name`: `size`, `values`: [8, 16, 4]")).variants("Toy");
        assertThat(variants).extracting(VariantDescription::variant).containsExactly("v", "v_16", "v_4");
        assertThat(variants).extracting(VariantDescription::alternativeTo).containsExactly("", "v", "v");
        assertThat(variants)
                .extracting(variant -> variant.privs().get(0).value().source())
                .containsExactly("8", "16", "4");
        refused(
                "ops[1].settings[0].values: expected one whole number or more",
                op,
                setting("`name`: `a`, `values`: []"));
        refused(
                "ops[1].settings[0].values[1]: expected a whole number, found 0.5",
                op,
                setting("`name`: `a`, `values`: [1, 0.5]"));
    }

    @Test
    void deviceKind() {
        String op = new Toy().json("Toy");
        List<VariantDescription> variants = Toy.catalog(
                        op,
                        Toy.variant("Toy", "opencl", "v", "`device_kind`: `gpu`, `run`: []"),
                        Toy.variant("Toy", "opencl", "w", "`run`: []"))
                .variants("Toy");
        assertThat(variants)
                .extracting(VariantDescription::deviceKind)
                .containsExactly(Optional.of("gpu"), Optional.empty());
        refused(
                "ops[1].device_kind: expected one of cpu, gpu, accelerator, found 'GPU'",
                op,
                Toy.variant("Toy", "opencl", "v", "`device_kind`: `GPU`, `run`: []"));
    }

    private static String setting(String fields) {
        return Toy.variant("Toy", "opencl", "v", "`settings`: [{" + fields + "}], `run`: []");
    }

    @Test
    void checksInOrder() {
        Toy toy =
                new Toy().input("x", "`custom`: `3 > 0`, `checks`: [{`check`: `2 > 0, \\`two\\``}], `check`: `1 > 0`");
        List<Check> checks = toy.op().inputs().get(0).checks();
        assertThat(checks).extracting(check -> check.condition().source()).containsExactly("1 > 0", "2 > 0", "3 > 0");
        refused(
                "ops[0].tensors_in[0].custom: expected a string, found true",
                new Toy().input("x", "`custom`: true").json("Toy"));
    }

    @Test
    void groupsOfTypes() {
        Toy toy =
                new Toy().input("x", "`dtype`: [`integer`, `floating`, `int8`]").input("w", "`dtype`: `any`");
        assertThat(toy.op().inputs().get(0).dtypes()).hasSize(11).doesNotHaveDuplicates();
        assertThat(toy.op().inputs().get(1).dtypes()).hasSize(13);
    }

    @Test
    void whatIsNotToBeUsed() {
        String unused = "`autogen`: false";
        Toy toy = new Toy();
        assertThat(Toy.catalog(toy.json("Toy"), new Toy().with(unused).json("Other"))
                        .operators())
                .extracting(OpDescription::optype)
                .containsExactly("Toy");
        OpCatalog catalog = Toy.catalog(
                toy.json("Toy"), kernel("`global`: [1]"), Toy.variant("Toy", "opencl", "w", unused + ", `run`: []"));
        assertThat(catalog.variants("Toy"))
                .extracting(VariantDescription::variant)
                .containsExactly("v");
        refused(
                "ops[1].autogen: expected true or false, found 1",
                toy.json("Toy"),
                Toy.variant("Toy", "opencl", "w", "`autogen`: 1"));
    }

    @Test
    void rulesOfAVariantMayLeaveTheMemoryOut() {
        assertThat(memoryOfRule("`ndim`: 1")).isEqualTo(MemoryKind.LN_MEM_NONE);
        assertThat(memoryOfRule("`mtype`: `LN_MEM_OPENCL`")).isEqualTo(MemoryKind.LN_MEM_OPENCL);
    }

    private static MemoryKind memoryOfRule(String fields) {
        String variant =
                Toy.variant("Toy", "opencl", "v", "`tensors_in`: [{`arg_name`: `x`, " + fields + "}], `run`: []");
        OpCatalog catalog = Toy.catalog(new Toy().input("x", "").json("Toy"), variant);
        return catalog.variants("Toy").get(0).inputs().get(0).memory();
    }

    @Test
    void filesAreBounded(@TempDir Path folder) throws IOException {
        byte[] most = ("{\"ops\": []}" + " ".repeat((8 << 20) - 11)).getBytes(UTF_8);
        Files.write(folder.resolve("a.json"), most);
        Files.writeString(folder.resolve("a.txt"), "not json");
        assertThat(DescriptionFiles.inFolder(folder))
                .containsOnlyKeys(folder.resolve("a.json").toString());
        Files.writeString(folder.resolve("b.json"), " ".repeat((8 << 20) + 1));
        assertThatThrownBy(() -> DescriptionFiles.inFolder(folder))
                .isInstanceOf(DescriptionException.class)
                .hasMessageEndingWith(folder.resolve("b.json") + ": the file is larger than 8388608 bytes");
    }

    @Test
    void emptyFiles() {
        assertThatThrownBy(() -> OpCatalog.empty().with(Map.of("toy.json", new byte[0])))
                .isInstanceOf(DescriptionException.class)
                .hasMessage("toy.json: expected an object, found nothing");
    }

    @Test
    void missingLists() {
        String toy = new Toy().json("Toy");
        refused("ops[0]: field 'tensors_in' is missing", toy.replace("`tensors_in`: [], ", ""));
        refused("ops[0]: field 'tensors_out' is missing", toy.replace(", `tensors_out`: []", ""));
    }
}
