package org.clinfer.report;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.check.Verdict;

/** One letter for each verdict, where there is no room for a word. */
final class VerdictLetter {

    private VerdictLetter() {}

    static String of(Verdict verdict) {
        return switch (verdict) {
            case ON_DEVICE -> "D";
            case FALLS_BACK -> "F";
            case UNSUPPORTED -> "U";
            case UNKNOWN -> "?";
            case INVALID -> "I";
        };
    }

    /** The meanings of the letters of everything that is not on the device. */
    static String legend() {
        return Stream.of(Verdict.values())
                .filter(verdict -> verdict != Verdict.ON_DEVICE)
                .map(verdict -> of(verdict) + " " + verdict.label())
                .collect(Collectors.joining(", "));
    }

    /** The verdicts, the worst last. */
    static List<Verdict> byWeight() {
        return List.of(Verdict.ON_DEVICE, Verdict.UNKNOWN, Verdict.FALLS_BACK, Verdict.UNSUPPORTED, Verdict.INVALID);
    }
}
