package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.check.Verdict;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The profile of a live device. */
class SavedProfileTest {

    @TempDir
    private Path folder;

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName())).toList();
        }
    }

    @Test
    @RequiresOpenCl
    void isSoundAndReadAgain() {
        Path file = folder.resolve("live.ini");
        Ran ran = clinfer("devices", "--save-profile", file);
        assertThat(ran.code()).as(ran.toString()).isZero();
        assertThat(ran.out()).hasSize(1).allMatch(line -> line.startsWith("wrote " + file + ": "));
        Ran review = clinfer("profiles", "--validate", file);
        assertThat(review.code()).isZero();
        assertThat(review.out()).noneMatch(line -> line.contains(": warning: "));
        DeviceProfile profile = ProfileCatalog.builtIn().find(file.toString());
        assertThat(ran.out().get(0)).endsWith(profile.title());
        assertThat(profile.memory()).isPresent();
    }

    @Test
    @RequiresOpenCl
    void replacesNothingUnasked() throws IOException {
        Path file = Files.writeString(folder.resolve("live.ini"), "mine");
        Ran refused = clinfer("devices", "--save-profile", file);
        assertThat(refused.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(refused.err()).containsExactly("clinfer: " + file + ": exists already; --force replaces it");
        assertThat(file).hasContent("mine");
        assertThat(clinfer("devices", "--save-profile", file, "--force", "--device", "0", "--json")
                        .code())
                .isZero();
        assertThat(Files.readString(file)).startsWith("[OpenCL]\n");
        assertThat(files()).containsExactly("live.ini");
    }

    @Test
    @RequiresOpenCl
    void whatCannotBeSavedLeavesNothing() throws IOException {
        Path file = folder.resolve("live.ini");
        assertThat(clinfer("devices", "--save-profile", file, "--device", "99").code())
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(clinfer("devices", "--save-profile", file, "--device", "cpu").code())
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(clinfer("devices", "--save-profile", folder).code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(clinfer("devices", "--save-profile", folder.resolve("none/live.ini"))
                        .code())
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(files()).isEmpty();
    }

    @Test
    void optionsOfSavingStandWithIt() {
        assertThat(clinfer("devices", "--force").code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(clinfer("devices", "--device", "0").code()).isEqualTo(ExitCode.BAD_INPUT);
    }

    /** Every operator in every type, and tensors larger than any device allocates at once. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Conv2d | x=1x3x8x8, weights=4x3x3x3",
                "Conv2dTranspose | x=1x4x8x8, weights=4x3x3x3",
                "MaxPool | x=1x3x8x8",
                "MatMul | a=4x8, b=8x4",
                "Add | a=1x3x8x8, b=1x3x8x8",
                "Add | a=4294967296x1024, b=4294967296x1024",
                "Softmax | x=4x1000",
                "Flatten | x=4x4",
                "Relu | x=16",
                "Less | a=16, b=16",
                "Concat | x=2x3"
            })
    @RequiresOpenCl
    void changesNothingOnItsOwnDevice(String operator, String inputs) {
        Path file = folder.resolve("live.ini");
        assertThat(clinfer("devices", "--save-profile", file).code()).isZero();
        DeviceProfile profile = ProfileCatalog.builtIn().find(file.toString());
        EngineOptions device = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
        try (Engine alone = Engine.open(device);
                Engine under = Engine.open(device.withProfile(profile, Reading.DOCUMENT))) {
            List<Verdict> verdicts = verdicts(alone, operator, inputs);
            assertThat(verdicts).hasSize(DType.values().length).doesNotContain(Verdict.UNKNOWN);
            assertThat(verdicts(under, operator, inputs)).isEqualTo(verdicts);
        }
    }

    private static List<Verdict> verdicts(Engine engine, String operator, String inputs) {
        List<Verdict> verdicts = new ArrayList<>();
        for (DType type : DType.values()) {
            List<String> typed = Arrays.stream(inputs.split(", ", -1))
                    .map(input -> input + ":" + type)
                    .toList();
            Graph graph = OperatorArguments.graph(OpCatalog.builtIn(), operator, typed, List.of(), 1);
            try (Model model = engine.load(graph)) {
                model.check(Map.of()).nodes().forEach(node -> verdicts.add(node.verdict()));
            }
        }
        return verdicts;
    }
}
