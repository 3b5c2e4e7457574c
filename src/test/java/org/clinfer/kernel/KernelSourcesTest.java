package org.clinfer.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.clinfer.errors.InputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernel files and what they include. */
class KernelSourcesTest {

    @TempDir
    private Path folder;

    private void file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private String text(String name) {
        return KernelSources.in(folder).text(name);
    }

    @Test
    void includesEveryFileOnceAndInPlace() throws IOException {
        file("op/a.cl", "first\n  #include \"common/b.h\"\n#include \"common/c.h\" // again\nlast $1 \\n\n");
        file("common/b.h", "b begins\n#include \"common/c.h\"\nb ends");
        file("common/c.h", "c\n#include \"common/b.h\"");
        assertThat(text("op/a.cl").lines().filter(line -> !line.isBlank()))
                .containsExactly("first", "b begins", "c", "b ends", "last $1 \\n");
    }

    @Test
    void leavesSystemIncludesAlone() throws IOException {
        file("a.cl", "#include <math.h>\nint x; #include \"b.h\"\n");
        assertThat(text("a.cl")).isEqualTo("#include <math.h>\nint x; #include \"b.h\"\n");
    }

    @Test
    void readsAFileOnce() throws IOException {
        file("a.cl", "one");
        KernelSources sources = KernelSources.in(folder);
        assertThat(sources.text("a.cl")).isEqualTo("one");
        file("a.cl", "two");
        assertThat(sources.text("a.cl")).isEqualTo("one");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../a.cl", "/a.cl", "op/../../a.cl", "./a.cl", "op//a.cl", "", "a\\b.cl", "a.cl/", "file:a.cl"})
    void refusesPathsThatMayLeadOut(String path) throws IOException {
        file("inside/b.cl", "#include \"" + path + "\"\n");
        file("a.cl", "outside");
        KernelSources sources = KernelSources.in(folder.resolve("inside"));
        assertThatThrownBy(() -> sources.text(path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("kernel file name '" + path + "' is not a plain relative path");
        if (!path.isEmpty()) {
            assertThatThrownBy(() -> sources.text("b.cl")).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void saysWhichFileIsMissing() throws IOException {
        file("a.cl", "#include \"common/gone.h\"\n");
        assertThatThrownBy(() -> text("a.cl"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no kernel file 'common/gone.h'");
        assertThatThrownBy(() -> KernelSources.packaged().text("nothing.cl"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no kernel file 'nothing.cl'");
    }

    @Test
    void findsThePackedFiles() {
        assertThat(KernelSources.packaged().text("elementwise/cast_flat_ref.cl"))
                .contains("kernel void cast(");
    }

    @Test
    void aFolderOfKernelsThatIsNotThereIsSaid() {
        String before = System.getProperty("clinfer.kernels");
        System.setProperty("clinfer.kernels", folder.resolve("none").toString());
        try {
            assertThatThrownBy(KernelSources::packaged)
                    .isInstanceOf(InputException.class)
                    .hasMessage("there is no folder of kernels " + folder.resolve("none")
                            + ", which clinfer.kernels names");
        } finally {
            if (before == null) {
                System.clearProperty("clinfer.kernels");
            } else {
                System.setProperty("clinfer.kernels", before);
            }
        }
    }
}
