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
import org.clinfer.check.Verdict;
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
        String most = report.cost().nodes().entrySet().stream()
                .filter(node -> millis(node.getValue()) > 0)
                .sorted(Comparator.comparingDouble(node -> -millis(node.getValue())))
                .limit(SHOWN_NODES)
                .map(CostLines::named)
                .collect(Collectors.joining(", "));
        List<String> lines = new ArrayList<>(List.of(total(report, total.get())));
        if (!most.isEmpty()) {
            lines.add("most of it on the device: " + most);
        }
        return lines;
    }

    private static String total(CheckReport report, NetworkCost.Total total) {
        List<String> parts = new ArrayList<>();
        part(parts, "nodes on the device", total.deviceMillis());
        part(parts, "nodes that fall back", total.hostMillis());
        part(parts, "crossings", total.crossingMillis());
        part(parts, "starts", total.startMillis());
        String all = total.millis().isPresent()
                ? "a run takes about " + millis(total.millis().getAsDouble())
                : "how long a run takes is not known";
        List<String> open = open(report, total);
        String accuracy = total.accuracy()
                .map(error -> "; error of such estimates: " + error)
                .orElse("; the error of such estimates is not known");
        boolean isOfDevice = report.cost().nodes().values().stream().anyMatch(node -> millis(node) > 0);
        return all
                + (parts.isEmpty() ? "" : " (" + String.join(", ", parts) + ")")
                + (open.isEmpty() ? "" : "; no time is known of " + String.join(", ", open))
                + (isOfDevice ? accuracy : "");
    }

    /** All that lacks an estimate, so that there is none of the whole. */
    private static List<String> open(CheckReport report, NetworkCost.Total total) {
        List<NodeReport> nodes = report.nodes().stream()
                .filter(node -> node.isCounted() && !report.cost().isEstimated(node))
                .toList();
        String operators = nodes.stream()
                .filter(NodeReport::isOnDevice)
                .map(NodeReport::op)
                .distinct()
                .map(Printable::shortened)
                .collect(Collectors.joining(", "));
        List<String> open = new ArrayList<>();
        open(open, nodes, Verdict.ON_DEVICE, "on the device (" + operators + ")", "on the device (" + operators + ")");
        open(
                open,
                nodes,
                Verdict.FALLS_BACK,
                "that falls back (its speed on the host is not known)",
                "that fall back (their speed on the host is not known)");
        String unknown = "of which it is not known where ";
        open(open, nodes, Verdict.UNKNOWN, unknown + "it runs", unknown + "they run");
        open(open, nodes, Verdict.UNSUPPORTED, "that runs nowhere", "that run nowhere");
        open(open, nodes, Verdict.INVALID, "that is invalid", "that are invalid");
        if (total.crossingMillis().isEmpty()) {
            open.add("the crossings");
        }
        if (total.startMillis().isEmpty()) {
            open.add("the starts");
        }
        return open;
    }

    private static void open(List<String> open, List<NodeReport> nodes, Verdict verdict, String one, String several) {
        long count = nodes.stream().filter(node -> node.verdict() == verdict).count();
        if (count > 0) {
            open.add(count == 1 ? "1 node " + one : count + " nodes " + several);
        }
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
        if (millis > 0 && millis < 0.00005) {
            return "< 0.0001 ms";
        }
        String form = millis < 0.1 ? "%.4f ms" : millis < 1 ? "%.3f ms" : millis < 10 ? "%.2f ms" : "%.1f ms";
        return String.format(Locale.ROOT, millis < 1000 ? form : "%.0f ms", millis);
    }
}
