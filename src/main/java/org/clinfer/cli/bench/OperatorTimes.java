package org.clinfer.cli.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.clinfer.Placement;
import org.clinfer.RunProfile;
import org.clinfer.report.TextTable;

/**
 * The time of a model by what computes: operators with their kernel variants, and copies.
 *
 * @param rows those that take longest first
 * @param runMillis what a whole run took
 * @param kernelMillis what its kernels took; the rest are copies and the host
 */
public record OperatorTimes(List<Row> rows, double runMillis, double kernelMillis) {

    private static final double NANOS_PER_MILLI = 1e6;

    /**
     * The nodes of one operator that run in the same way.
     *
     * @param nodes how many there are
     * @param millis of all of them in one run
     */
    public record Row(String operator, String target, String variant, int nodes, double millis) {}

    private record Kind(String operator, Placement.Target target, String variant) {}

    /** Of several runs of the same plan; of every node the median counts. */
    static OperatorTimes of(List<RunProfile> runs) {
        Map<Kind, List<Long>> nanos = new LinkedHashMap<>();
        List<RunProfile.Entry> entries = runs.get(0).entries();
        for (int i = 0; i < entries.size(); i++) {
            RunProfile.Entry entry = entries.get(i);
            Kind kind = new Kind(entry.op(), entry.target(), entry.variant());
            nanos.computeIfAbsent(kind, none -> new ArrayList<>()).add(median(runs, i));
        }
        List<Row> rows = new ArrayList<>();
        nanos.forEach((kind, each) -> rows.add(new Row(
                kind.operator(),
                kind.target().name().toLowerCase(Locale.ROOT),
                kind.variant(),
                each.size(),
                each.stream().mapToLong(Long::longValue).sum() / NANOS_PER_MILLI)));
        rows.sort(Comparator.comparingDouble(Row::millis).reversed());
        RunProfile fastest = runs.stream()
                .min(Comparator.comparingLong(RunProfile::runNanos))
                .orElseThrow();
        return new OperatorTimes(rows, fastest.runNanos() / NANOS_PER_MILLI, fastest.kernelNanos() / NANOS_PER_MILLI);
    }

    private static long median(List<RunProfile> runs, int entry) {
        long[] sorted = runs.stream()
                .mapToLong(run -> run.entries().get(entry).nanos())
                .sorted()
                .toArray();
        return sorted[sorted.length / 2];
    }

    /** A table with a head and a sum. */
    List<String> lines(int width) {
        double sum = rows.stream().mapToDouble(Row::millis).sum();
        TextTable table = new TextTable();
        table.row("  operator", "where", "variant", "nodes", "ms", "share");
        rows.forEach(row -> table.row(
                "  " + row.operator(),
                row.target(),
                row.variant(),
                Integer.toString(row.nodes()),
                format("%.3f", row.millis()),
                format("%.1f %%", sum > 0 ? 100 * row.millis() / sum : 0)));
        int nodes = rows.stream().mapToInt(Row::nodes).sum();
        table.row("  all, one by one", "", "", Integer.toString(nodes), format("%.3f", sum));
        List<String> lines = new ArrayList<>(table.lines(width));
        if (kernelMillis > 0) {
            lines.add(format("  a whole run: %.3f ms", runMillis)
                    + format(", of it kernels %.3f ms", kernelMillis)
                    + format(", copies and host %.1f %%", 100 * (runMillis - kernelMillis) / runMillis));
        }
        return lines;
    }

    private static String format(String pattern, double value) {
        return String.format(Locale.ROOT, pattern, value);
    }

    /** For programs. */
    List<Map<String, Object>> document() {
        return rows.stream()
                .map(row -> {
                    Map<String, Object> document = new LinkedHashMap<>();
                    document.put("operator", row.operator());
                    document.put("target", row.target());
                    document.put("variant", row.variant());
                    document.put("nodes", row.nodes());
                    document.put("ms", row.millis());
                    return document;
                })
                .toList();
    }
}
