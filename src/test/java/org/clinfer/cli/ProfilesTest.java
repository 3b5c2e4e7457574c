package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Device profiles from the command line. */
class ProfilesTest {

    /** The upsampling layer of FCN-8s on an input of 128x128. */
    private static final String MODEL = """
            {"name": "fcn", "ops": [
              {"name": "x", "optype": "Input", "tensors_out": [{"arg_name": "y", "name": "x"}],
               "params": [{"arg_name": "dtype", "value": "float16"}, {"arg_name": "dims", "value": [1, 21, 128, 128]}]},
              {"name": "w", "optype": "Input", "tensors_out": [{"arg_name": "y", "name": "w"}],
               "params": [{"arg_name": "dtype", "value": "float16"}, {"arg_name": "dims", "value": [21, 21, 16, 16]}]},
              {"name": "upscore", "optype": "Deconvolution",
               "tensors_in": [{"arg_name": "x", "name": "x"}, {"arg_name": "filter", "name": "w"}],
               "tensors_out": [{"arg_name": "y", "name": "y"}],
               "params": [{"arg_name": "stride", "value": [8]}, {"arg_name": "pad", "value": [4]}]},
              {"name": "out", "optype": "Output", "tensors_in": [{"arg_name": "x", "name": "y"}]}
            ]}
            """;

    @TempDir
    private Path folder;

    private Path model = Path.of("");

    @BeforeEach
    void write() throws IOException {
        model = Files.writeString(folder.resolve("fcn.json"), MODEL);
    }

    @Test
    void aProfileDecidesWithTheArithmeticInTheReason() {
        Ran fits = clinfer("check", model, "--profile", "ascend310", "--fail-on", "falls-back");
        assertThat(fits.code()).as(fits.toString()).isZero();
        Ran refused = clinfer("check", model, "--profile", "Ascend910B1", "--fail-on", "falls-back", "--explain");
        assertThat(refused.code()).isEqualTo(ExitCode.NO);
        assertThat(String.join("\n", refused.out()))
                .contains("ascend/transposed-conv2d/l1-size: ")
                .contains("limit 524288 bytes, actual 688128 bytes, off by 163840")
                .contains("set by ascend910b1.ini:AICoreSpec:l1_size")
                .contains("would pass with AICoreSpec.l1_size 524288 -> 688128")
                .contains("would pass with x.dims[3] 128 -> 90");
    }

    @Test
    void severalProfilesGiveAReportEachAndJsonHasEverything() {
        Ran ran = clinfer("check", model, "--profile", "ascend310", "--profile", "ascend910b1", "--format", "json");
        String out = String.join("\n", ran.out());
        assertThat(out).contains("\"device\" : \"Ascend310\"").contains("\"device\" : \"Ascend910B1\"");
        assertThat(out).contains("\"limit\" : \"524288\"").contains("\"what\" : \"AICoreSpec.l1_size\"");
    }

    @Test
    void aFileOfAVendorIsTakenAsItIs() throws IOException {
        Path own = Files.writeString(folder.resolve("Own.ini"), """
                # [Platform Info configuration begin]
                [version]
                SoC_version=Own
                Short_SoC_version=Own
                [AICoreSpec]
                l1_size=600000
                """);
        Ran ran = clinfer("check", model, "--profile", own, "--explain");
        assertThat(String.join("\n", ran.out())).contains("limit 600000 bytes, actual 688128 bytes");
    }

    @Test
    void aProfileWithErrorsIsRefusedUnlessItIsTakenLeniently() throws IOException {
        Path own = Files.writeString(folder.resolve("own.ini"), """
                [clinfer]
                family = generic
                [Limits]
                max_rank = 4
                data_type = fp16
                memory_bytes = 256 MiB
                """);
        String first = own + ":5: there is no data type 'fp16' for 'data_type'; did you mean 'float16'?; and 1 more";
        Ran refused = clinfer("check", model, "--profile", own);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).hasSize(1);
        assertThat(refused.err().get(0)).startsWith("clinfer: " + first).contains("--validate", "--lenient");
        Ran used = clinfer("check", model, "--profile", own, "--lenient");
        assertThat(used.code()).isEqualTo(0);
        assertThat(used.err()).containsExactly("clinfer: used with errors: " + first);
        assertThat(used.out()).isNotEmpty();
    }

    @Test
    void checkSaysWhatChangesFromAnotherDevice() {
        Ran ran = clinfer("check", model, "--profile", "ascend910b1", "--against", "ascend310");
        List<String> changes = ran.out().stream()
                .dropWhile(line -> !line.startsWith("ascend910b1 against ascend310: "))
                .toList();
        assertThat(changes).hasSizeGreaterThan(2);
        assertThat(changes.get(1)).matches("NODE +OPERATOR +BEFORE +NOW +REASON");
        assertThat(changes.get(2)).contains("on-device", "falls-back", "l1-size");
        assertThat(clinfer("check", model, "--profile", "ascend310", "--against", "ascend310")
                        .out())
                .anyMatch(line -> line.startsWith("ascend310 against ascend310: no node has another verdict"));
        assertThat(clinfer("check", model, "--against", "ascend310").code()).isEqualTo(2);
        assertThat(clinfer("check", model, "--profile", "ascend310", "--against", "ascend310", "--format", "json")
                        .err())
                .anyMatch(line -> line.contains("--against is for reports in text: leave out --format"));
    }

    /** Vela took dilations up to 2 alone before 3.6. */
    @Test
    void checkSaysWhatChangesWithTheVersionOfTheTools() {
        Ran ran = clinfer(
                "check",
                "--op",
                "Conv2d",
                "--input",
                "x=1x8x40x40",
                "--input",
                "weights=8x8x3x3",
                "--param",
                "dilation=[3,3]",
                "--profile",
                "ethos-u55-256",
                "--against",
                "ethos-u55-256-vela-3.3");
        assertThat(ran.out())
                .anyMatch(line -> line.contains("falls-back") && line.contains("on-device"))
                .anyMatch(line -> line.startsWith("ethos-u55-256 against ethos-u55-256-vela-3.3: 1 node"));
        assertThat(clinfer("profiles", "--diff", "ethos-u55-256-vela-3.3", "ethos-u55-256")
                        .out())
                .anyMatch(line -> line.matches("EthosU\\.vela +3, 3 +3, 10"));
    }

    @Test
    void differencesAreJsonToo() {
        Ran ran = clinfer("profiles", "--json", "--diff", "ascend310", "ascend910b1");
        JsonNode document = new JsonMapper().readTree(String.join("\n", ran.out()));
        assertThat(document.at("/profiles/1").asString()).isEqualTo("ascend910b1");
        JsonNode size = document.at("/different/AICoreSpec.l1_size");
        assertThat(size.get(0).asString()).isEqualTo("1048576");
        assertThat(size.get(1).asString()).isEqualTo("524288");
        assertThat(document.at("/different/AICoreSpec.bt_size").get(0).isNull()).isTrue();
    }

    @Test
    void profilesAreListedShownAndCompared() {
        assertThat(clinfer("profiles").out()).anyMatch(line -> line.startsWith("ascend910b1 "));
        assertThat(clinfer("profiles", "ascend310").out())
                .contains("source: CANN 8.1.RC1, platform_config/Ascend310.ini")
                .anyMatch(line -> line.matches(" *AICoreSpec.l1_size +1048576"));
        assertThat(clinfer("profiles", "ascend310").out()).contains("rules: 90 of Huawei Ascend (CANN)");
        assertThat(clinfer("profiles", "--diff", "ascend310", "ascend910b1").out())
                .anyMatch(line -> line.matches("AICoreSpec.l1_size +1048576 +524288"))
                .last()
                .asString()
                .endsWith(" figures differ");
        assertThat(clinfer("profiles", "ascend310", "--json").out()).anyMatch(line -> line.contains("\"ascend310\""));
    }

    @Test
    void whatIsNoProfileIsBadInput() throws IOException {
        assertThat(clinfer("check", model, "--profile", "toaster").code()).isEqualTo(ExitCode.BAD_INPUT);
        Path broken = Files.writeString(folder.resolve("broken.ini"), "l1_size=3");
        Ran ran = clinfer("profiles", broken);
        assertThat(ran.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(ran.err()).hasSize(1).allMatch(line -> line.contains("broken.ini:1: expected a [section]"));
        Ran two = clinfer("run", model, "--profile", "ascend310", "--profile", "ascend910b1", "--device", "cpu");
        assertThat(two.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(two.err()).hasSize(1);
    }

    @Test
    void filesAreLookedThrough() throws IOException {
        Path good = Files.writeString(
                folder.resolve("good.ini"),
                "[GNA]\nmax_filters = 8\n[clinfer]\nfamily = gna\nsource = me\noperators = conv2d, Softmax\n");
        Ran fine = clinfer("profiles", "--validate", good);
        assertThat(fine.code()).as(fine.toString()).isZero();
        assertThat(fine.out()).containsExactly(good + ": a profile of the family gna, without errors");
        Path bad = Files.writeString(folder.resolve("bad.ini"), "[GNA]\nmax_filtres = 8\n[clinfer]\nfamily = gna\n");
        Ran wrong = clinfer("profiles", "--validate", good, bad);
        assertThat(wrong.code()).isEqualTo(ExitCode.NO);
        assertThat(wrong.out())
                .anyMatch(line -> line.startsWith(bad + ":2: error: no rule of the family 'gna' looks at 'max_filtres'")
                        && line.endsWith("did you mean 'max_filters'?"))
                .anyMatch(line -> line.startsWith(bad + ":1: warning: [GNA] has no key 'max_filters'"))
                .anyMatch(line -> line.startsWith(bad + ":3: note: it is not said"))
                .last()
                .isEqualTo(bad + ": a profile of the family gna, with errors");
    }

    @Test
    void filesAreLookedThroughForPrograms() throws IOException {
        Path bad = Files.writeString(folder.resolve("bad.ini"), "[GNA]\nmax_filters = many\n[clinfer]\nfamily = gna\n");
        Ran ran = clinfer("profiles", "--json", "--validate", bad, folder.resolve("none.ini"));
        assertThat(ran.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(ran.err()).hasSize(1).allMatch(line -> line.endsWith("none.ini: no such file"));
        JsonNode document = JsonMapper.shared().readTree(String.join("\n", ran.out()));
        JsonNode first = document.get("profiles").get(0);
        assertThat(first.get("family").asString()).isEqualTo("gna");
        assertThat(first.get("sound").asBoolean()).isFalse();
        JsonNode finding = first.get("findings").get(0);
        assertThat(finding.get("level").asString()).isEqualTo("error");
        assertThat(finding.get("line").asInt()).isEqualTo(2);
        assertThat(finding.get("key").asString()).isEqualTo("GNA.max_filters");
        assertThat(finding.get("message").asString()).isEqualTo("expected a number for 'max_filters', found 'many'");
        assertThat(document.get("profiles").get(1).get("unreadable").asString()).endsWith("no such file");
    }

    @Test
    void whatCannotBeLookedThroughIsBadInput() throws IOException {
        assertThat(clinfer("profiles", "--validate", folder).code()).isEqualTo(ExitCode.BAD_INPUT);
        Path binary = Files.write(folder.resolve("b.ini"), new byte[] {1, 0, 2});
        assertThat(clinfer("profiles", "--validate", binary).code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(clinfer("profiles", "--validate").code()).isEqualTo(ExitCode.BAD_INPUT);
        Ran both = clinfer("profiles", "--validate", binary, "--diff", "gna2", "gna3");
        assertThat(both.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(both.err()).containsExactly("clinfer: --validate takes files alone");
    }

    @Test
    void rulesOfOnesOwnAreValidated() throws IOException {
        Path rules = Files.createDirectories(folder.resolve("rules")).resolve("dpu.ini");
        String text = Files.readString(Path.of("device-profiles/rules/dpu.ini"));
        Files.writeString(rules, text);
        Ran fine = clinfer("profiles", "--validate", rules);
        assertThat(fine.code()).isEqualTo(ExitCode.OK);
        assertThat(fine.out()).containsExactly(rules + ": rules of the family dpu, without errors");
        Files.writeString(rules, text.replaceFirst("Conv\\.kernel_max", "Conv.kernle_max"));
        Ran wrong = clinfer("profiles", "--validate", rules);
        assertThat(wrong.code()).isEqualTo(ExitCode.NO);
        assertThat(wrong.out().get(0))
                .matches(".*dpu\\.ini:\\d+: error: no profile of the family has 'kernle_max' in \\[Conv\\];"
                        + " did you mean 'kernel_max'\\?");
    }

    @Test
    void aFileIsLookedThroughOnceWhateverItIsCalled() {
        Path rules = Path.of("device-profiles/rules/dla.ini");
        Ran ran = clinfer("profiles", "--validate", rules, "device-profiles/../device-profiles/rules/dla.ini", rules);
        assertThat(ran.out()).containsExactly(rules + ": rules of the family dla, without errors");
    }

    /** Other commands refuse the folder with the first of its errors; it is here that all of them are said. */
    @Test
    void rulesThatCannotBeUsedAreLookedThroughAllTheSame() throws IOException {
        Path rules = Files.createDirectories(folder.resolve("rules")).resolve("own.ini");
        Files.writeString(rules, "[family]\ntitel = Own\n[conv2d/any]\nrequire = (\n[none/any]\nrequire = true\nx\n");
        Files.copy(Path.of("device-profiles/rules/vocabulary.ini"), rules.resolveSibling("vocabulary.ini"));
        Path profile = Files.writeString(folder.resolve("mine.ini"), "[clinfer]\nfamily = own\nsource = me\n");
        Files.writeString(folder.resolve("lost.ini"), "[clinfer]\nfamily = lost\n");
        System.setProperty("clinfer.profiles", folder.toString());
        try {
            Ran ran = clinfer("profiles", "--validate", rules);
            assertThat(ran.code()).isEqualTo(ExitCode.NO);
            assertThat(ran.out()).contains(rules + ":7: error: expected key = value, found 'x'");
            Files.writeString(rules, Files.readString(rules).replace("\nx\n", "\n"));
            Ran both = clinfer("profiles", "--validate", rules, profile);
            assertThat(both.code()).isEqualTo(ExitCode.NO);
            assertThat(both.out())
                    .contains(
                            rules + ":1: error: [family] needs 'vendor'",
                            rules + ":5: error: [none/any] needs 'source'")
                    .last()
                    .isEqualTo(profile + ": a profile of the family own, without errors");
        } finally {
            System.clearProperty("clinfer.profiles");
        }
    }

    /** As {@code check} would refuse the profile for them. */
    @Test
    void rulesOfOnesOwnAreValidatedWithAProfileOfTheirFamily() throws IOException {
        Path rules = Files.createDirectories(folder.resolve("rules")).resolve("gna.ini");
        String text = Files.readString(Path.of("device-profiles/rules/gna.ini"));
        Files.writeString(rules, text.replaceFirst("GNA\\.max_filters", "GNA.max_filtres"));
        Files.copy(Path.of("device-profiles/rules/vocabulary.ini"), rules.resolveSibling("vocabulary.ini"));
        Path profile = Files.writeString(
                folder.resolve("mine.ini"), "[GNA]\nmax_filters = 8\n[clinfer]\nfamily = gna\nsource = me\n");
        System.setProperty("clinfer.profiles", folder.toString());
        try {
            Ran ran = clinfer("profiles", "--validate", profile);
            assertThat(ran.code()).isEqualTo(ExitCode.NO);
            assertThat(ran.out())
                    .contains(profile + ": a profile of the family gna, without errors")
                    .last()
                    .isEqualTo(rules + ": rules of the family gna, with errors");
        } finally {
            System.clearProperty("clinfer.profiles");
        }
    }
}
