package org.clinfer.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.clinfer.cli.CommandPage;
import org.clinfer.cpu.CpuOperators;
import org.clinfer.describe.OpCatalog;
import org.clinfer.profile.ProfileCatalog;
import org.junit.jupiter.api.Test;

/** The generated files are those that their sources give now; {@code -Dgenerate=true} writes them. */
class GeneratedFilesTest {

    @Test
    void theFilesFollowFromTheirSources() throws IOException {
        Map<Path, String> files = new TreeMap<>(new FunctionTable().files());
        Function2Table ofTwo = new Function2Table();
        files.putAll(ofTwo.files());
        files.putAll(new ReductionTable(ofTwo).files());
        if (Boolean.getBoolean("generate")) {
            write(files); // before the descriptions are read, which use some of them
        }
        files.putAll(GeneratedFiles.of(
                OpCatalog.of(GeneratedFiles.DESCRIPTIONS), CpuOperators.builtIn(), ProfileCatalog.builtIn()));
        files.put(Path.of("docs/cli.md"), CommandPage.text());
        files.put(ApiSignatures.FILE, ApiSignatures.text());
        Set<Path> left = left(files);
        if (Boolean.getBoolean("generate")) {
            write(files);
            for (Path file : left) {
                Files.delete(file);
            }
            left = Set.of();
        }
        Set<Path> stale = new TreeSet<>(left);
        for (Map.Entry<Path, String> file : files.entrySet()) {
            if (!Files.exists(file.getKey()) || !Files.readString(file.getKey()).equals(file.getValue())) {
                stale.add(file.getKey());
            }
        }
        assertThat(stale)
                .as(
                        "files that do not follow from the operator descriptions, the tables of functions and reductions, the device profiles, the commands or the API; write them with: %s",
                        GeneratedFiles.COMMAND)
                .isEmpty();
    }

    private static void write(Map<Path, String> files) throws IOException {
        for (Map.Entry<Path, String> file : files.entrySet()) {
            Files.createDirectories(file.getKey().toAbsolutePath().getParent());
            Files.writeString(file.getKey(), file.getValue());
        }
    }

    /** Files in the folders of generated ones that nothing asks for. */
    private static Set<Path> left(Map<Path, String> files) throws IOException {
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
