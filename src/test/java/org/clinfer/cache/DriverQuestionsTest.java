package org.clinfer.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.clinfer.options.CacheFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions of processes that were answered, and of one that was not. */
final class DriverQuestionsTest {

    @TempDir
    private Path folder;

    private DriverQuestions begun(String drivers) {
        return DriverQuestions.begun(CacheFolder.at(folder), drivers);
    }

    /** Leaves what a process leaves that ends when it asks. */
    private void endedAt(String drivers, String what) throws IOException {
        try (DriverQuestions questions = begun(drivers)) {
            questions.ask(what);
            Files.copy(files().get(0), folder.resolve("asked-0-" + what.hashCode()));
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void nothingStaysOfAnsweredQuestions() throws IOException {
        try (DriverQuestions questions = begun("a")) {
            questions.ask("some platform");
            assertThat(files()).hasSize(1);
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void whatEndedAProcessIsFatalUntilTheDriversChange() throws IOException {
        endedAt("a", "some platform");
        for (int i = 0; i < 2; i++) {
            try (DriverQuestions questions = begun("a")) {
                assertThat(questions.isFatal("some platform")).isTrue();
                assertThat(questions.isFatal("")).isFalse();
            }
        }
        begun("b").close();
        assertThat(files()).isEmpty();
    }

    @Test
    void aClearedCacheForgets() throws IOException {
        endedAt("a", "");
        try (DriverQuestions questions = begun("a")) {
            assertThat(questions.isFatal("")).isTrue();
        }
        DriverQuestions.clear(folder);
        assertThat(files()).isEmpty();
    }
}
