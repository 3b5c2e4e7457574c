package org.clinfer.cli;

import java.util.Set;
import org.clinfer.check.Verdict;
import picocli.CommandLine.TypeConversionException;

/** The verdicts that {@code --fail-on} names. */
enum FailOn {
    FALLS_BACK(Verdict.FALLS_BACK),
    UNSUPPORTED(Verdict.UNSUPPORTED),
    UNKNOWN(Verdict.UNKNOWN);

    private final Verdict verdict;

    FailOn(Verdict verdict) {
        this.verdict = verdict;
    }

    /** The verdicts that make the answer a no. */
    Set<Verdict> verdicts() {
        return this == FALLS_BACK ? Set.of(Verdict.FALLS_BACK, Verdict.UNSUPPORTED) : Set.of(verdict);
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
