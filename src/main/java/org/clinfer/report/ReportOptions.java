package org.clinfer.report;

import java.time.Instant;
import java.util.Set;
import java.util.function.Function;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Verdict;

/**
 * Options of a report: what it shows beside its findings.
 *
 * @param explain everything that is known, where the form would otherwise be short
 * @param failing the verdicts that make the answer a no
 * @param version Clinfer's own version; empty where it is not known
 * @param file path of the model file that a report is of, as the user wrote it; empty where not known
 * @param time when the networks were checked
 * @param width of the lines of a text, in characters; no line of a table is longer
 */
public record ReportOptions(
        boolean explain,
        Set<Verdict> failing,
        String version,
        Function<CheckReport, String> file,
        Instant time,
        int width) {

    /** With lines of any width. */
    public ReportOptions(
            boolean explain, Set<Verdict> failing, String version, Function<CheckReport, String> file, Instant time) {
        this(explain, failing, version, file, time, Integer.MAX_VALUE);
    }

    /** Short, an invalid or unsupported node is a no, and the time is now. */
    public static ReportOptions defaults() {
        return new ReportOptions(false, Set.of(Verdict.INVALID, Verdict.UNSUPPORTED), "", report -> "", Instant.now());
    }

    public ReportOptions {
        failing = Set.copyOf(failing);
    }

    public ReportOptions withExplain(boolean everything) {
        return new ReportOptions(everything, failing, version, file, time, width);
    }

    public ReportOptions withFailing(Set<Verdict> verdicts) {
        return new ReportOptions(explain, verdicts, version, file, time, width);
    }

    public ReportOptions withTime(Instant moment) {
        return new ReportOptions(explain, failing, version, file, moment, width);
    }

    public ReportOptions withFiles(Function<CheckReport, String> files) {
        return new ReportOptions(explain, failing, version, files, time, width);
    }

    public ReportOptions withWidth(int characters) {
        return new ReportOptions(explain, failing, version, file, time, characters);
    }
}
