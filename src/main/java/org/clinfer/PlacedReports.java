package org.clinfer;

import java.util.List;
import org.clinfer.check.CheckReport;
import org.clinfer.check.CheckedGraph;
import org.clinfer.check.CheckedNode;
import org.clinfer.check.Finding;
import org.clinfer.check.NodeReports;
import org.clinfer.check.Verdict;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedNode;
import org.jspecify.annotations.Nullable;

/** What the checker says of single nodes that were placed. */
final class PlacedReports {

    private PlacedReports() {}

    static CheckReport.NodeReport of(
            Node node, CheckedGraph checked, @Nullable CheckedNode remaining, @Nullable PlacedNode placed) {
        if (remaining == null) {
            return NodeReports.folded(node, checked);
        }
        if (placed == null) {
            return NodeReports.unknown(node, checked, "a dimension is not known");
        }
        List<Finding> reasons = placed.reasons().stream()
                .map(reason -> new Finding("device/" + node.op(), reason))
                .toList();
        Verdict verdict = switch (placed.target()) {
            case DEVICE -> Verdict.ON_DEVICE;
            case CPU -> Verdict.FALLS_BACK;
            case NOWHERE -> Verdict.UNSUPPORTED;
        };
        String variant =
                placed.variant().map(v -> v.isView() ? "view" : v.name()).orElse("");
        return NodeReports.of(node, checked, verdict, variant, reasons);
    }
}
