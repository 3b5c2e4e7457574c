package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.clinfer.cli.npy.NpyFile;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that commands write: those that are read stay, and a place that cannot be written is refused before any work. */
class OutputPlacesTest {

    @TempDir
    private Path folder;

    private Path model = Path.of("");

    @BeforeEach
    void writeModel() throws IOException {
        model = TinyOnnx.write(folder.resolve("relu.onnx"), "Relu");
    }

    private static void assertRefused(Ran ran, String reason) {
        assertThat(ran.code()).as("%s", ran).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).singleElement().asString().contains(reason);
    }

    private static Object[] with(Stream<Object> first, Object... more) {
        return Stream.concat(first, Stream.of(more)).toArray();
    }

    @Test
    void aModelIsNeverOverwritten() throws IOException {
        byte[] before = Files.readAllBytes(model);
        Path link = Files.createSymbolicLink(folder.resolve("link.onnx"), model);
        Path hard = Files.createLink(folder.resolve("hard.onnx"), model);
        for (Path same : List.of(model, link, hard, folder.resolve("none/../relu.onnx"))) {
            Files.createDirectories(folder.resolve("none"));
            String reason = " would overwrite " + model + ", which the command reads";
            assertRefused(clinfer("run", model, "--input", "zeros", "--trace", same), "--trace" + reason);
            assertRefused(clinfer("bench", model, "-o", same), "--output" + reason);
            assertRefused(clinfer("bench", model, "--html", same), "--html" + reason);
            assertRefused(clinfer("check", model, "--profile", "cpu", "--fix", same), "--fix" + reason);
            assertRefused(clinfer("tune", model, "--trace", same), "--trace" + reason);
        }
        assertThat(model).hasBinaryContent(before);
    }

    @Test
    void aModelThatIsNamedByItsFolderIsNoneOfTheOutputs() throws IOException {
        Path json = folder.resolve("model.json");
        assertThat(clinfer("convert", model, "-o", json).code()).isZero();
        assertRefused(clinfer("bench", folder, "-o", json), "--output would overwrite " + json);
    }

    @Test
    void otherInputsAreNotOverwrittenEither() throws IOException {
        Path input = folder.resolve("y.npy");
        NpyFile.write(input, Tensor.of(new float[] {-1, 2, -3, 5}, 1, 4));
        Object[] run = {"run", model, "--device", "cpu", "--input", "x=" + input};
        assertRefused(clinfer(with(Stream.of(run), "--trace", input)), "--trace would overwrite " + input);
        assertRefused(clinfer(with(Stream.of(run), "-o", folder)), "--output would overwrite " + input);
        assertThat(NpyFile.read(input).getDouble(0)).isEqualTo(-1);

        Ran ran = clinfer(with(Stream.of(run), "-o", folder.resolve("results")));
        assertThat(ran.code()).as("%s", ran).isZero();
        assertThat(folder.resolve("results/y.npy")).exists();
    }

    @Test
    void twoOutputsAreTwoFiles() {
        Path file = folder.resolve("both");
        assertRefused(
                clinfer("bench", model, "-o", file, "--html", file),
                "--html and --output would both be written to " + file);
        assertThat(file).doesNotExist();
    }

    @Test
    void placesAreLookedAtBeforeAnythingIsDone() throws IOException {
        Path none = folder.resolve("none");
        assertRefused(clinfer("bench", none, "-o", none.resolve("x")), none + ": no such file or folder");
        assertRefused(clinfer("bench", model, "-o", none.resolve("x")), none + ": no such file or folder");
        assertRefused(clinfer("bench", model, "--html", none.resolve("x")), none + ": no such file or folder");
        assertRefused(clinfer("bench", model, "--html", folder), folder + ": is a folder, not a file to write");
        assertRefused(clinfer("demo", "-o", none.resolve("x.png")), none + ": no such file or folder");
        assertRefused(clinfer("demo", "-o", folder), folder + ": is a folder, not a file to write");
        assertRefused(
                clinfer("run", model, "--input", "zeros", "-o", model), model + ": exists already and is not a folder");
        assertThat(clinfer("bench", "--html", folder, "--help").code()).isZero();
    }

    @Test
    void resultsAreStoredAlsoWhereTheLargestCannotBeShown() throws IOException {
        Path labels = Files.writeString(folder.resolve("labels.txt"), "cat\n");
        Path results = folder.resolve("results");
        Ran ran = clinfer(
                "run",
                model,
                "--device",
                "cpu",
                "--input",
                "random",
                "--labels",
                labels,
                "-o",
                results,
                "--placement",
                "--time");
        assertThat(ran.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(ran.err()).singleElement().asString().contains("--labels: the file has 1 lines");
        assertThat(results.resolve("y.npy")).exists();
        assertThat(ran.out())
                .contains("wrote " + results.resolve("y.npy"))
                .anyMatch(line -> line.contains("Relu"))
                .anyMatch(line -> line.startsWith("load "));
    }
}
