package org.clinfer.cli;

import java.util.Set;
import org.clinfer.check.Verdict;
import picocli.CommandLine.TypeConversionException;

/** What {@code --fail-on} names. */
enum FailOn {
    FALLS_BACK(Verdict.FALLS_BACK, Set.of(Verdict.FALLS_BACK, Verdict.UNSUPPORTED)),
    UNSUPPORTED(Verdict.UNSUPPORTED, Set.of(Verdict.UNSUPPORTED)),
    UNKNOWN(Verdict.UNKNOWN, Set.of(Verdict.UNKNOWN));

    private final Verdict verdict;
    private final Set<Verdict> verdicts;

    FailOn(Verdict verdict, Set<Verdict> verdicts) {
        this.verdict = verdict;
        this.verdicts = verdicts;
    }

    /** The verdicts that make the answer a no. */
    Set<Verdict> verdicts() {
        return verdicts;
    }

    static FailOn of(String text) {
        for (FailOn each : values()) {
            if (each.verdict.label().equals(text)) {
                return each;
            }
        }
        throw new TypeConversionException("'" + text + "' is none of falls-back, unsupported, unknown");
    }
}
