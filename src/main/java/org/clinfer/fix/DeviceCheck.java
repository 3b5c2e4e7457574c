package org.clinfer.fix;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.clinfer.check.CheckReport;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.Verdict;
import org.clinfer.graph.Graph;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.Reading;
import org.clinfer.runtime.NetworkChecker;
import org.clinfer.tensor.TensorType;

/**
 * The judge of networks and their parts.
 *
 * @param checker what rests on no device
 * @param profile the device
 * @param reading how its restrictions are read
 */
record DeviceCheck(NetworkChecker checker, DeviceProfile profile, Reading reading) {

    CheckedGraph checked(Graph graph) {
        Map<String, TensorType> types = new LinkedHashMap<>();
        graph.inputs().forEach(input -> types.put(input.name(), input.type()));
        return checker.checked(graph, types);
    }

    CheckReport verdicts(CheckedGraph checked) {
        return checker.verdicts(checked, profile, reading);
    }

    /** Tells whether a node is refused for itself, and not because it is part of one that is. */
    static boolean isRefused(NodeReport node) {
        return node.verdict() != Verdict.ON_DEVICE && !node.isPart();
    }

    /**
     * Tells whether a node is one to change: the device refuses it for what it is itself, not for want of room, and it is not
     * only unknown whether it does.
     */
    static boolean isToChange(CheckReport report, NodeReport node) {
        boolean hasNoRoom = node.findings().stream()
                .anyMatch(finding -> report.findings().stream()
                        .anyMatch(shared -> shared.message().equals(finding.message())));
        return isRefused(node) && node.verdict() != Verdict.UNKNOWN && !hasNoRoom;
    }

    /** The first node that the device refuses; empty where it runs all of them. */
    static Optional<NodeReport> firstRefused(CheckReport report) {
        return report.nodes().stream().filter(DeviceCheck::isRefused).findFirst();
    }

    /** Tells whether nothing is wrong with a network, and the device runs every node of it. */
    static boolean passes(CheckedGraph checked, CheckReport report) {
        return checked.findings().isEmpty()
                && report.nodes().stream().allMatch(node -> node.verdict() == Verdict.ON_DEVICE);
    }
}
