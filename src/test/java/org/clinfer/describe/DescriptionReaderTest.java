package org.clinfer.describe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reading descriptions: a full one, and what is refused with which message. */
class DescriptionReaderTest {

    private static final String FULL = FullDescription.JSON;

    private static OpCatalog load(String json) {
        return OpCatalog.empty().with(new TreeMap<>(Map.of("op.json", json.getBytes(UTF_8))));
    }

    @Test
    void readsEveryField() {
        OpCatalog catalog = load(FULL);
        OpDescription op = catalog.find("Full").orElseThrow();
        assertThat(op.inputs()).extracting(InputDescription::name).containsExactly("x", "k", "rest");
        InputDescription rest = op.inputs().get(2);
        assertThat(rest.memory()).isEqualTo(MemoryKind.LN_MEM_NONE);
        assertThat(rest.isStatic()).contains(true);
        assertThat(rest.variadic()).isTrue();
        assertThat(rest.sameShape()).isEqualTo("x");
        assertThat(rest.zeroBorder()).isEqualTo("sizes");
        assertThat(rest.checks()).hasSize(1);
        assertThat(op.inputs().get(0).dtypes()).isEqualTo(List.of(DType.FLOAT32, DType.FLOAT16));
        assertThat(op.inputs().get(0).checks().get(0).message()).isEqualTo("x is empty");
        assertThat(op.inputs().get(1).value()).isTrue();
        assertThat(op.params().get(0).bounds())
                .extracting(Bound::relation)
                .containsExactly(Bound.Relation.GE, Bound.Relation.LT);
        assertThat(op.params().get(1).bounds().get(0).limit()).hasToString("[1, 2.5]");
        assertThat(op.params().get(2).byDefault().orElseThrow()).hasToString("'a + b'");
        assertThat(op.outputs().get(0).owner()).isEqualTo("x");
        assertThat(op.outputs().get(0).dimsAreList()).isFalse();
        assertThat(op.outputs().get(1).dimsAreList()).isTrue();
        VariantDescription variant = catalog.variants("Full").get(0);
        assertThat(variant.inputs().get(0).memory()).isEqualTo(MemoryKind.LN_MEM_OPENCL);
        LaunchDescription launch = variant.run().get(0);
        assertThat(launch.file()).isEqualTo("full/full_fast.cl");
        assertThat(launch.entry()).isEqualTo("run");
        assertThat(launch.build().keySet()).containsExactly("TILE", "N");
        assertThat(launch.args().keySet()).containsExactly("x", "n");
        assertThat(launch.local()).hasSize(2);
        assertThat(launch.each()).isEqualTo("z");
        assertThat(launch.when()).isPresent();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "\"doc\": \"all fields\" ~ \"docs\": \"x\" ~ op.json: ops[0]: unknown field 'docs'",
                "\"len\": \"x.len\" ~ \"length\": 1 ~ op.json: ops[0].tensors_in[2]: unknown field 'length'",
                "\"when\": ~ \"wen\": ~ op.json: ops[1].run[0]: unknown field 'wen'",
                "{\"ops\": ~ {\"operators\": [], \"ops\": ~ op.json: unknown field 'operators'",
                "{\"ops\": ~ {\"op\": ~ op.json: unknown field 'op'",
                "\"author\": \"me\", ~ ` ` ~ op.json: ops[0]: field 'author' is missing",
                "\"arch\": \"none\", ~ ` ` ~ op.json: ops[0]: field 'arch' is missing",
                "\"arch\": \"none\" ~ \"arch\": \"cuda\" ~ op.json: ops[0].arch: expected one of none, opencl, cpu, graph, found 'cuda'",
                "\"realtype\": \"int\", ~ ` ` ~ op.json: ops[0].params[0]: field 'realtype' is missing",
                "\"realtype\": \"int\" ~ \"realtype\": \"long\" ~ op.json: ops[0].params[0].realtype: expected one of int, float, double, found 'long'",
                "\"ptype\": \"LN_PARAM_NUMBER\" ~ \"ptype\": \"NUMBER\" ~ op.json: ops[0].params[0].ptype: expected one of LN_PARAM_NULL, LN_PARAM_STRING, LN_PARAM_NUMBER, LN_PARAM_BOOL, LN_PARAM_ARRAY_STRING, LN_PARAM_ARRAY_NUMBER, LN_PARAM_ARRAY_BOOL, found 'NUMBER'",
                "\"k\", \"mtype\": \"LN_MEM_NONE\" ~ \"k\", \"mtype\": \"LN_MEM_CPU\" ~ op.json: ops[0].tensors_in[1].mtype: expected LN_MEM_NONE for arch none, found 'LN_MEM_CPU'",
                "\"z\", \"mtype\": \"LN_MEM_NONE\" ~ \"z\", \"mtype\": \"LN_MEM_OPENCL\" ~ op.json: ops[0].tensors_out[1].mtype: expected LN_MEM_NONE for arch none, found 'LN_MEM_OPENCL'",
                "\"x\", \"mtype\": \"LN_MEM_OPENCL\" ~ \"x\", \"mtype\": \"LN_MEM_CPU\" ~ op.json: ops[1].tensors_in[0].mtype: expected LN_MEM_NONE or LN_MEM_OPENCL for arch opencl, found 'LN_MEM_CPU'",
                "\"packed\", \"mtype\": \"LN_MEM_OPENCL\" ~ \"packed\", \"mtype\": \"LN_MEM_CPU\" ~ op.json: ops[3].tensors_out[0].mtype: expected LN_MEM_NONE or LN_MEM_OPENCL for arch opencl, found 'LN_MEM_CPU'",
                "\"x\", \"mtype\": \"LN_MEM_CPU\" ~ \"x\", \"mtype\": \"LN_MEM_OPENCL\" ~ op.json: ops[2].tensors_in[0].mtype: expected LN_MEM_NONE or LN_MEM_CPU for arch cpu, found 'LN_MEM_OPENCL'",
                "LN_MEM_CPU ~ LN_MEM_GPU ~ op.json: ops[2].tensors_in[0].mtype: expected one of LN_MEM_NONE, LN_MEM_CPU, LN_MEM_OPENCL, found 'LN_MEM_GPU'",
                "\"dtype\": \"int64\" ~ \"dtype\": \"long\" ~ op.json: ops[0].tensors_in[1].dtype: there is no data type 'long', and no group of this name (integer, floating, numeric, any)",
                "\"optional\": true, \"value\" ~ \"optional\": \"yes\", \"value\" ~ op.json: ops[0].tensors_in[1].optional: expected true or false, found the string 'yes'",
                "\"optype\": \"Full\" ~ \"optype\": 3 ~ op.json: ops[0].optype: expected a string, found 3",
                "\"arg_name\": \"x\" ~ \"arg_name\": \"x y\" ~ op.json: ops[0].tensors_in[0].arg_name: expected a name of letters, digits and '_', found 'x y'",
                "[{\"check\": \"sizes[0] > 0\"}] ~ \"sizes[0] > 0\" ~ op.json: ops[0].checks: expected a list, found the string 'sizes[0] > 0'",
                "[{\"check\": \"sizes[0] > 0\"}] ~ [\"sizes[0] > 0\"] ~ op.json: ops[0].checks[0]: expected an object, found the string 'sizes[0] > 0'",
                "sizes[0] > 0 ~ sizes[0] > ~ op.json: ops[0].checks[0].check: expected a value, found the end, at column 11 of: sizes[0] >",
                "sizes[0] > 0 ~ size[0] > 0 ~ op.json: ops[0].checks[0].check: unknown name 'size' in: size[0] > 0; did you mean 'sizes'?; known here are x, k, rest, output_count, axis, scale, mode, sizes",
                "\"ndim\": 4 ~ \"ndim\": \"k.ndim\" ~ op.json: ops[0].tensors_in[0].ndim: unknown name 'k' in: k.ndim; known here are x",
                "\"tile\", 1] ~ \"tiles\", 1] ~ op.json: ops[1].run[0].local[0]: unknown name 'tiles' in: tiles; did you mean 'tile'?; known here are device, output_count, x, k, rest, axis, scale, mode, sizes, y, z, tile, index",
                "\"ndim\": 4 ~ \"ndim\": [4] ~ op.json: ops[0].tensors_in[0].ndim: expected a number or an expression, found a list",
                "\"sametype\": \"x\" ~ \"sametype\": \"w\" ~ op.json: Full: rest: sametype names 'w', which is not an input before it",
                "\"name\": \"sizes\" ~ \"name\": \"axis\" ~ op.json: Full: the name 'axis' is declared twice",
                "\"name\": \"sizes\" ~ \"name\": \"device\" ~ op.json: Full: the name 'device' is reserved",
                "\"from_input\": \"k\" ~ \"from_input\": \"x\" ~ op.json: Full: axis: from_input names 'x', which is not an input with \"value\": true",
                "\"owner\": \"x\" ~ \"owner\": \"k2\" ~ op.json: Full: y: owner names 'k2', which is not an input",
                "\"inherits\": \"Full\" ~ \"inherits\": \"Half\" ~ op.json: Full_fast: inherits 'Half', which is not a known abstract operator",
                "\"inherits\": \"Full\" ~ \"inherits\": \"Full_fast\" ~ op.json: Full_fast: inherits 'Full_fast', which is not a known abstract operator",
                "\"each\": \"z\" ~ \"each\": \"y\" ~ op.json: Full_fast: run: each names 'y', which is not a variadic argument of Full",
                "full/full_fast.cl#run ~ full/full_fast.cl ~ op.json: ops[1].run[0].kernel: expected folder/file.cl#entry, found 'full/full_fast.cl'",
                "full/full_fast.cl#run ~ ../full_fast.cl#run ~ op.json: ops[1].run[0].kernel: expected folder/file.cl#entry, found '../full_fast.cl#run'",
                "\"global\": [\"y.len\", 1] ~ \"global\": [] ~ op.json: ops[1].run[0].global: expected one to three sizes, found 0",
                "\"local\": [\"tile\", 1] ~ \"local\": [1] ~ op.json: ops[1].run[0].local: expected 2 sizes as in global, found 1",
                "\"default\": null ~ \"default\": true ~ op.json: ops[0].params[0].default: expected an int, found true",
                "\"default\": \"a + b\" ~ \"default\": 3 ~ op.json: ops[0].params[2].default: expected a string, found 3",
                "\"one_of\": ~ \"gt\": 1, \"one_of\": ~ op.json: ops[0].params[2].gt: only numbers have bounds, and the ptype is LN_PARAM_STRING",
                "\"lt\": 4 ~ \"len\": 4 ~ op.json: ops[0].params[0].len: only arrays have a len, and the ptype is LN_PARAM_NUMBER",
                "\"lt\": 4 ~ \"lt\": 99999999999999999999 ~ op.json: ops[0].params[0].lt: the number 99999999999999999999 does not fit 64 bits",
                "\"dtype\": \"int8\" ~ \"dtype\": \"int9 +\" ~ op.json: ops[0].tensors_out[1].dtype: expected a value, found the end, at column 7 of: int9 +"
            })
    void refusesABadDescription(String original, String replacement, String message) {
        assertThat(FULL).contains(original);
        String bad = FULL.replaceFirst(
                java.util.regex.Pattern.quote(original), java.util.regex.Matcher.quoteReplacement(replacement));
        assertThatThrownBy(() -> load(bad))
                .isInstanceOf(DescriptionException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "{\"ops\": [], \"ops\": []} ~ op.json: line 1, column 18: Duplicate Object property \"ops\"",
                "{\"ops\": []} {} ~ op.json: line 1, column 13: something follows the document's end",
                "{\"ops\": [ ~ op.json: line 1, column 10: Unexpected end-of-input",
                "[] ~ op.json: expected an object, found a list",
                "{} ~ op.json: field 'ops' is missing",
                "{\"ops\": {}} ~ op.json: ops: expected a list, found an object"
            })
    void refusesMalformedJson(String json, String message) {
        assertThatThrownBy(() -> load(json))
                .isInstanceOf(DescriptionException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void boundsNesting() {
        assertThatThrownBy(() -> load("{\"ops\": " + "[".repeat(100_000)))
                .isInstanceOf(DescriptionException.class)
                .hasMessageContaining("nesting depth");
    }

    @Test
    void saysAllMistakesOfAnObject() {
        String json = """
                {"ops": [
                  {"optype": "A", "arch": "none", "more": 1, "most": 2,
                   "tensors_in": [{"arg_nam": "x"}, {"arg_name": "k", "mtype": "LN_MEM_NONE", "dtype": ["int9", "half"]}],
                   "params": [{"typ": "int"}],
                   "checks": [{"chek": "true"}, {"check": "x +"}]},
                  {"optype": "A_slow", "arch": "opencl", "inherits": "B",
                   "run": [{"global": [1], "locall": [1]}, {"kernel": "a.cl#a", "global": [1], "arg": {}}]}
                ]}
                """;
        assertThatThrownBy(() -> load(json))
                .isInstanceOfSatisfying(
                        DescriptionException.class,
                        wrong -> assertThat(wrong.mistakes())
                                .containsExactly(
                                        "op.json: ops[0]: field 'tensors_out' is missing",
                                        "op.json: ops[0]: field 'author' is missing",
                                        "op.json: ops[0].tensors_in[0]: field 'mtype' is missing",
                                        "op.json: ops[0].tensors_in[0]: field 'arg_name' is missing",
                                        "op.json: ops[0].tensors_in[0]: unknown field 'arg_nam'",
                                        "op.json: ops[0].tensors_in[1].dtype: there is no data type 'int9', and no group of"
                                                + " this name (integer, floating, numeric, any)",
                                        "op.json: ops[0].tensors_in[1].dtype: there is no data type 'half', and no group of"
                                                + " this name (integer, floating, numeric, any)",
                                        "op.json: ops[0].params[0]: field 'arg_name' is missing",
                                        "op.json: ops[0].params[0]: field 'ptype' is missing",
                                        "op.json: ops[0].checks[0]: field 'check' is missing",
                                        "op.json: ops[0].checks[0]: unknown field 'chek'",
                                        "op.json: ops[0].checks[1].check: expected a value, found the end, at column 4 of: x +",
                                        "op.json: ops[0]: unknown field 'more'",
                                        "op.json: ops[0]: unknown field 'most'",
                                        "op.json: ops[1]: field 'author' is missing",
                                        "op.json: ops[1]: field 'variant' is missing",
                                        "op.json: ops[1].run[0]: field 'kernel' is missing",
                                        "op.json: ops[1].run[1]: unknown field 'arg'"));
    }

    @Test
    void refusesAnOperatorDescribedTwice() {
        String one =
                "{\"ops\": [{\"optype\": \"A\", \"author\": \"me\", \"arch\": \"none\", \"tensors_in\": [], \"tensors_out\": []}]}";
        Map<String, byte[]> files = new TreeMap<>(Map.of("a.json", one.getBytes(UTF_8), "b.json", one.getBytes(UTF_8)));
        assertThatThrownBy(() -> OpCatalog.empty().with(files))
                .hasMessage("b.json: operator A is described already in a.json");
    }
}
