package org.clinfer.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.clinfer.cpu.CpuOperators;
import org.clinfer.describe.OpCatalog;
import org.clinfer.profile.ProfileCatalog;
import org.junit.jupiter.api.Test;

/** The generated files are those that the descriptions and the profiles give now; {@code -Dgenerate=true} writes them. */
class GeneratedFilesTest {

    private final Map<Path, String> files = GeneratedFiles.of(
            OpCatalog.of(GeneratedFiles.DESCRIPTIONS), CpuOperators.builtIn(), ProfileCatalog.builtIn());

    @Test
    void theFilesFollowFromTheDescriptions() throws IOException {
        if (Boolean.getBoolean("generate")) {
            write();
        }
        TreeSet<Path> stale = new TreeSet<>();
        for (Map.Entry<Path, String> file : files.entrySet()) {
            if (!Files.exists(file.getKey()) || !Files.readString(file.getKey()).equals(file.getValue())) {
                stale.add(file.getKey());
            }
        }
        stale.addAll(left());
        assertThat(stale)
                .as(
                        "files that do not follow from the operator descriptions or the device profiles; write them with: %s",
                        GeneratedFiles.COMMAND)
                .isEmpty();
    }

    private void write() throws IOException {
        for (Map.Entry<Path, String> file : files.entrySet()) {
            Files.createDirectories(file.getKey().toAbsolutePath().getParent());
            Files.writeString(file.getKey(), file.getValue());
        }
        for (Path file : left()) {
            Files.delete(file);
        }
    }

    /** Files in the folders of generated ones that nothing asks for. */
    private Set<Path> left() throws IOException {
        TreeSet<Path> found = new TreeSet<>();
        for (Path folder : List.of(GeneratedFiles.SOURCES, GeneratedFiles.PROFILES)) {
            if (Files.exists(folder)) {
                try (Stream<Path> present = Files.list(folder)) {
                    present.filter(file -> !files.containsKey(file)).forEach(found::add);
                }
            }
        }
        return found;
    }
}
