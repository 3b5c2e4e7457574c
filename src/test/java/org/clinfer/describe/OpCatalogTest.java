package org.clinfer.describe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where catalogues come from, and how they are put together. */
class OpCatalogTest {

    private static final String OPERATOR = """
            {"ops": [{"optype": "Twice", "author": "me", "arch": "none",
              "tensors_in": [{"arg_name": "x", "mtype": "LN_MEM_NONE"}],
              "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": "x.dims"}]}]}
            """;

    private static String variant(String name) {
        return """
                {"ops": [{"optype": "Twice_%1$s", "author": "me", "arch": "opencl", "inherits": "Twice",
                  "variant": "%1$s", "run": [{"kernel": "twice.cl#%1$s", "args": {"x": "x"}, "global": ["y.len"]}]}]}
                """.formatted(name);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readsFromInsideAJar(boolean withFolderEntries, @TempDir Path folder) throws IOException {
        Path jar = folder.resolve("some library #1.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            if (withFolderEntries) {
                out.putNextEntry(new JarEntry("org/clinfer/operators/"));
            }
            put(out, "org/clinfer/operators/twice.json", OPERATOR);
            put(out, "org/clinfer/operators/twice_ref.json", variant("ref"));
            put(out, "org/clinfer/operators/deeper/other.json", "not json");
            put(out, "org/clinfer/operators/readme.txt", "not json");
            put(out, "org/clinfer/describe/OpCatalog.class", "only its place matters");
        }
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
            OpCatalog catalog = OpCatalog.load(loader);
            assertThat(catalog.operators()).extracting(OpDescription::optype).containsExactly("Twice");
            assertThat(catalog.find("Twice").orElseThrow().source()).isEqualTo("twice.json");
            assertThat(catalog.variants("Twice")).hasSize(1);
        }
    }

    private static void put(JarOutputStream out, String name, String content) throws IOException {
        out.putNextEntry(new JarEntry(name));
        out.write(content.getBytes(UTF_8));
    }

    @Test
    void readsFromAFolderOnTheClassPath(@TempDir Path folder) throws IOException {
        Path operators = Files.createDirectories(folder.resolve("a b/org/clinfer/operators"));
        Files.writeString(operators.resolve("twice.json"), OPERATOR);
        URL root = folder.resolve("a b").toUri().toURL();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {root}, null)) {
            assertThat(OpCatalog.load(loader).find("Twice")).isPresent();
        }
    }

    @Test
    void saysWhereItLookedInVain(@TempDir Path folder) throws IOException {
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, null)) {
            assertThatThrownBy(() -> OpCatalog.load(loader))
                    .isInstanceOf(DescriptionException.class)
                    .hasMessageContaining("no resource folder org/clinfer/operators");
        }
        Path missing = folder.resolve("missing");
        assertThatThrownBy(() -> OpCatalog.of(missing))
                .isInstanceOf(DescriptionException.class)
                .hasMessageContaining(missing.toString());
    }

    @Test
    void triesAddedVariantsFirstAndTheReferenceLast(@TempDir Path folder) throws IOException {
        Path base = Files.createDirectories(folder.resolve("base"));
        Files.writeString(base.resolve("a_ref.json"), variant("ref"));
        Files.writeString(base.resolve("b_tiled.json"), variant("tiled"));
        Files.writeString(base.resolve("twice.json"), OPERATOR);
        Path mine = Files.createDirectories(folder.resolve("mine"));
        Files.writeString(mine.resolve("fast.json"), variant("fast"));
        OpCatalog catalog = OpCatalog.of(base).with(mine);
        assertThat(catalog.variants("Twice"))
                .extracting(VariantDescription::variant)
                .containsExactly("fast", "tiled", "ref");
        assertThat(catalog.variants("Thrice")).isEmpty();
        assertThatThrownBy(() -> OpCatalog.of(mine))
                .hasMessageContaining(
                        "fast.json: Twice_fast: inherits 'Twice', which is not a known abstract operator");
        assertThatThrownBy(() -> catalog.with(mine))
                .hasMessageContaining("variant 'fast' of Twice is described already");
    }

    @Test
    void mergesCatalogues(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("twice.json"), OPERATOR);
        Files.writeString(folder.resolve("variant.json"), variant("mine"));
        OpCatalog merged = OpCatalog.builtIn().merge(OpCatalog.of(folder));
        assertThat(merged.variants("Twice")).hasSize(1);
        assertThat(merged.find("Twice")).isPresent();
        assertThat(merged.find("Conv2d")).isPresent();
        assertThatThrownBy(() -> merged.merge(OpCatalog.of(folder)))
                .hasMessageContaining("operator Twice is described already");
    }
}
