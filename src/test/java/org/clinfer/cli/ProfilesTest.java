package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    void profilesAreListedShownAndCompared() {
        assertThat(clinfer("profiles").out()).anyMatch(line -> line.startsWith("ascend910b1 "));
        assertThat(clinfer("profiles", "ascend310").out())
                .contains("source: CANN 8.1.RC1, platform_config/Ascend310.ini")
                .anyMatch(line -> line.matches(" *AICoreSpec.l1_size +1048576"));
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
}
