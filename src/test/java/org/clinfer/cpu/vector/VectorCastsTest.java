package org.clinfer.cpu.vector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The sources of the loops in vectors. HotSpot compiles an operation on vectors whose class it does not know as a call, for
 * which vectors become objects on the heap; whether it knows that of a vector that was loaded depends on what ran before.
 */
class VectorCastsTest {

    private static final Path SOURCES = Path.of("src/vector/java/org/clinfer/cpu/vector");
    private static final Pattern LOAD = Pattern.compile("(\\.cast\\(\\s*)?FloatVector\\s*\\.fromArray\\(SPECIES,");

    private static List<String> uncast(Path file) {
        try {
            return LOAD.matcher(Files.readString(file))
                    .results()
                    .filter(load -> load.group(1) == null)
                    .map(load -> file + ", at " + load.start())
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void everyVectorThatIsLoadedIsCastToItsClass() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            assertThat(files.flatMap(file -> uncast(file).stream())).isEmpty();
        }
    }
}
