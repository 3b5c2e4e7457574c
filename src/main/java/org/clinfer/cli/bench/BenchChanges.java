package org.clinfer.cli.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The differences of a second measurement of a model: totals, and operators, of which those that changed most come first. */
final class BenchChanges {

    /** The numbers of a model that are compared, with their names on the page. */
    private static final Map<String, String> TOTALS = totals();

    private BenchChanges() {}

    private static Map<String, String> totals() {
        Map<String, String> totals = new LinkedHashMap<>();
        totals.put("median_ms", "median ms");
        totals.put("p10_ms", "p10 ms");
        totals.put("p90_ms", "p90 ms");
        totals.put("first_result_ms", "first result ms");
        totals.put("run_ms", "profiled run ms");
        totals.put("kernels_ms", "kernels ms");
        totals.put("launches", "launches");
        totals.put("transfers", "transfers");
        totals.put("waits", "waits");
        totals.put("gflops", "GFLOP/s");
        totals.put("device_value_bytes", "values on the device, bytes");
        totals.put("device_weight_bytes", "weights on the device, bytes");
        totals.put("host_value_bytes", "values on the host, bytes");
        return totals;
    }

    /** An operator in one of the measurements. */
    private static final class Use {

        private double millis;
        private long nodes;
        private final Set<String> variants = new TreeSet<>();

        void add(JsonNode row) {
            millis += row.get("ms").asDouble();
            nodes += row.get("nodes").asLong();
            String variant = row.get("variant").asString();
            variants.add(variant.isEmpty() ? row.get("target").asString() : variant);
        }
    }

    /**
     * Compares two measurements.
     *
     * @param before as {@link SavedBench} reads it, as {@code after}
     */
    static Map<String, @Nullable Object> of(JsonNode before, JsonNode after) {
        Map<String, @Nullable Object> changes = new LinkedHashMap<>();
        List<Map<String, Object>> totals = new ArrayList<>();
        TOTALS.forEach((key, name) -> {
            if (before.path(key).isNumber() && after.path(key).isNumber()) {
                totals.add(Map.of("name", name, "before", before.get(key), "after", after.get(key)));
            }
        });
        changes.put("totals", totals);
        changes.put("operators", operators(before.path("operators"), after.path("operators")));
        return changes;
    }

    /** Of both those that change the time most first; none where one of the measurements is without operators. */
    private static List<Map<String, Object>> operators(JsonNode before, JsonNode after) {
        List<Map<String, Object>> rows = new ArrayList<>();
        if (before.isEmpty() || after.isEmpty()) {
            return rows;
        }
        Map<String, Use> first = uses(before);
        Map<String, Use> second = uses(after);
        Set<String> names = new TreeSet<>(first.keySet());
        names.addAll(second.keySet());
        Use none = new Use();
        names.stream()
                .sorted(Comparator.comparingDouble((String name) ->
                        -Math.abs(second.getOrDefault(name, none).millis - first.getOrDefault(name, none).millis)))
                .forEach(name -> {
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("operator", name);
                    row.put("before", document(first.getOrDefault(name, none)));
                    row.put("after", document(second.getOrDefault(name, none)));
                    rows.add(row);
                });
        return rows;
    }

    private static Map<String, Use> uses(JsonNode rows) {
        Map<String, Use> uses = new LinkedHashMap<>();
        rows.forEach(row -> uses.computeIfAbsent(row.get("operator").asString(), name -> new Use())
                .add(row));
        return uses;
    }

    private static Map<String, Object> document(Use use) {
        return Map.of("ms", use.millis, "nodes", use.nodes, "variants", use.variants);
    }
}
