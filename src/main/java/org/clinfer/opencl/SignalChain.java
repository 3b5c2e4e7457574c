package org.clinfer.opencl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The chaining of signal handlers by the JDK's {@code libjsig}, which has to be preloaded.
 *
 * <p>Java divides by zero and follows null by faults that its own handlers turn into exceptions. A driver that puts handlers
 * in their place breaks that: with PoCL's a division by zero gives a number, and no exception.
 */
public final class SignalChain {

    private static final Path MAPPED = Path.of("/proc/self/maps");

    private static final boolean MISSING = isMissing(MAPPED);

    private SignalChain() {}

    /** {@return whether this process runs without it, on a system that tells} */
    public static boolean isMissing() {
        return MISSING;
    }

    /** @param mapped the files in the memory of a process, as Linux lists them */
    static boolean isMissing(Path mapped) {
        try (Stream<String> lines = Files.lines(mapped)) {
            return lines.noneMatch(line -> line.contains("libjsig"));
        } catch (IOException notLinux) {
            return false;
        }
    }

    /** The option by which it is there. */
    static String remedy() {
        return "start Java with LD_PRELOAD=" + Path.of(System.getProperty("java.home"), "lib", "libjsig.so");
    }
}
