package org.clinfer.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.clinfer.check.CheckReport;
import org.clinfer.check.NetworkCost;

/**
 * The fit of a device to the models that were checked for it. Those that run everything come first, then those that take more
 * of the multiply-adds, then those that are faster where that is estimated, then those that run more nodes, then by name.
 *
 * @param column the device
 * @param onDevice how many nodes it runs
 * @param nodes how many nodes it has to run; a converter may leave some out
 * @param share of the multiply-adds that are known, of the nodes where there are none; empty where sizes are not known
 * @param shareText the share of the multiply-adds, with a {@code ?} where those of some nodes are not known; empty where there are none
 * @param millis of a run of each model; empty where not all have estimates
 */
record Standing(
        String column, long onDevice, long nodes, OptionalDouble share, String shareText, OptionalDouble millis) {

    private static final Comparator<Standing> BEST_FIRST = Comparator.comparing((Standing device) -> !device.isWhole())
            .thenComparingDouble(device -> -device.share.orElse(-1))
            .thenComparingDouble(device -> device.millis.orElse(Double.POSITIVE_INFINITY))
            .thenComparingDouble(device -> -device.shareOfNodes())
            .thenComparing(Standing::column);

    /** The devices of some reports, the best first. */
    static List<Standing> of(List<Subject> subjects) {
        Map<String, List<CheckReport>> byColumn = new LinkedHashMap<>();
        subjects.forEach(subject -> byColumn.computeIfAbsent(subject.column(), column -> new ArrayList<>())
                .add(subject.report()));
        List<Standing> standings = new ArrayList<>();
        byColumn.forEach((column, reports) -> standings.add(of(column, reports)));
        standings.sort(BEST_FIRST);
        return standings;
    }

    private static Standing of(String column, List<CheckReport> reports) {
        long nodes = 0;
        long onDevice = 0;
        OptionalLong products = OptionalLong.of(0);
        OptionalLong productsOnDevice = OptionalLong.of(0);
        OptionalDouble millis = OptionalDouble.of(0);
        for (CheckReport report : reports) {
            nodes += report.summary().nodes();
            onDevice += report.summary().nodesOnDevice();
            products = sum(products, report.summary().multiplyAdds());
            productsOnDevice = sum(productsOnDevice, report.summary().multiplyAddsOnDevice());
            OptionalDouble own =
                    report.cost().total().map(NetworkCost.Total::millis).orElse(OptionalDouble.empty());
            millis = millis.isPresent() && own.isPresent()
                    ? OptionalDouble.of(millis.getAsDouble() + own.getAsDouble())
                    : OptionalDouble.empty();
        }
        OptionalDouble share = OptionalDouble.empty();
        String text = "";
        if (products.isPresent() && productsOnDevice.isPresent()) {
            boolean hasProducts = products.getAsLong() > 0;
            share = OptionalDouble.of(
                    hasProducts
                            ? (double) productsOnDevice.getAsLong() / products.getAsLong()
                            : (double) onDevice / Math.max(1, nodes));
            boolean isWhole = reports.stream().allMatch(report -> Findings.uncounted(report) == 0);
            text = hasProducts ? percent(share.getAsDouble()) + (isWhole ? "" : " ?") : "";
        }
        return new Standing(column, onDevice, nodes, share, text, millis);
    }

    private boolean isWhole() {
        return onDevice == nodes;
    }

    private double shareOfNodes() {
        return (double) onDevice / Math.max(1, nodes);
    }

    private static OptionalLong sum(OptionalLong one, OptionalLong other) {
        return one.isPresent() && other.isPresent()
                ? OptionalLong.of(one.getAsLong() + other.getAsLong())
                : OptionalLong.empty();
    }

    /** As {@code 87 %}; rounded down, so that only all is 100. */
    private static String percent(double share) {
        return (long) Math.floor(share * 100) + " %";
    }

    /** As {@code 3.10 ms}; empty where there is no estimate. */
    String timeText() {
        return millis.isPresent() ? CostLines.millis(millis.getAsDouble()) : "";
    }
}
