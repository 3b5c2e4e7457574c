package org.clinfer.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.clinfer.check.CheckReport;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.NetworkCost;
import org.clinfer.check.NetworkCost.NodeCost;
import org.clinfer.text.Printable;

/** Costs as sentences, the same in every form that is read by people. */
final class CostLines {

    /** Nodes that are named in a summary. */
    private static final int SHOWN_NODES = 3;

    private static final int NAME_WIDTH = 40;

    private CostLines() {}

    /** The time of a run, and the nodes that take most of it; or why there are no estimates. */
    static List<String> summary(CheckReport report) {
        Optional<NetworkCost.Total> total = report.cost().total();
        if (total.isEmpty()) {
            return report.cost().noEstimate().stream()
                    .map(reason -> "no time is estimated: " + Printable.of(reason))
                    .toList();
        }
        List<String> lines = new ArrayList<>(List.of(total(total.get())));
        String most = report.cost().nodes().entrySet().stream()
                .filter(node -> millis(node.getValue()) > 0)
                .sorted(Comparator.comparingDouble(node -> -millis(node.getValue())))
                .limit(SHOWN_NODES)
                .map(CostLines::named)
                .collect(Collectors.joining(", "));
        if (!most.isEmpty()) {
            lines.add("most of it on the device: " + most);
        }
        return lines;
    }

    private static String total(NetworkCost.Total total) {
        List<String> parts = new ArrayList<>();
        part(parts, "nodes on the device", total.deviceMillis());
        part(parts, "nodes that fall back", total.hostMillis());
        part(parts, "crossings", total.crossingMillis());
        part(parts, "starts", total.startMillis());
        String all = total.millis().isPresent()
                ? "a run takes about " + millis(total.millis().getAsDouble())
                : "how long a run takes is not known";
        String open = total.notEstimated() == 0
                ? ""
                : "; without an estimate: " + total.notEstimated() + (total.notEstimated() == 1 ? " node" : " nodes");
        String accuracy = total.accuracy()
                .map(error -> "; error of such estimates: " + error)
                .orElse("; the error of such estimates is not known");
        return all + (parts.isEmpty() ? "" : " (" + String.join(", ", parts) + ")") + open + accuracy;
    }

    private static void part(List<String> parts, String what, OptionalDouble millis) {
        if (millis.isPresent() && millis.getAsDouble() > 0) {
            parts.add(what + " " + millis(millis.getAsDouble()));
        }
    }

    private static double millis(NodeCost cost) {
        return cost.device().map(NetworkCost.Estimate::millis).orElse(0.0);
    }

    private static String named(Map.Entry<String, NodeCost> node) {
        return TextTable.shortened(Printable.of(node.getKey()), NAME_WIDTH) + " "
                + node.getValue().device().map(CostLines::estimate).orElse("");
    }

    /** As {@code 1.2 ms (compute)}. */
    private static String estimate(NetworkCost.Estimate estimate) {
        return millis(estimate.millis()) + " (" + estimate.bound().label() + ")";
    }

    /** Tells whether nodes of a report have anything to say of their cost. */
    static boolean isKnown(CheckReport report) {
        return !report.cost().nodes().isEmpty();
    }

    /** The cost of a node in a few words: its share of the multiply-adds, and its time where it runs. */
    static String of(CheckReport report, NodeReport node) {
        List<String> parts = new ArrayList<>();
        report.cost().of(node.node()).ifPresent(cost -> {
            if (cost.share().isPresent() && cost.share().getAsDouble() > 0) {
                parts.add(share(cost.share().getAsDouble()));
            }
            Optional<String> device =
                    cost.device().filter(estimate -> estimate.millis() > 0).map(CostLines::estimate);
            device.ifPresent(parts::add);
            if (device.isEmpty() && cost.device().isEmpty() && cost.hostMillis().isPresent()) {
                parts.add(millis(cost.hostMillis().getAsDouble()) + " (host)");
            }
        });
        return String.join(", ", parts);
    }

    private static String share(double part) {
        return part < 0.001 ? "< 0.1 %" : String.format(Locale.ROOT, "%.1f %%", part * 100);
    }

    /** A time with about three digits, as {@code 12.3 ms}. */
    static String millis(double millis) {
        String form = millis < 0.1 ? "%.4f ms" : millis < 1 ? "%.3f ms" : millis < 10 ? "%.2f ms" : "%.1f ms";
        return String.format(Locale.ROOT, millis < 1000 ? form : "%.0f ms", millis);
    }
}
