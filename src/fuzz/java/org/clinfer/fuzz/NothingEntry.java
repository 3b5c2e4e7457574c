package org.clinfer.fuzz;

/** A target that does nothing: whether Jazzer runs on this machine shows with it. */
public final class NothingEntry {

    private NothingEntry() {}

    /** Called by Jazzer with each file. */
    public static void fuzzerTestOneInput(byte[] file) {
        // nothing
    }
}
