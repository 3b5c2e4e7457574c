package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;
import static org.clinfer.robustness.OnnxModel.ints;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.clinfer.importer.onnx.proto.StringStringEntryProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.robustness.OnnxModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Model files and external data that are damaged, missing or not what they claim to be. */
final class HostileModelTest extends HostileInput {

    private static OnnxModel small() {
        return new OnnxModel()
                .input("x", 1, 2, 4, 4)
                .weights("w", 3, 2, 3, 3)
                .node("Conv", "x,w", "c", ints("strides", 1, 1), ints("pads", 1, 1, 1, 1))
                .node("Relu", "c", "y");
    }

    @Test
    void truncatedModels() throws IOException {
        byte[] whole = small().bytes();
        assertThat(run(small()).code()).isZero();
        for (int length = 1; length < whole.length; length += 1 + whole.length / 40) {
            Ran ran = clinfer("run", write(Arrays.copyOf(whole, length)), "--device", "cpu", "--input", "x=zeros");
            assertRefused(ran, "m.onnx");
        }
    }

    @Test
    void corruptedModels() throws IOException {
        byte[] whole = small().bytes();
        for (int seed = 0; seed < 200; seed++) {
            Ran ran = clinfer(
                    seed % 3 == 0 ? "check" : "run",
                    write(damaged(whole, seed)),
                    "--device",
                    "cpu",
                    "--input",
                    seed % 3 == 0 ? "x=1x2x4x4" : "x=zeros");
            if (ran.code() == 2) {
                assertRefused(ran);
            } else {
                assertThat(ran.code()).as("seed " + seed + ": " + ran).isIn(0, 1);
                assertThat(ran.err()).as("seed " + seed).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "check", "verify"})
    void filesThatAreNoModels(String command) throws IOException {
        assertRefused(clinfer(command, folder.resolve("none.onnx")), "none.onnx: no such file");
        Path empty = Files.createFile(folder.resolve("empty.onnx"));
        Path other = Files.writeString(folder.resolve("notes.txt"), "not a model at all");
        Path text = Files.writeString(folder.resolve("notes.onnx"), "hello");
        Path picture = Files.write(folder.resolve("p.onnx"), new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10});
        if (!command.equals("verify")) {
            assertRefused(clinfer(command, empty, "--device", "cpu"), "empty.onnx", "the file is empty");
            assertRefused(clinfer(command, other, "--device", "cpu"), "unknown kind of model file");
            assertRefused(clinfer(command, picture, "--device", "cpu"), "p.onnx: not a valid ONNX model");
            assertRefused(
                    clinfer(command, text, "--device", "cpu"),
                    "notes.onnx: not a valid ONNX model: it is damaged, or a file of another kind");
            assertRefused(clinfer(command, folder, "--device", "cpu"), "is a folder");
        } else {
            assertRefused(clinfer(command, other), "notes.txt");
            assertRefused(clinfer(command, folder), "no test case");
        }
    }

    @Test
    void aBrokenCaseOfVerifyIsAFailedOne() throws IOException {
        Path test = Files.createDirectories(folder.resolve("case/test_data_set_0"));
        Files.write(folder.resolve("case/model.onnx"), Arrays.copyOf(small().bytes(), 100));
        Files.write(test.resolve("input_0.pb"), new byte[] {1, 2, 3});
        Files.write(test.resolve("output_0.pb"), new byte[0]);
        Ran ran = clinfer("verify", folder, "--device", "cpu");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).hasSize(2);
        assertThat(ran.out().get(0)).startsWith("FAIL ").contains("model.onnx");
        assertThat(ran.err()).isEmpty();
    }

    private static TensorProto.Builder external(String location, long offset, long length) {
        TensorProto.Builder tensor = TensorProto.newBuilder()
                .setName("w")
                .setDataType(OnnxModel.FLOAT)
                .addDims(4)
                .setDataLocation(TensorProto.DataLocation.EXTERNAL);
        List.of(
                        List.of("location", location),
                        List.of("offset", Long.toString(offset)),
                        List.of("length", Long.toString(length)))
                .forEach(entry -> tensor.addExternalData(
                        StringStringEntryProto.newBuilder().setKey(entry.get(0)).setValue(entry.get(1))));
        return tensor;
    }

    private static OnnxModel withExternal(String location, long offset, long length) {
        return new OnnxModel()
                .input("x", 1, 4)
                .initializer(external(location, offset, length))
                .node("Add", "x,w", "y");
    }

    @Test
    void externalData() throws IOException {
        Path models = Files.createDirectories(folder.resolve("models"));
        Files.write(folder.resolve("secret"), new byte[16]);
        Files.write(models.resolve("weights"), new byte[16]);
        Files.createSymbolicLink(models.resolve("link"), folder.resolve("secret"));
        Object[][] refusals = {
            {withExternal("gone", 0, 16), "the external file 'gone' is missing"},
            {withExternal("../secret", 0, 16), "outside the model's folder"},
            {withExternal("a/../../secret", 0, 16), "outside the model's folder"},
            {withExternal(folder.resolve("secret").toString(), 0, 16), "outside the model's folder"},
            {withExternal("link", 0, 16), "outside the model's folder"},
            {withExternal("weights", 8, 16), "it needs 16 bytes from offset 8"},
            {withExternal("weights", Long.MAX_VALUE, 16), "it needs 16 bytes from offset"},
            {withExternal("weights", -1, 16), "offset"},
            {withExternal("weights", 0, 1L << 60), "its external data has " + (1L << 60)},
            {withExternal("", 0, 16), "external"},
            {withExternal(".", 0, 16), "'.'"},
            {withExternal("a\u0000b", 0, 16), "not a file name"},
        };
        for (Object[] refusal : refusals) {
            Path model = Files.write(models.resolve("m.onnx"), ((OnnxModel) refusal[0]).bytes());
            assertRefused(clinfer("run", model, "--device", "cpu", "--input", "x=zeros"), "'w'", (String) refusal[1]);
        }
        Path sound = Files.write(
                models.resolve("m.onnx"), withExternal("weights", 0, 16).bytes());
        assertThat(clinfer("run", sound, "--device", "cpu", "--input", "x=zeros")
                        .code())
                .isZero();
    }
}
