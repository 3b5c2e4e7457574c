package org.clinfer.conformance;

import java.util.ArrayList;
import java.util.List;

/** What ran where, and what went wrong, of one operator. */
final class Coverage {

    private static final int SHOWN = 12;

    private final List<String> failures = new ArrayList<>();
    private int runs;

    void ran() {
        runs++;
    }

    void failed(String what) {
        failures.add(what);
    }

    int runs() {
        return runs;
    }

    int failures() {
        return failures.size();
    }

    /** Fails with the first differences, if there are any. */
    void verify(String op) {
        if (!failures.isEmpty()) {
            throw new AssertionError(op + ": " + failures.size() + " failures in " + runs + " runs:\n  "
                    + String.join("\n  ", failures.subList(0, Math.min(SHOWN, failures.size()))));
        }
    }
}
