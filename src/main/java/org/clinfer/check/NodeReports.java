package org.clinfer.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.clinfer.graph.Node;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Reports of single nodes, whoever decides where they run. */
public final class NodeReports {

    private NodeReports() {}

    /** A node of which nothing remains to run. */
    public static CheckReport.NodeReport folded(Node node, CheckedGraph checked) {
        boolean isConstant = node.outputs().stream().allMatch(checked.constants()::containsKey);
        return isConstant
                ? of(node, checked, Verdict.ON_DEVICE, "constant", List.of())
                : unknown(node, checked, "an input of it could not be determined");
    }

    /** A node that has findings of its own. */
    public static CheckReport.NodeReport broken(Node node, CheckedGraph checked, List<CheckedGraph.NodeFinding> own) {
        List<Finding> findings =
                own.stream().map(CheckedGraph.NodeFinding::finding).toList();
        return of(node, checked, own.get(0).verdict(), "", findings);
    }

    /** A node that cannot be decided. */
    public static CheckReport.NodeReport unknown(Node node, CheckedGraph checked, String message) {
        return of(node, checked, Verdict.UNKNOWN, "", List.of(new Finding(node.op() + "/shape", message)));
    }

    /** Any report. */
    public static CheckReport.NodeReport of(
            Node node, CheckedGraph checked, Verdict verdict, String variant, List<Finding> findings) {
        return new CheckReport.NodeReport(
                node.name(),
                node.op(),
                node.source(),
                verdict,
                variant,
                findings,
                values(node.inputs(), checked),
                values(node.outputs(), checked),
                new CheckReport.Work(OptionalLong.empty(), 0));
    }

    /** The report of a network, of its nodes' reports. */
    public static CheckReport whole(
            CheckedGraph checked, String device, String profile, List<CheckReport.NodeReport> nodes) {
        long onDevice = nodes.stream()
                .filter(node -> node.verdict() == Verdict.ON_DEVICE)
                .count();
        OptionalLong notKnown = OptionalLong.empty();
        CheckReport.Summary summary =
                new CheckReport.Summary(onDevice, notKnown, notKnown, 0, notKnown, 0, notKnown, notKnown);
        return new CheckReport(checked.graph().name(), device, profile, checked.inputTypes(), nodes, summary);
    }

    private static List<CheckReport.Value> values(List<String> names, CheckedGraph checked) {
        List<CheckReport.Value> values = new ArrayList<>();
        for (String name : names) {
            Tensor constant = checked.constants().get(name);
            TensorType type = constant == null ? checked.types().get(name) : constant.type();
            values.add(new CheckReport.Value(name, Optional.ofNullable(type)));
        }
        return values;
    }
}
