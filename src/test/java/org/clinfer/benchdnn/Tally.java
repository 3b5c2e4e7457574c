package org.clinfer.benchdnn;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What a test has run, for one line at its end. */
final class Tally {

    private final Map<String, Map<String, Integer>> counts = new TreeMap<>();

    /** A problem that is run in one or more ways. */
    void problem(Problem problem, boolean whole) {
        Stratum stratum = Stratum.of(problem);
        count("problems", stratum.group());
        count("kernel", stratum.pointwise() ? "1" : "larger");
        count("stride", stratum.strided() ? "larger" : "1");
        count("dilation", stratum.dilated() ? "larger" : "1");
        count("padding", stratum.padding().toString().toLowerCase(Locale.ROOT));
        count("outputs", whole ? "all" : "sampled");
    }

    void run(String what) {
        count("runs", what);
    }

    private void count(String what, String kind) {
        counts.computeIfAbsent(what, key -> new TreeMap<>()).merge(kind, 1, Integer::sum);
    }

    /** How many problems there were. */
    int problems() {
        return counts.getOrDefault("problems", Map.of()).values().stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    @Override
    public String toString() {
        return problems() + " problems: " + counts;
    }
}
