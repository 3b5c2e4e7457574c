package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.clinfer.cli.npy.NpyFile;
import org.clinfer.robustness.OnnxModel;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What tests of bad input share: a scratch folder, the command line, small models, and what a refusal looks like. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
abstract class HostileInput {

    @TempDir
    Path folder;

    final void assertRefused(Ran ran, String... reasons) throws IOException {
        assertThat(ran.err()).as(ran.toString()).hasSize(1);
        assertThat(ran.err().get(0)).startsWith("clinfer: ").doesNotContain("unexpected", "--debug");
        for (String reason : reasons) {
            assertThat(ran.err().get(0)).contains(reason);
        }
        assertThat(ran.code()).as(ran.toString()).isEqualTo(2);
        assertThat(files()).noneMatch(file -> file.contains(".part"));
    }

    final void assertRefused(OnnxModel model, String... reasons) throws IOException {
        assertRefused(run(model), reasons);
        assertThat(folder.resolve("out")).doesNotExist();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(Path::toString).toList();
        }
    }

    final Path write(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("m.onnx"), bytes);
    }

    /** Runs a model on the CPU, its one input x being zeros. */
    final Ran run(OnnxModel model) throws IOException {
        return clinfer(
                "run", write(model.bytes()), "--device", "cpu", "--input", "x=zeros", "-o", folder.resolve("out"));
    }

    static OnnxModel oneByFour(String op) {
        return new OnnxModel().input("x", 1, 4).node(op, "x", "y");
    }

    /** The bytes with one to four of them changed at random. */
    static byte[] damaged(byte[] whole, int seed) {
        Random random = new Random(seed);
        byte[] damaged = whole.clone();
        for (int i = 0; i < 1 + seed % 4; i++) {
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
        }
        return damaged;
    }

    /** Damages a file so many times, each time in another way: the model is refused, or runs all the same. */
    final void assertDamageIsHandled(Path file, int times, Callable<Ran> run) throws Exception {
        byte[] whole = Files.readAllBytes(file);
        for (int seed = 0; seed < times; seed++) {
            Files.write(file, damaged(whole, seed));
            Ran ran = run.call();
            if (ran.code() == 2) {
                assertRefused(ran);
            } else {
                assertThat(ran.code()).as("seed " + seed + ": " + ran).isZero();
                assertThat(ran.err()).as("seed " + seed).isEmpty();
            }
        }
        Files.write(file, whole);
    }

    final Path npy(String name, Tensor tensor) throws IOException {
        Path file = folder.resolve(name);
        NpyFile.write(file, tensor);
        return file;
    }
}
