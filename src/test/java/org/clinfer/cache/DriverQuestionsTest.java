package org.clinfer.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
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
        Files.writeString(folder.resolve("asked-0-" + UUID.randomUUID()), drivers + "\n" + what + "\n");
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
            assertThat(files().get(0)).as("what it would leave").hasContent("a\nsome platform\n");
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void whatEndedTwoProcessesIsFatalUntilTheDriversChange() throws IOException {
        endedAt("a", "some platform");
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
    void aProcessThatWasKilledIsForgottenOnceItsQuestionIsAnswered() throws IOException {
        endedAt("a", "some platform");
        endedAt("a", "another platform");
        try (DriverQuestions questions = begun("a")) {
            assertThat(questions.isFatal("some platform")).isFalse();
            questions.ask("some platform");
        }
        assertThat(files()).as("the one at another platform").hasSize(1);
        endedAt("a", "some platform");
        try (DriverQuestions questions = begun("a")) {
            assertThat(questions.isFatal("some platform")).isFalse();
        }
    }

    @Test
    void aClearedCacheForgets() throws IOException {
        endedAt("a", "");
        endedAt("a", "");
        try (DriverQuestions questions = begun("a")) {
            assertThat(questions.isFatal("")).isTrue();
        }
        DriverQuestions.clear(folder);
        assertThat(files()).isEmpty();
    }
}
