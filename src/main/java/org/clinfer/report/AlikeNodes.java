package org.clinfer.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.Finding;
import org.clinfer.check.Verdict;

/** Nodes that are not on the device for the same reasons. */
record AlikeNodes(Verdict verdict, String op, List<Finding> findings, List<String> nodes) {

    private record Key(Verdict verdict, String op, List<String> reasons) {}

    /** In the order of the first node of each. */
    static List<AlikeNodes> of(List<NodeReport> nodes) {
        Map<Key, AlikeNodes> groups = new LinkedHashMap<>();
        for (NodeReport node : nodes) {
            if (node.verdict() != Verdict.ON_DEVICE && !node.isPart()) {
                List<String> reasons = node.findings().stream()
                        .map(finding -> finding.rule() + " " + finding.message())
                        .toList();
                Key key = new Key(node.verdict(), node.op(), reasons);
                groups.putIfAbsent(key, new AlikeNodes(node.verdict(), node.op(), node.findings(), new ArrayList<>()));
                Objects.requireNonNull(groups.get(key)).nodes().add(node.node());
            }
        }
        return List.copyOf(groups.values());
    }

    /** The text behind the first node's name. */
    String more() {
        return nodes.size() == 1 ? "" : " and " + (nodes.size() - 1) + " more";
    }
}
