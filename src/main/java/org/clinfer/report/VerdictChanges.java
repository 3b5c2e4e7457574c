package org.clinfer.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.check.CheckReport;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.Finding;
import org.clinfer.text.Printable;

/** Changes for a network from one device, or one version of a profile, to another. */
public final class VerdictChanges {

    private VerdictChanges() {}

    /**
     * Lines for people: how many nodes change, then each node with its verdict before and now, and why it is not on the device
     * now, or was not before.
     *
     * @param before a report on a network
     * @param now another one on the same
     */
    public static List<String> lines(CheckReport before, CheckReport now) {
        Map<String, NodeReport> known = new HashMap<>();
        before.nodes().forEach(node -> known.put(node.node(), node));
        List<String[]> rows = new ArrayList<>();
        for (NodeReport node : now.nodes()) {
            NodeReport old = known.get(node.node());
            if (old != null && !node.isPart() && old.verdict() != node.verdict()) {
                rows.add(row(old, node));
            }
        }
        List<String> lines = new ArrayList<>();
        lines.add(title(now) + " against " + title(before) + ": "
                + (rows.isEmpty()
                        ? "no node changes"
                        : rows.size() + (rows.size() == 1 ? " node changes" : " nodes change"))
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
