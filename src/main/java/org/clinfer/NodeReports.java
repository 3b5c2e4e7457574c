package org.clinfer;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.check.CheckReport;
import org.clinfer.check.CheckedGraph;
import org.clinfer.check.CheckedNode;
import org.clinfer.check.Finding;
import org.clinfer.check.Verdict;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedNode;
import org.jspecify.annotations.Nullable;

/** What the checker says of single nodes. */
final class NodeReports {

    private NodeReports() {}

    static CheckReport.NodeReport of(
            Node node, CheckedGraph checked, @Nullable CheckedNode remaining, @Nullable PlacedNode placed) {
        if (remaining == null) {
            boolean folded = node.outputs().stream().allMatch(checked.constants()::containsKey);
            return folded
                    ? report(node, Verdict.ON_DEVICE, "constant", List.of(), List.of())
                    : unknown(node, "an input of it could not be determined", List.of());
        }
        List<String> outputs = outputs(node, remaining);
        if (placed == null) {
            return unknown(node, "a dimension is not known", outputs);
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
        return report(node, verdict, variant, reasons, outputs);
    }

    /** A node that has findings of its own. */
    static CheckReport.NodeReport broken(Node node, List<CheckedGraph.NodeFinding> own) {
        List<Finding> findings =
                own.stream().map(CheckedGraph.NodeFinding::finding).toList();
        return report(node, own.get(0).verdict(), "", findings, List.of());
    }

    private static CheckReport.NodeReport unknown(Node node, String message, List<String> outputs) {
        return report(node, Verdict.UNKNOWN, "", List.of(new Finding(node.op() + "/shape", message)), outputs);
    }

    private static CheckReport.NodeReport report(
            Node node, Verdict verdict, String variant, List<Finding> findings, List<String> outputs) {
        return new CheckReport.NodeReport(node.name(), node.op(), node.source(), verdict, variant, findings, outputs);
    }

    private static List<String> outputs(Node node, CheckedNode checked) {
        List<String> outputs = new ArrayList<>();
        for (int i = 0; i < node.outputs().size(); i++) {
            outputs.add(node.outputs().get(i) + ": " + checked.outputTypes().get(i));
        }
        return outputs;
    }
}
