package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.clinfer.importer.tfjs.TfjsModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** TensorFlow.js models that are damaged, incomplete, too large or not what they claim to be. */
final class HostileTfjsTest extends HostileInput {

    private static TfjsModel small() {
        return new TfjsModel()
                .input("x", 1, 4, 4, 2)
                .weight("c/kernel", 3, 3, 2, 3)
                .weight("c/bias", 3)
                .layer("Conv2D", "c", "'filters':3,'kernel_size':[3,3],'padding':'same','activation':'relu'", "x")
                .layer("Flatten", "f", "", "c");
    }

    private Ran run(Path model) {
        return clinfer("run", model, "--device", "cpu", "--input", "x=zeros");
    }

    private void assertRefused(TfjsModel model, String... reasons) throws IOException {
        assertRefused(run(model.write(folder)), reasons);
    }

    @Test
    void foldersAndFiles() throws IOException {
        Path file = small().write(folder);
        assertThat(run(file).code()).isZero();
        assertThat(run(folder).code()).isZero();
        assertThat(clinfer("check", folder, "--device", "cpu").code()).isZero();
        Path converted = Files.createDirectory(folder.resolve("converted")).resolve("net.json");
        assertThat(clinfer("convert", folder, "-o", converted).code()).isZero();
        assertThat(run(converted).out()).isEqualTo(run(file).out());
        assertRefused(run(folder.resolve("converted")), "is a folder without a model.json");
    }

    @Test
    void truncatedFiles() throws IOException {
        Path file = small().write(folder);
        byte[] whole = Files.readAllBytes(file);
        for (int length = 0; length < whole.length; length += 1 + whole.length / 60) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertRefused(run(file), "model.json");
        }
        Files.write(file, whole);
        byte[] weights = small().data();
        for (int length = 0; length < weights.length; length += 13) {
            Files.write(folder.resolve(TfjsModel.WEIGHTS), Arrays.copyOf(weights, length));
            assertRefused(run(file), "bytes");
        }
        Files.write(folder.resolve(TfjsModel.WEIGHTS), Arrays.copyOf(weights, weights.length + 1));
        assertRefused(run(file), "its weights have 228 bytes, but its files 229");
        Files.delete(folder.resolve(TfjsModel.WEIGHTS));
        assertRefused(run(file), "the external file 'group1-shard1of1.bin' is missing");
    }

    @Test
    void corruptedModels() throws Exception {
        Path file = small().write(folder);
        assertDamageIsHandled(file, 150, () -> run(file));
    }

    private void assertPathRefused(String path, String reason) throws IOException {
        Path file = small().write(folder);
        String text = Files.readString(file).replace(TfjsModel.WEIGHTS, path);
        Files.writeString(file, text);
        assertRefused(run(file), "model.json: weightsManifest[0]", reason);
    }

    @Test
    void weightsOutsideTheFolder() throws IOException {
        Path secret = Files.write(Files.createDirectory(folder.resolve("other")).resolve("secret"), small().data());
        Path inner = Files.createDirectory(folder.resolve("model"));
        Files.createSymbolicLink(inner.resolve("link"), secret);
        assertPathRefused("../secret", "outside the model's folder");
        assertPathRefused("a/../../secret", "outside the model's folder");
        assertPathRefused(secret.toString(), "outside the model's folder");
        Path file = small().write(inner);
        Files.writeString(file, Files.readString(file).replace(TfjsModel.WEIGHTS, "link"));
        assertRefused(run(file), "outside the model's folder");
        assertPathRefused("\\u0000", "not a file name");
        assertPathRefused(".", "not a regular file");
        assertPathRefused("", "not a regular file");
    }

    @Test
    void sizesThatAreTooLarge() throws IOException {
        assertRefused(
                new TfjsModel().input("x", 1, 4).layer("RepeatVector", "v", "'n':10000000000", "x"), "10000000000");
        assertRefused(
                new TfjsModel().input("x", 1, 4).layer("RepeatVector", "v", "'n':9223372036854775807", "x"),
                "too large");
        assertRefused(
                new TfjsModel().input("x", 1, 4, 4, 1).layer("UpSampling2D", "u", "'size':1073741824", "x"),
                "config.size");
        TfjsModel growing = new TfjsModel().input("x", 1, 4, 4, 1);
        String last = "x";
        for (int i = 0; i < 30; i++) {
            growing.layer("UpSampling2D", "u" + i, "'size':1000", last);
            last = "u" + i;
        }
        assertRefused(growing, "too large");
        assertRefused(
                new TfjsModel().input("x", 1, 4, 4, 1).layer("ZeroPadding2D", "z", "'padding':1073741823", "x"), "z");
        assertRefused(
                new TfjsModel()
                        .input("x", 1, 4, 4, 1)
                        .weight("c/kernel", 1, 1, 1, 1)
                        .layer(
                                "Conv2DTranspose",
                                "c",
                                "'filters':1,'kernel_size':1,'strides':1000000000,'use_bias':false",
                                "x"),
                "c");
        assertRefused(new TfjsModel().input("x", 1L << 62, 4).layer("ReLU", "r", "", "x"), "too large");
    }

    /** A chain as long as no network is, and every layer taking all before it. */
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void veryManyLayers() throws IOException {
        TfjsModel chain = new TfjsModel().input("x", 1, 4);
        String last = "x";
        for (int i = 0; i < 3000; i++) {
            chain.layer("ReLU", "r" + i, "", last);
            last = "r" + i;
        }
        assertThat(run(chain.write(folder)).code()).isZero();
        TfjsModel dense = new TfjsModel().input("x", 1, 4);
        StringBuilder taken = new StringBuilder("['x',0,0]");
        for (int i = 0; i < 300; i++) {
            dense.layerCalled("Add", "a" + i, "", "[[" + taken + "," + taken + "]]");
            taken.append(",['a").append(i).append("',0,0]");
        }
        assertThat(clinfer("check", dense.write(folder), "--device", "cpu").code())
                .isZero();
    }

    @Test
    void namesFromTheFileDoNotReachTheTerminalAsTheyAre() throws IOException {
        assertRefused(
                new TfjsModel().input("x", 1, 4).layer("Lam\\u001b[31mbda\\n", "odd", "", "x"),
                "Clinfer has no layer Lam\\u001b[31mbda\\u000a");
        assertRefused(new TfjsModel().input("x", 1, 4).layer("L".repeat(100_000), "odd", "", "x"), "characters");
    }
}
