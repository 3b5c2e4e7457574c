package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.clinfer.cache.ProgramCache;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.CacheFolder;
import org.clinfer.robustness.OnnxModel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands {@code cache} and {@code tune}, with a folder of their own. */
class CacheCommandTest {

    @TempDir
    Path folder;

    private @Nullable String before;

    @BeforeEach
    void setFolder() {
        before = System.getProperty(CacheFolder.PROPERTY);
        System.setProperty(CacheFolder.PROPERTY, cache().toString());
    }

    @AfterEach
    void restore() {
        if (before == null) {
            System.clearProperty(CacheFolder.PROPERTY);
        } else {
            System.setProperty(CacheFolder.PROPERTY, before);
        }
    }

    private Path cache() {
        return folder.resolve("cache");
    }

    /** Softmax has several kernels that take it. */
    private Path model() throws IOException {
        return TinyOnnx.write(folder.resolve("relu.onnx"), "Relu");
    }

    @Test
    void showsAnEmptyFolder() {
        Ran ran = clinfer("cache");
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).containsExactly(cache().toString(), "0 programs, 0.0 KiB");
        assertThat(cache()).doesNotExist();
    }

    @Test
    void showsAndTakesAwayPrograms() {
        assertThat(new ProgramCache(cache()).store("key", "conv.cl -DA=1 on Toaster", new byte[2000]))
                .isTrue();
        assertThat(new ProgramCache(cache()).find("key")).isPresent();
        Ran ran = clinfer("cache");
        assertThat(ran.out()).hasSize(4);
        assertThat(ran.out().get(2)).matches("2\\.0 +1 +20\\S+ +conv\\.cl -DA=1 on Toaster");
        assertThat(ran.out().get(3)).isEqualTo("1 program, 2.0 KiB");
        assertThat(clinfer("cache", "--clear").out())
                .containsExactly(cache() + ": taken away; programs: 1, devices with choices: 0");
        assertThat(clinfer("cache").out()).contains("0 programs, 0.0 KiB");
    }

    @Test
    void saysThatNothingIsKept() {
        System.setProperty(CacheFolder.PROPERTY, "off");
        assertThat(clinfer("cache").out())
                .containsExactly("nothing is kept between runs: switched off by clinfer.cache");
        assertThat(clinfer("cache", "--clear").code()).isZero();
    }

    @Test
    void tuningNeedsADevice() throws IOException {
        Ran ran = clinfer("tune", model(), "--device", "cpu");
        assertThat(ran.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(ran.err())
                .containsExactly("clinfer: tune measures the kernels of an OpenCL device, and --device cpu has none");
    }

    @Test
    void tuningNeedsAModel() {
        assertThat(clinfer("tune").code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(clinfer("tune", folder.resolve("none.onnx")).code()).isEqualTo(ExitCode.BAD_INPUT);
    }

    @Test
    @RequiresOpenCl
    void tunesAndShowsWhatIsKept() throws IOException {
        Ran ran = clinfer("tune", model(), "--all");
        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
        String last = ran.out().get(ran.out().size() - 1);
        assertThat(last)
                .contains(" different nodes run faster in another way on ")
                .endsWith("kept in " + cache());
        assertThat(ran.out().get(0)).startsWith("NODE");
        assertThat(clinfer("cache").out()).anyMatch(line -> line.startsWith("tuned for "));
        clinfer("cache", "--clear");
        assertThat(clinfer("cache").out()).noneMatch(line -> line.startsWith("tuned for "));
    }

    @Test
    @RequiresOpenCl
    void tuningNeedsAllSizes() throws IOException {
        Path open = Files.write(
                folder.resolve("open.onnx"),
                new OnnxModel().input("x", 1, -1).node("Relu", "x", "y").bytes());
        Ran ran = clinfer("tune", open);
        assertThat(ran.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(ran.err())
                .singleElement()
                .asString()
                .endsWith("input 'x' is 1xn:float32: give its size with --input x=SHAPE");
        assertThat(clinfer("tune", open, "--input", "x=1x5").code()).isZero();
    }

    @Test
    @RequiresOpenCl
    void tuningSaysWhatItCannotKeep() throws IOException {
        Files.writeString(cache(), "a file");
        Ran ran = clinfer("tune", model());
        assertThat(ran.code()).isZero();
        assertThat(ran.out().get(ran.out().size() - 1)).endsWith("not kept (" + cache() + " cannot be written)");
        System.setProperty(CacheFolder.PROPERTY, "off");
        ran = clinfer("tune", model());
        assertThat(ran.out().get(ran.out().size() - 1)).endsWith("not kept (switched off by clinfer.cache)");
    }
}
