package org.clinfer.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.options.CacheFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TunedChoicesTest {

    private static final TunedChoices.Choice TILE = new TunedChoices.Choice("Conv_tile", 10.5, "Conv_columns", 20);

    @TempDir
    Path folder;

    private TunedChoices of(String driver) {
        return TunedChoices.of(CacheFolder.at(folder), Devices.withDriver(driver));
    }

    private Path file() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("tuned"))) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void areKeptForTheDeviceWithItsDriver() {
        assertThat(of("1").add(Set.of("a", "b"), Map.of("a", TILE))).isTrue();
        assertThat(of("1").all()).containsExactly(Map.entry("a", TILE));
        assertThat(of("1").choice("a").map(TunedChoices.Choice::variant)).contains("Conv_tile");
        assertThat(of("1").choice("b").map(TunedChoices.Choice::variant)).isEmpty();
        assertThat(of("2").all()).as("another driver").isEmpty();
        assertThat(TunedChoices.of(
                                CacheFolder.at(folder), Devices.withDriver("1").withExact(true))
                        .all())
                .as("with other variants to choose from")
                .isEmpty();
        assertThat(TunedChoices.of(
                                CacheFolder.at(folder), Devices.withDriver("1").withTf32(true))
                        .all())
                .as("with variants that round to TF32")
                .isEmpty();
    }

    @Test
    void whatIsMeasuredAgainReplacesWhatWasChosen() {
        TunedChoices first = of("1");
        TunedChoices second = of("1");
        first.add(Set.of("a"), Map.of("a", TILE));
        second.add(Set.of("b"), Map.of("b", TILE));
        assertThat(second.all())
                .as("what another process stored in the meantime")
                .containsOnlyKeys("a", "b");
        second.add(Set.of("a"), Map.of());
        assertThat(of("1").all()).containsOnlyKeys("b");
    }

    @Test
    void aFileOfAnotherDeviceIsNotBelieved() throws IOException {
        of("1").add(Set.of("a"), Map.of("a", TILE));
        Files.writeString(file(), Files.readString(file()).replace("Toaster", "Kettle"));
        assertThat(of("1").all()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "garbage", "{", "[]", "7", "null", "{\"choices\": 7}"})
    void aDamagedFileIsNoChoice(String text) throws IOException {
        of("1").add(Set.of("a"), Map.of("a", TILE));
        Files.writeString(file(), text);
        assertThat(of("1").all()).isEmpty();
        assertThat(of("1").add(Set.of("b"), Map.of("b", TILE))).isTrue();
        assertThat(of("1").all()).containsOnlyKeys("b");
    }

    /** A pipe has no end until somebody writes to it. */
    @Test
    @Timeout(60)
    @DisabledOnOs(OS.WINDOWS)
    void aPipeInPlaceOfAFileIsNoChoice() throws Exception {
        of("1").add(Set.of("a"), Map.of("a", TILE));
        Path file = file();
        Files.delete(file);
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        assertThat(of("1").all()).isEmpty();
    }

    @Test
    void whatIsTooLargeHidesNoOther() throws IOException {
        of("1").add(Set.of("a"), Map.of("a", TILE));
        for (String name : List.of("0.json", "a.json", "zzzz.json")) {
            try (RandomAccessFile large =
                    new RandomAccessFile(file().resolveSibling(name).toFile(), "rw")) {
                large.setLength(1L << 26);
            }
        }
        assertThat(TunedChoices.kept(folder))
                .extracting(TunedChoices.Kept::driver)
                .containsExactly("1");
    }

    @Test
    void withoutAFolderTheyLastAsLongAsTheEngine() throws IOException {
        TunedChoices choices = TunedChoices.of(CacheFolder.off(), Devices.withDriver("1"));
        assertThat(choices.add(Set.of("a"), Map.of("a", TILE))).isFalse();
        assertThat(choices.choice("a").map(TunedChoices.Choice::variant)).contains("Conv_tile");
        Path file = Files.writeString(folder.resolve("file"), "a file");
        TunedChoices nowhere = TunedChoices.of(CacheFolder.at(file), Devices.withDriver("1"));
        assertThat(nowhere.add(Set.of("a"), Map.of("a", TILE))).isFalse();
        assertThat(nowhere.choice("a").map(TunedChoices.Choice::variant)).contains("Conv_tile");
    }

    @Test
    void areShownAndTakenAway() throws IOException {
        of("1").add(Set.of("a"), Map.of("a", TILE));
        of("2").add(Set.of("b"), Map.of("b", TILE));
        assertThat(TunedChoices.kept(folder))
                .extracting(TunedChoices.Kept::driver)
                .containsExactlyInAnyOrder("1", "2");
        assertThat(TunedChoices.clear(folder)).isEqualTo(2);
        assertThat(TunedChoices.kept(folder)).isEmpty();
        assertThat(of("1").all()).isEmpty();
    }
}
