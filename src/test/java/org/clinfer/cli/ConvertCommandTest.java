package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;
import static org.clinfer.robustness.OnnxModel.ints;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.clinfer.robustness.OnnxModel;
import org.junit.jupiter.api.Test;

/** {@code clinfer convert}, and the other commands on what it writes. */
final class ConvertCommandTest extends HostileInput {

    private Path onnx() throws IOException {
        return write(new OnnxModel()
                .input("x", 1, 2, 6, 6)
                .weights("w", 4, 2, 3, 3)
                .weights("b", 4)
                .node("Conv", "x,w,b", "c", ints("pads", 1, 1, 1, 1))
                .node("Relu", "c", "y")
                .bytes());
    }

    /** The bytes of the one output. */
    private byte[] run(Path model) throws IOException {
        Path out = folder.resolve("out");
        Ran ran = clinfer("run", model, "--device", "cpu", "--input", "x=random:3", "-o", out);
        assertThat(ran.code()).as(ran.toString()).isZero();
        return Files.readAllBytes(out.resolve("y.npy"));
    }

    @Test
    void whatIsWrittenRunsAlike() throws IOException {
        Path model = onnx();
        Path json = folder.resolve("net.json");

        Ran ran = clinfer("convert", model, "-o", json);
        assertThat(ran.code()).as(ran.toString()).isZero();
        assertThat(ran.out()).containsExactly("wrote " + folder.resolve("net.safetensors"), "wrote " + json);
        assertThat(run(json)).isEqualTo(run(model));

        Files.delete(folder.resolve("net.safetensors"));
        assertRefused(clinfer("run", json, "--input", "x=zeros"), "net.json: node 1 'w' (Const)", "is missing");

        assertThat(clinfer("convert", model, "--inline", "-o", json).out()).containsExactly("wrote " + json);
        assertThat(folder.resolve("net.safetensors")).doesNotExist();
        assertThat(run(json)).isEqualTo(run(model));
        assertThat(clinfer("convert", json, "-o", json).code()).isZero();
        assertThat(run(json)).isEqualTo(run(model));
        assertThat(clinfer("check", json, "--device", "cpu").code()).isZero();
    }

    @Test
    void onnxIsWrittenToo() throws IOException {
        Path model = onnx();
        Path json = folder.resolve("net.json");
        Path written = folder.resolve("written.onnx");
        assertThat(clinfer("convert", model, "-o", json).code()).isZero();

        Ran ran = clinfer("convert", json, "-o", written);

        assertThat(ran.code()).as(ran.toString()).isZero();
        assertThat(ran.out()).containsExactly("wrote " + written);
        assertThat(run(written)).isEqualTo(run(model));
        assertThat(clinfer("check", written, "--device", "cpu").code()).isZero();
    }

    @Test
    void whatOnnxCannotSayIsRefusedTogether() throws IOException {
        Path model = Files.writeString(folder.resolve("down.json"), """
                {"name": "down", "ops": [
                  {"name": "x", "optype": "Input", "tensors_in": [], "tensors_out": [{"arg_name": "y", "name": "x"}],
                   "params": [{"arg_name": "dtype", "value": "float32"},
                              {"arg_name": "dims", "value": [1, 1, 8, 8]}]},
                  {"name": "half", "optype": "DeePhiDownsample", "tensors_in": [{"arg_name": "x", "name": "x"}],
                   "tensors_out": [{"arg_name": "y", "name": "h"}],
                   "params": [{"arg_name": "scale", "value": [2, 2]}]},
                  {"name": "mirror", "optype": "Pad", "tensors_in": [{"arg_name": "x", "name": "h"}],
                   "tensors_out": [{"arg_name": "y", "name": "p"}],
                   "params": [{"arg_name": "mode", "value": "SYMMETRIC"},
                              {"arg_name": "pad_with", "value": [0, 0, 0, 0, 1, 1, 1, 1]}]},
                  {"name": "out", "optype": "Output", "tensors_in": [{"arg_name": "x", "name": "p"}],
                   "tensors_out": [], "params": []}
                ]}
                """);
        Path written = folder.resolve("down.onnx");

        assertRefused(
                clinfer("convert", model, "-o", written),
                "2 nodes cannot be written as ONNX",
                "'half' (DeePhiDownsample): ONNX has no operator DeePhiDownsample",
                "'mirror' (Pad): ONNX cannot say Pad with mode SYMMETRIC exactly");
        assertThat(written).doesNotExist();
    }

    @Test
    void badUsage() throws IOException {
        Path model = onnx();
        assertRefused(clinfer("convert", model), "--output");
        assertRefused(clinfer("convert", model, "-o", folder.resolve("net.pb")), "must end in .json or .onnx");
        assertRefused(clinfer("convert", model, "-o", folder.resolve("none/net.json")), "none: no such file or folder");
        assertRefused(clinfer("convert", folder.resolve("none.onnx"), "-o", folder.resolve("n.json")), "none.onnx");
        Path directory = Files.createDirectory(folder.resolve("d.json"));
        assertRefused(clinfer("convert", model, "-o", directory), "is a folder");
        assertRefused(
                clinfer("convert", TinyOnnx.write(folder.resolve("t.onnx"), "Frob"), "-o", folder.resolve("n.json")),
                "Frob");
        assertThat(folder.resolve("n.json")).doesNotExist();
    }

    @Test
    void modelsWrittenByHandAreVerified() {
        Ran ran = clinfer("verify", "test-data/models", "--device", "cpu");

        assertThat(ran.out())
                .containsExactly(
                        "PASS models/half_weights", "PASS models/two_branches", "2 passed, 0 failed, 0 unsupported");
    }
}
