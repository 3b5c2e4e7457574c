package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.clinfer.robustness.OnnxModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders in place of model files, and models that leave their batch open. */
class ModelFolderTest {

    @TempDir
    private Path folder;

    private Path rectifier(String name, long... dims) throws IOException {
        return Files.write(
                folder.resolve(name),
                new OnnxModel()
                        .opset(13)
                        .input("x", dims)
                        .node("Relu", "x", "y")
                        .build()
                        .toByteArray());
    }

    private static Ran run(Path model, String input) {
        return clinfer("run", model, "--device", "cpu", "--input", input);
    }

    @Test
    void aFolderWithOneModelIsThatModel() throws IOException {
        Files.writeString(folder.resolve("config.json"), "{}");
        Path file = rectifier("Net.ONNX", 1, 3);

        assertThat(run(folder, "zeros")).isEqualTo(run(file, "zeros"));
        assertThat(run(folder, "zeros").code()).isZero();
    }

    @Test
    void ofSeveralTheUsualNameIsTaken() throws IOException {
        rectifier("model_quantized.onnx", 1, 3);
        rectifier("other.onnx", 1, 3);
        Ran ran = run(folder, "zeros");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err())
                .singleElement()
                .asString()
                .endsWith("is a folder with 2 models; name one of model_quantized.onnx, other.onnx");

        rectifier("model.onnx", 1, 5);
        assertThat(run(folder, "zeros").out()).singleElement().asString().contains("1x5");
    }

    @Test
    void aFolderWithoutOneNeedsTheFile() throws IOException {
        Files.writeString(folder.resolve("net.prototxt"), "name: 'net'");
        assertThat(run(folder, "zeros").err())
                .singleElement()
                .asString()
                .endsWith("a file .onnx or .tflite; name the model's file itself");
    }

    @Test
    void ofManyAFewAreNamed() throws IOException {
        for (int i = 0; i < 7; i++) {
            rectifier("net" + i + ".onnx", 1, 3);
        }
        assertThat(run(folder, "zeros").err())
                .singleElement()
                .asString()
                .endsWith("with 7 models; name one of net0.onnx, net1.onnx, net2.onnx, net3.onnx, net4.onnx, …");
    }

    @Test
    void theModelOfAFolderIsNotOverwritten() throws IOException {
        Path file = rectifier("net.onnx", 1, 3);
        Ran ran = clinfer("bench", folder, "--device", "cpu", "--html", file);
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).singleElement().asString().contains("--html would overwrite");
    }

    @Test
    void anOpenBatchIsOne() throws IOException {
        Path file = rectifier("net.onnx", -1, 3);

        assertThat(run(file, "random").out()).singleElement().asString().contains("1x3");
        assertThat(run(file, "2x3:random").out()).singleElement().asString().contains("2x3");
        assertThat(clinfer("bench", file, "--device", "cpu", "--runs", "2", "--warmup", "0")
                        .code())
                .isZero();
    }

    @Test
    void aReportSaysWhichSizesItTookForOpenOnes() throws IOException {
        Path file = rectifier("net.onnx", -1, 3);
        String taken = "with sizes that the model leaves open: --input x=";

        assertThat(report(file).out()).anyMatch(line -> line.contains(taken + "1x3:float32"));
        assertThat(report(file, "--input", "x=4x3").out()).anyMatch(line -> line.contains(taken + "4x3:float32"));
        assertThat(report(file, "--input", "x=nx3").out())
                .noneMatch(line -> line.contains(taken))
                .anyMatch(line -> line.contains("sizes that are not known can be given: --input x=nx3:float32"));
        assertThat(report(rectifier("net.onnx", 1, 3)).out()).noneMatch(line -> line.contains("--input"));
    }

    private static Ran report(Path model, String... options) {
        List<Object> all = new ArrayList<>(List.of("check", model, "--profile", "h200"));
        all.addAll(List.of(options));
        return clinfer(all.toArray());
    }

    @Test
    void otherOpenSizesMustBeGiven() throws IOException {
        for (long[] dims : new long[][] {{-1}, {-1, -1}, {1, -1}}) {
            Path file = rectifier("net.onnx", dims);
            assertThat(run(file, "random").err()).singleElement().asString().contains("open");
            assertThat(clinfer("bench", file, "--device", "cpu").err())
                    .singleElement()
                    .asString()
                    .contains("--input x=SHAPE");
        }
    }

    @Test
    void whoGivesASizeGivesAll() throws IOException {
        Path file = Files.write(
                folder.resolve("sum.onnx"),
                new OnnxModel()
                        .opset(13)
                        .input("x", -1, 3)
                        .input("z", -1, 3)
                        .node("Add", "x,z", "y")
                        .build()
                        .toByteArray());
        Ran ran = clinfer("bench", file, "--device", "cpu", "--input", "x=4x3");
        assertThat(ran.err()).singleElement().asString().contains("--input z=SHAPE");
    }
}
