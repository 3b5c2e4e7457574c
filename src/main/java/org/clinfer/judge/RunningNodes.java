package org.clinfer.judge;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.check.CheckReport;
import org.clinfer.infer.CheckedGraph;

/** The nodes of a network that are left to run once its converter and its constants are done with. */
final class RunningNodes {

    private RunningNodes() {}

    /**
     * The nodes that run, each with what it and its parts read of others, and what others read of them. Constants of parts
     * are in those of the node.
     */
    static List<CheckReport.NodeReport> of(List<CheckReport.NodeReport> all, CheckedGraph checked) {
        Map<String, List<CheckReport.NodeReport>> groups = new LinkedHashMap<>();
        Map<String, String> makers = new HashMap<>();
        for (CheckReport.NodeReport node : all) {
            if (!node.isConstant()) {
                groups.computeIfAbsent(running(node), name -> new ArrayList<>()).add(node);
                node.outputs().forEach(output -> makers.put(output.name(), running(node)));
            }
        }
        Set<String> read = new HashSet<>(checked.graph().outputs());
        groups.forEach((name, group) -> group.stream()
                .flatMap(node -> node.inputs().stream())
                .map(CheckReport.Value::name)
                .filter(input -> !name.equals(makers.get(input)))
                .forEach(read::add));
        return all.stream()
                .filter(node -> !node.isConstant() && !node.isPart())
                .map(node -> merged(node, requireNonNull(groups.get(node.node())), makers, read, checked))
                .toList();
    }

    /** The name of the node that it is, or is part of. */
    private static String running(CheckReport.NodeReport node) {
        return node.isPart() ? node.converted().orElseThrow().into() : node.node();
    }

    private static CheckReport.NodeReport merged(
            CheckReport.NodeReport node,
            List<CheckReport.NodeReport> group,
            Map<String, String> makers,
            Set<String> read,
            CheckedGraph checked) {
        if (group.size() == 1) {
            return node;
        }
        List<CheckReport.Value> inputs = group.stream()
                .flatMap(of -> of.inputs().stream()
                        .filter(input -> of.node().equals(node.node())
                                || !checked.constants().containsKey(input.name())))
                .filter(input -> !node.node().equals(makers.get(input.name())))
                .distinct()
                .toList();
        List<CheckReport.Value> outputs = group.stream()
                .flatMap(of -> of.outputs().stream())
                .filter(output -> read.contains(output.name()))
                .toList();
        return new CheckReport.NodeReport(
                node.node(),
                node.op(),
                node.source(),
                node.verdict(),
                node.variant(),
                node.findings(),
                inputs,
                outputs.isEmpty() ? node.outputs() : outputs,
                node.work(),
                node.converted(),
                node.isAdded());
    }
}
