package org.clinfer.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The entry point that Jazzer calls with each file; and a program that takes one file from disk: NAME FILE. */
public final class FuzzEntry {

    /** Processor time that a file may take. */
    private static final long MOST_SECONDS = 10;

    /** Jazzer calls static methods alone. */
    private static final class Current {
        static @Nullable FuzzEntry entry;
    }

    private final Target target;
    private final Path folder;

    private FuzzEntry(String name) {
        this.target = Targets.named(name);
        try {
            this.folder = Files.createDirectories(
                    FuzzRun.ROOT.resolve(name).resolve("work").toAbsolutePath());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Called by Jazzer with the name of the target. Classes are loaded here, so that no file pays for them. */
    public static void fuzzerInitialize(String[] arguments) throws Exception {
        FuzzEntry entry = new FuzzEntry(arguments[0]);
        for (byte[] seed : entry.target.seeds().make(entry.folder)) {
            entry.target.body().take(seed, entry.folder);
        }
        Current.entry = entry;
    }

    /** Called by Jazzer with each file. */
    public static void fuzzerTestOneInput(byte[] file) throws Exception {
        Objects.requireNonNull(Current.entry).take(file);
    }

    private void take(byte[] file) throws Exception {
        long start = computed();
        target.body().take(file, folder);
        long seconds = TimeUnit.NANOSECONDS.toSeconds(computed() - start);
        if (seconds >= MOST_SECONDS) {
            throw new AssertionError("it takes " + seconds + " seconds of one processor");
        }
    }

    private static long computed() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** Takes one file again. */
    public static void main(String[] arguments) throws Exception {
        new FuzzEntry(arguments[0]).take(Files.readAllBytes(Path.of(arguments[1])));
        System.out.println("fuzz: " + arguments[0] + " takes " + arguments[1] + " as it should");
    }
}
