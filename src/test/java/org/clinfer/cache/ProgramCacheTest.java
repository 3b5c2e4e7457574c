package org.clinfer.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgramCacheTest {

    private static final String KEY = ProgramCache.key(Devices.withDriver("1"), "kernel void f() {}", "-DA=1");

    @TempDir
    Path folder;

    private static byte[] binary(int seed, int bytes) {
        byte[] binary = new byte[bytes];
        new Random(seed).nextBytes(binary);
        return binary;
    }

    private Path file() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("programs"))) {
            return files.filter(file -> file.toString().endsWith(".bin"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private ProgramCache stored() {
        ProgramCache cache = new ProgramCache(folder);
        assertThat(cache.store(KEY, "f.cl -DA=1", binary(1, 1000))).isTrue();
        return cache;
    }

    @Test
    void givesBackWhatWasStored() {
        assertThat(stored().find(KEY)).hasValue(binary(1, 1000));
        ProgramCache another = new ProgramCache(folder);
        assertThat(another.find(KEY)).hasValue(binary(1, 1000));
        assertThat(another.find(ProgramCache.key(Devices.withDriver("1"), "other", "")))
                .isEmpty();
        assertThat(another.statistics()).isEqualTo(new ProgramCache.Statistics(1, 1, 0, 0));
        assertThat(another.entries()).singleElement().satisfies(entry -> {
            assertThat(entry.label()).isEqualTo("f.cl -DA=1");
            assertThat(entry.uses()).isEqualTo(2);
        });
    }

    @Test
    void aKeyIsOfOneSourceWithItsOptionsOnOneDriver() {
        List<String> keys = List.of(
                KEY,
                ProgramCache.key(Devices.withDriver("2"), "kernel void f() {}", "-DA=1"),
                ProgramCache.key(Devices.withDriver("1"), "kernel void f() { }", "-DA=1"),
                ProgramCache.key(Devices.withDriver("1"), "kernel void f() {}", "-DA=2"),
                // the same characters, divided otherwise
                ProgramCache.key(Devices.withDriver("1"), "1kernel void f() {}", "-DA="));
        assertThat(keys).doesNotHaveDuplicates().allMatch(key -> key.matches("[0-9a-f]{64}"));
        assertThat(ProgramCache.key(Devices.withDriver("1"), "kernel void f() {}", "-DA=1"))
                .isEqualTo(KEY);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 20, 24, 60, 70, 500, 1065})
    void oneWrongByteIsFound(int position) throws IOException {
        ProgramCache cache = stored();
        byte[] content = Files.readAllBytes(file());
        content[position] ^= 1;
        Files.write(file(), content);
        assertThat(cache.find(KEY)).isEmpty();
        assertThat(cache.statistics().damaged()).isEqualTo(1);
        assertThat(cache.entries()).as("it is gone").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 55, 56, 66, 1065})
    void aFileThatEndsEarlyIsFound(int bytes) throws IOException {
        ProgramCache cache = stored();
        Files.write(file(), Arrays.copyOf(Files.readAllBytes(file()), bytes));
        assertThat(cache.find(KEY)).isEmpty();
        assertThat(cache.store(KEY, "again", binary(2, 10))).isTrue();
        assertThat(cache.find(KEY)).hasValue(binary(2, 10));
    }

    @Test
    @Timeout(60)
    @DisabledOnOs(OS.WINDOWS)
    void aPipeInPlaceOfAFileIsNoProgram() throws Exception {
        ProgramCache cache = stored();
        Path pipe = folder.resolve("programs").resolve("pipe.bin");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        assertThat(cache.find("pipe")).isEmpty();
        assertThat(cache.entries()).hasSize(1);
    }

    @Test
    void garbageInTheFolderIsNoProgram() throws IOException {
        ProgramCache cache = stored();
        Files.writeString(folder.resolve("programs").resolve("x.bin"), "garbage");
        Files.createDirectory(folder.resolve("programs").resolve("y.bin"));
        Files.writeString(folder.resolve("programs").resolve("notes.txt"), "not ours");
        assertThat(cache.entries())
                .extracting(ProgramCache.Entry::label)
                .containsExactlyInAnyOrder("f.cl -DA=1", "(damaged) x.bin");
        assertThat(cache.find("y")).isEmpty();
        assertThat(cache.find(KEY)).isPresent();
    }

    @Test
    void theLeastRecentlyUsedGoFirst() throws IOException {
        ProgramCache cache = new ProgramCache(folder, 3500);
        for (int i = 0; i < 3; i++) {
            assertThat(cache.store("k" + i, "program " + i, binary(i, 1000))).isTrue();
            Files.setLastModifiedTime(
                    folder.resolve("programs").resolve("k" + i + ".bin"), FileTime.fromMillis(1_000_000L + i));
        }
        assertThat(cache.find("k0")).isPresent();
        assertThat(cache.store("k3", "program 3", binary(3, 1000))).isTrue();
        assertThat(cache.find("k1")).as("not used for the longest time").isEmpty();
        assertThat(List.of("k0", "k2", "k3")).allMatch(key -> cache.find(key).isPresent());
        assertThat(cache.store("large", "too large", binary(4, 3500))).isFalse();
        assertThat(cache.find("k0")).isPresent();
    }

    @Test
    void clearingLeavesWhatIsNotOurs() throws IOException {
        ProgramCache cache = stored();
        Path other = Files.writeString(folder.resolve("programs").resolve("notes.txt"), "not ours");
        assertThat(cache.clear()).isEqualTo(1);
        assertThat(cache.find(KEY)).isEmpty();
        assertThat(other).exists();
        assertThat(new ProgramCache(folder.resolve("nowhere")).clear()).isZero();
    }

    @Test
    void aFolderThatCannotBeMadeKeepsNothing() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "a file");
        ProgramCache cache = new ProgramCache(file);
        assertThat(cache.store(KEY, "f", binary(1, 10))).isFalse();
        assertThat(cache.find(KEY)).isEmpty();
        assertThat(cache.entries()).isEmpty();
        assertThat(file).hasContent("a file");
        ProgramCache inProc = new ProgramCache(Path.of("/proc/clinfer"));
        assertThat(inProc.store(KEY, "f", binary(1, 10))).isFalse();
        assertThat(inProc.find(KEY)).isEmpty();
    }

    @Test
    void aFolderThatCannotBeLockedKeepsNothingNew() throws IOException {
        ProgramCache cache = stored();
        Files.delete(folder.resolve("programs").resolve(".lock"));
        Files.createDirectory(folder.resolve("programs").resolve(".lock"));
        assertThat(cache.store("other", "f", binary(1, 10))).isFalse();
        assertThat(cache.find(KEY)).isPresent();
    }

    @Test
    void writersInOneProcessDoNotDisturbEachOther() throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Boolean>> sound = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                sound.add(threads.submit(() -> Writer.write(new ProgramCache(folder), 25)));
            }
            for (Future<Boolean> each : sound) {
                assertThat(each.get()).isTrue();
            }
        } finally {
            threads.shutdown();
        }
        assertThat(new ProgramCache(folder).entries()).hasSize(5);
    }

    @Test
    void writersInTwoProcessesDoNotDisturbEachOther() throws IOException, InterruptedException {
        List<Process> writers = List.of(writer(), writer());
        assertThat(Writer.write(new ProgramCache(folder), 25)).isTrue();
        for (Process writer : writers) {
            assertThat(writer.waitFor()).isZero();
        }
        assertThat(new ProgramCache(folder).entries())
                .hasSize(5)
                .allMatch(entry -> entry.label().startsWith("program"));
    }

    private Process writer() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Writer.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Stores and reads five programs again and again; each content says which it is. */
    static final class Writer {

        private Writer() {}

        public static void main(String[] args) {
            System.exit(write(new ProgramCache(Path.of(args[0])), 25) ? 0 : 1);
        }

        static boolean write(ProgramCache cache, int times) {
            boolean sound = true;
            for (int i = 0; i < times; i++) {
                int which = i % 5;
                cache.store("key" + which, "program " + which, binary(which, 20_000));
                Optional<byte[]> found = cache.find("key" + which);
                sound &= found.isEmpty() || Arrays.equals(found.get(), binary(which, 20_000));
            }
            return sound && cache.statistics().damaged() == 0;
        }
    }
}
