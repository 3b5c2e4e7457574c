package org.clinfer.runtime;

import java.util.List;
import java.util.Optional;
import org.clinfer.check.Finding;
import org.clinfer.check.RuleId;
import org.clinfer.check.Verdict;
import org.clinfer.infer.CheckedNode;
import org.clinfer.judge.NodeReports;
import org.clinfer.place.PlacedNode;

/** Reports of the checker on single nodes that were placed. */
final class PlacedReports {

    private PlacedReports() {}

    /**
     * The report of one node.
     *
     * @param placed empty where a dimension is not known
     * @param rules what the rules of a profile say of it
     */
    static NodeReports.Placed of(CheckedNode node, Optional<PlacedNode> placed, List<Finding> rules) {
        String op = node.node().op();
        if (placed.isEmpty()) {
            return NodeReports.Placed.unknown(op, "a dimension is not known");
        }
        List<Finding> reasons = rules.isEmpty()
                ? placed.get().reasons().stream()
                        .map(reason -> new Finding(new RuleId("device/" + op), reason))
                        .toList()
                : rules;
        Verdict verdict = switch (placed.get().target()) {
            case DEVICE -> Verdict.ON_DEVICE;
            case CPU -> Verdict.FALLS_BACK;
            case NOWHERE -> Verdict.UNSUPPORTED;
        };
        String variant = placed.get()
                .variant()
                .map(v -> placed.get().isView() ? "view" : v.name())
                .orElse("");
        return new NodeReports.Placed(verdict, variant, reasons);
    }
}
