package org.clinfer.check;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.graph.Node;

/** Reports of single nodes, whoever decides where they run. */
public final class NodeReports {

    private NodeReports() {}

    /** A node of which nothing remains to run. */
    public static CheckReport.NodeReport folded(Node node, CheckedGraph checked) {
        boolean isConstant = node.outputs().stream().allMatch(checked.constants()::containsKey);
        return isConstant
                ? of(node, Verdict.ON_DEVICE, "constant", List.of(), List.of())
                : unknown(node, "an input of it could not be determined", List.of());
    }

    /** A node that has findings of its own. */
    public static CheckReport.NodeReport broken(Node node, List<CheckedGraph.NodeFinding> own) {
        List<Finding> findings =
                own.stream().map(CheckedGraph.NodeFinding::finding).toList();
        return of(node, own.get(0).verdict(), "", findings, List.of());
    }

    /** A node that cannot be decided. */
    public static CheckReport.NodeReport unknown(Node node, String message, List<String> outputs) {
        return of(node, Verdict.UNKNOWN, "", List.of(new Finding(node.op() + "/shape", message)), outputs);
    }

    /** Any report. */
    public static CheckReport.NodeReport of(
            Node node, Verdict verdict, String variant, List<Finding> findings, List<String> outputs) {
        return new CheckReport.NodeReport(node.name(), node.op(), node.source(), verdict, variant, findings, outputs);
    }

    /** The inferred types as reports show them. */
    public static List<String> outputs(CheckedNode checked) {
        Node node = checked.node();
        List<String> outputs = new ArrayList<>();
        for (int i = 0; i < node.outputs().size(); i++) {
            outputs.add(node.outputs().get(i) + ": " + checked.outputTypes().get(i));
        }
        return outputs;
    }
}
