package org.clinfer.opencl;

import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/** The programs that drivers of this process compile now, for those who wait for them. */
public final class BuildWatch {

    private static final ConcurrentLinkedDeque<String> CURRENT = new ConcurrentLinkedDeque<>();
    private static final AtomicInteger COUNT = new AtomicInteger();

    private BuildWatch() {}

    static void begin(String label) {
        COUNT.incrementAndGet();
        CURRENT.addLast(label);
    }

    static void end(String label) {
        CURRENT.removeLastOccurrence(label);
    }

    /** The label of a program that is compiled now; empty if none is. */
    public static Optional<String> current() {
        return Optional.ofNullable(CURRENT.peekLast());
    }

    /** The number of compilations that began in this process. */
    public static int count() {
        return COUNT.get();
    }
}
