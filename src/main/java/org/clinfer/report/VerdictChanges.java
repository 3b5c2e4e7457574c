package org.clinfer.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.check.CheckReport;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.Finding;
import org.clinfer.text.Printable;
import org.jspecify.annotations.Nullable;

/** Changes for a network from one device, or one version of a profile, to another. */
public final class VerdictChanges {

    private VerdictChanges() {}

    /**
     * Lines for people: how many nodes change, then each node with its verdict before and now, and why it is not on the device
     * now, or was not before. A composed node stands for its parts where these have one verdict in both reports.
     *
     * @param before a report on a network
     * @param now another one on the same
     */
    public static List<String> lines(CheckReport before, CheckReport now) {
        CheckReport wholesBefore = before.ofWholes();
        CheckReport wholesNow = now.ofWholes();
        Map<String, NodeReport> old = new HashMap<>(byName(before));
        old.putAll(byName(wholesBefore));
        Map<String, NodeReport> current = byName(wholesNow);
        List<String[]> rows = new ArrayList<>();
        for (NodeReport node : wholesNow.nodes()) {
            compare(old.get(node.node()), node).ifPresent(rows::add);
        }
        for (NodeReport part : now.nodes()) {
            CheckReport.Whole whole = now.wholes().get(part.node());
            if (whole != null && current.containsKey(whole.node()) && !old.containsKey(whole.node())) {
                compare(old.get(part.node()), part).ifPresent(rows::add);
            }
        }
        return lines(wholesBefore, wholesNow, rows);
    }

    private static Map<String, NodeReport> byName(CheckReport report) {
        Map<String, NodeReport> nodes = new HashMap<>();
        report.nodes().forEach(node -> nodes.put(node.node(), node));
        return nodes;
    }

    /** The row of a node with another verdict; a part of another node on one device may be a node of its own on the other. */
    private static Optional<String[]> compare(@Nullable NodeReport old, NodeReport node) {
        return old == null || old.verdict() == node.verdict() || (old.isPart() && node.isPart())
                ? Optional.empty()
                : Optional.of(row(old, node));
    }

    private static List<String> lines(CheckReport before, CheckReport now, List<String[]> rows) {
        List<String> lines = new ArrayList<>();
        lines.add(title(now) + " against " + title(before) + ": "
                + (rows.isEmpty()
                        ? "no node has another verdict"
                        : rows.size() + (rows.size() == 1 ? " node has" : " nodes have") + " another verdict")
                + "; on the device " + now.summary().nodesOnDevice() + " of "
                + now.summary().nodes() + ", was " + before.summary().nodesOnDevice() + " of "
                + before.summary().nodes());
        if (!rows.isEmpty()) {
            TextTable table = new TextTable().row("NODE", "OPERATOR", "BEFORE", "NOW", "REASON");
            rows.forEach(table::row);
            lines.addAll(table.lines());
        }
        return lines;
    }

    private static String title(CheckReport report) {
        return report.profile().isEmpty() ? report.device() : report.profile();
    }

    private static String[] row(NodeReport old, NodeReport node) {
        List<Finding> reasons = node.findings().isEmpty() ? old.findings() : node.findings();
        String reason = reasons.isEmpty()
                ? ""
                : reasons.get(0).message() + " [" + reasons.get(0).rule() + "]";
        return new String[] {
            Printable.shortened(node.node()),
            Printable.shortened(node.op()),
            old.verdict().label(),
            node.verdict().label(),
            (node.findings().isEmpty() && !reason.isEmpty() ? "was: " : "") + Printable.message(reason)
        };
    }
}
