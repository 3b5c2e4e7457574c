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

/** What both the schema and the reader can know to be wrong, both refuse, and at the same place. */
final class WrongDescriptionTest {

    private static final OperatorSchema SCHEMA = new OperatorSchema();

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "{\"ops\": [ ~ {\"more\": 1, \"ops\": [ ~ ``",
                "{\"ops\": [ ~ {\"$schema\": 1, \"ops\": [ ~ $schema",
                "{\"ops\": [ ~ {\"ops\": [3, ~ ops[0]",
                "\"doc\": \"all fields\" ~ \"docs\": \"x\" ~ ops[0]",
                "\"doc\": \"all fields\" ~ \"doc\": [\"x\"] ~ ops[0].doc",
                "\"author\": \"me\", ~ ` ` ~ ops[0]",
                "\"arch\": \"none\", ~ ` ` ~ ops[0]",
                "\"arch\": \"none\" ~ \"arch\": \"cuda\" ~ ops[0].arch",
                "\"arch\": \"none\" ~ \"arch\": \"opencl\" ~ ops[0]",
                "\"optype\": \"Full\" ~ \"optype\": 3 ~ ops[0].optype",
                "\"optype\": \"Full\" ~ \"optype\": \"Full 2\" ~ ops[0].optype",
                "\"optype\": \"Full\" ~ \"optype\": \"true\" ~ ops[0].optype",
                "\"tensors_in\": [ ~ \"tensors_i\": [ ~ ops[0]",
                "\"tensors_out\": [ ~ \"outputs\": [ ~ ops[0]",
                // inputs
                "\"arg_name\": \"x\" ~ \"arg_name\": \"x y\" ~ ops[0].tensors_in[0].arg_name",
                "\"mtype\": \"LN_MEM_CPU\" ~ \"mtype\": \"LN_MEM_GPU\" ~ ops[2].tensors_in[0].mtype",
                "\"k\", \"mtype\": \"LN_MEM_NONE\" ~ \"k\", \"mtype\": \"LN_MEM_CPU\" ~ ops[0].tensors_in[1].mtype",
                "\"z\", \"mtype\": \"LN_MEM_NONE\" ~ \"z\", \"mtype\": \"LN_MEM_OPENCL\" ~ ops[0].tensors_out[1].mtype",
                "\"x\", \"mtype\": \"LN_MEM_OPENCL\" ~ \"x\", \"mtype\": \"LN_MEM_CPU\" ~ ops[1].tensors_in[0].mtype",
                "\"packed\", \"mtype\": \"LN_MEM_OPENCL\" ~ \"packed\", \"mtype\": \"LN_MEM_CPU\" ~ ops[3].tensors_out[0].mtype",
                "\"x\", \"mtype\": \"LN_MEM_CPU\" ~ \"x\", \"mtype\": \"LN_MEM_OPENCL\" ~ ops[2].tensors_in[0].mtype",
                "\"k\", \"mtype\": \"LN_MEM_NONE\" ~ \"k\" ~ ops[0].tensors_in[1]",
                "\"dtype\": \"int64\" ~ \"dtype\": \"long\" ~ ops[0].tensors_in[1].dtype",
                "[\"float32\", \"float16\"] ~ [\"float32\", \"half\"] ~ ops[0].tensors_in[0].dtype",
                "\"ndim\": 4 ~ \"ndim\": [4] ~ ops[0].tensors_in[0].ndim",
                "\"ndim\": 4 ~ \"ndim\": null ~ ops[0].tensors_in[0].ndim",
                "\"ndim\": 4 ~ \"ndim\": 9223372036854775808 ~ ops[0].tensors_in[0].ndim",
                "\"optional\": true, \"value\" ~ \"optional\": \"yes\", \"value\" ~ ops[0].tensors_in[1].optional",
                "\"static\": true ~ \"static\": 1 ~ ops[0].tensors_in[2].static",
                "\"sametype\": \"x\" ~ \"sametype\": true ~ ops[0].tensors_in[2].sametype",
                "\"check\": \"len(rest) < 3\" ~ \"check\": true ~ ops[0].tensors_in[2].check",
                // parameters
                "\"realtype\": \"int\", ~ ` ` ~ ops[0].params[0]",
                "\"realtype\": \"int\" ~ \"realtype\": \"long\" ~ ops[0].params[0].realtype",
                "\"ptype\": \"LN_PARAM_NUMBER\" ~ \"ptype\": \"NUMBER\" ~ ops[0].params[0].ptype",
                "\"ptype\": \"LN_PARAM_NUMBER\" ~ \"ptype\": \"LN_PARAM_BOOL\" ~ ops[0].params[0].realtype",
                "\"default\": null ~ \"default\": true ~ ops[0].params[0].default",
                "\"default\": null ~ \"default\": 1.5 ~ ops[0].params[0].default",
                "\"default\": null ~ \"default\": [1] ~ ops[0].params[0].default",
                "\"default\": null ~ \"default\": {} ~ ops[0].params[0].default",
                "\"default\": null ~ \"default\": 99999999999999999999 ~ ops[0].params[0].default",
                "\"default\": \"fill(2, 1)\" ~ \"default\": [1, \"a\"] ~ ops[0].params[1].default",
                "\"default\": \"fill(2, 1)\" ~ \"default\": 2 ~ ops[0].params[1].default",
                "\"default\": \"a + b\" ~ \"default\": 3 ~ ops[0].params[2].default",
                "\"one_of\": [\"a + b\", \"c\"] ~ \"one_of\": \"c\" ~ ops[0].params[2].one_of",
                "\"one_of\": [\"a + b\", \"c\"] ~ \"one_of\": [1] ~ ops[0].params[2].one_of[0]",
                "\"one_of\": ~ \"gt\": 1, \"one_of\": ~ ops[0].params[2].gt",
                "\"lt\": 4 ~ \"len\": 4 ~ ops[0].params[0].len",
                "\"lt\": 4 ~ \"one_of\": [\"a\"] ~ ops[0].params[0].one_of",
                "\"lt\": 4 ~ \"lt\": 99999999999999999999 ~ ops[0].params[0].lt",
                "\"lt\": 4 ~ \"lt\": {} ~ ops[0].params[0].lt",
                "\"lt\": 4 ~ \"lt\": 1e400 ~ ops[0].params[0].lt",
                "\"eq\": [1, 2.5] ~ \"eq\": [1, {}] ~ ops[0].params[1].eq[1]",
                "\"eq\": [1, 2.5] ~ \"eq\": [1, \"x.ndim\"] ~ ops[0].params[1].eq[1]",
                // scratch values and checks
                "\"type\": \"ints\" ~ \"type\": \"tensor\" ~ ops[0].extra_privs[0].type",
                "\"value\": \"[axis, 2]\" ~ \"value\": [1] ~ ops[0].extra_privs[0].value",
                "\"name\": \"sizes\", ~ ` ` ~ ops[0].extra_privs[0]",
                "[{\"check\": \"sizes[0] > 0\"}] ~ \"sizes[0] > 0\" ~ ops[0].checks",
                "[{\"check\": \"sizes[0] > 0\"}] ~ [\"sizes[0] > 0\"] ~ ops[0].checks[0]",
                "[{\"check\": \"sizes[0] > 0\"}] ~ [{}] ~ ops[0].checks[0]",
                "[{\"check\": \"sizes[0] > 0\"}] ~ [{\"check\": \"true\", \"message\": \"no\"}] ~ ops[0].checks[0]",
                // outputs
                "\"dtype\": \"x.dtype\", ~ ` ` ~ ops[0].tensors_out[0]",
                "\"dims\": [2, \"x.dims[0]\"], ~ ` ` ~ ops[0].tensors_out[0]",
                "\"dims\": [2, \"x.dims[0]\"] ~ \"dims\": [2, [3]] ~ ops[0].tensors_out[0].dims[1]",
                "\"dtype\": \"int8\" ~ \"dtype\": [\"int8\"] ~ ops[0].tensors_out[1].dtype",
                "\"owner\": \"x\" ~ \"owner\": [\"x\"] ~ ops[0].tensors_out[0].owner",
                // variants
                "\"inherits\": \"Full\", ~ ` ` ~ ops[1]",
                "\"variant\": \"fast\" ~ \"variant\": \"very fast\" ~ ops[1].variant",
                "\"when\": ~ \"wen\": ~ ops[1].run[0]",
                "\"kernel\": \"full/full_fast.cl#run\", ~ ` ` ~ ops[1].run[0]",
                "full/full_fast.cl#run ~ full/full_fast.cl ~ ops[1].run[0].kernel",
                "full/full_fast.cl#run ~ full/full_fast.cl#run# ~ ops[1].run[0].kernel",
                "full/full_fast.cl#run ~ full/full_fast.txt#run ~ ops[1].run[0].kernel",
                "full/full_fast.cl#run ~ ../full_fast.cl#run ~ ops[1].run[0].kernel",
                "full/full_fast.cl#run ~ full/../../full_fast.cl#run ~ ops[1].run[0].kernel",
                "full/full_fast.cl#run ~ /etc/full_fast.cl#run ~ ops[1].run[0].kernel",
                "full/full_fast.cl#run ~ C:full_fast.cl#run ~ ops[1].run[0].kernel",
                "full/full_fast.cl#run ~ full\\\\fast.cl#run ~ ops[1].run[0].kernel",
                "full/full_fast.cl#run ~ full/full_fast.cl#run;me ~ ops[1].run[0].kernel",
                "\"global\": [\"y.len\", 1] ~ \"global\": [] ~ ops[1].run[0].global",
                "\"global\": [\"y.len\", 1] ~ \"global\": [1, 1, 1, 1] ~ ops[1].run[0].global",
                "\"local\": [\"tile\", 1] ~ \"local\": [1] ~ ops[1].run[0].local",
                "\"local\": [\"tile\", 1] ~ \"local\": [1, 1, 1] ~ ops[1].run[0].local",
                "{\"TILE\": \"tile\", \"N\": 3} ~ [3] ~ ops[1].run[0].build",
                "{\"TILE\": \"tile\", \"N\": 3} ~ {\"TILE -I/\": 3} ~ ops[1].run[0].build",
                "{\"TILE\": \"tile\", \"N\": 3} ~ {\"TILE\": [3]} ~ ops[1].run[0].build.TILE",
                "{\"x\": \"x\", \"n\" ~ {\"x y\": \"x\", \"n\" ~ ops[1].run[0].args",
                "\"each\": \"z\" ~ \"each\": 1 ~ ops[1].run[0].each",
                "\"autogen\": true ~ \"autogen\": \"yes\" ~ ops[0].autogen",
                "\"custom\": \"sizes[1] == 2\" ~ \"custom\": 2 ~ ops[0].custom",
                // variants in their operators, families
                "[{\"variant\": \"copied\", ~ [{ ~ ops[4].variants[0]",
                "{\"variant\": \"copied\", ~ {\"variant\": \"copied\", \"inherits\": \"Full\", ~ ops[4].variants[0]",
                "{\"variant\": \"copied\", ~ {\"variant\": \"copied\", \"arch\": \"none\", ~ ops[4].variants[0].arch",
                "[\"x.len\", \"2 * y.len\"] ~ [] ~ ops[4].variants[0].checks[0].fits_int",
                "[\"x.len\", \"2 * y.len\"] ~ [\"x.len < y.len\"] ~ ops[4].variants[0].checks[0].fits_int[0]",
                "[\"x.len\", \"2 * y.len\"] ~ [3] ~ ops[4].variants[0].checks[0].fits_int[0]",
                "{\"fits_int\": ~ {\"check\": \"true\", \"fits_int\": ~ ops[4].variants[0].checks[0]",
                "{\"like\": \"copy\", ~ {\"like\": 1, ~ ops[4].variants[0].run[0]",
                "{\"copy\": { ~ {\"a copy\": { ~ families",
                "{\"copy\": { ~ {\"copy\": \"x\", \"other\": { ~ families.copy",
                "{\"group\": 64} ~ 64 ~ families.copy.defaults",
                "\"families\": ~ \"uses\": [\"../more.json\"], \"families\": ~ uses",
                // elements, scratch tensors, parts
                "\"tensor\": \"y\" ~ \"tensors\": \"y\" ~ ops[2].run[0]",
                "\"element(x, at)\" ~ [0] ~ ops[2].run[0].value",
                "\"arch\": \"cpu\" ~ \"arch\": \"graph\" ~ ops[2]",
                "\"mtype\": \"LN_MEM_OPENCL\", \"dtype\": \"x.dtype\" ~ \"dtype\": \"x.dtype\" ~ ops[3].tensors_out[0]",
                "\"dims\": [64] ~ \"dims\": [[64]] ~ ops[3].tensors_out[0].dims[0]",
                "\"static_run\": [ ~ \"static_runs\": [ ~ ops[3]",
                "\"post_run\": [{ ~ \"post_run\": [1, { ~ ops[3].post_run[0]",
                "\"cleanup\": \"\" ~ \"cleanup\": \"free(y)\" ~ ops[4].tensors_out[0].cleanup",
                "\"ptype\": \"LN_PARAM_STRING\", \"realtype\": \"int\" ~ \"ptype\": \"LN_PARAM_BOOL\", \"realtype\": \"int\" ~ ops[4].params[0].from_func",
                "\"ptype\": \"LN_PARAM_STRING\", \"realtype\": \"int\" ~ \"ptype\": \"LN_PARAM_STRING\" ~ ops[4].params[0]",
                "\"name\": \"first\" ~ \"name\": \"the first\" ~ ops[6].ops[0].name",
                "{\"name\": \"second\", ~ { ~ ops[6].ops[1]",
                "{\"arg_name\": \"x\", \"name\": \"t\"} ~ \"t\" ~ ops[6].ops[1].tensors_in[0]"
            })
    void isRefusedByBoth(String original, String replacement, String path) {
        assertThat(FullDescription.JSON).contains(original);
        String wrong = FullDescription.JSON.replaceFirst(
                Pattern.quote(original), Matcher.quoteReplacement(replacement.strip()));
        assertThatThrownBy(() -> OpCatalog.empty().with(new TreeMap<>(Map.of("op.json", wrong.getBytes(UTF_8)))))
                .isInstanceOfSatisfying(
                        DescriptionException.class,
                        refused -> assertThat(refused.mistakes().get(0)).startsWith("op.json: " + path));
        assertThat(SCHEMA.errors(wrong)).anyMatch(error -> error.startsWith(path));
    }
}
