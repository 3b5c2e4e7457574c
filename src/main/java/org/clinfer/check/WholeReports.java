package org.clinfer.check;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** Puts one report in the place of those of the parts of a composed node. */
final class WholeReports {

    private final CheckReport report;
    private final Map<String, List<CheckReport.NodeReport>> parts;

    WholeReports(CheckReport report) {
        this.report = report;
        this.parts = report.nodes().stream()
                .filter(node -> report.wholes().containsKey(node.node()))
                .collect(Collectors.groupingBy(node -> whole(node).node()));
    }

    private CheckReport.Whole whole(CheckReport.NodeReport part) {
        return requireNonNull(report.wholes().get(part.node()));
    }

    CheckReport report() {
        List<CheckReport.NodeReport> nodes = new ArrayList<>();
        Map<String, String> wholeOfPart = new HashMap<>();
        Set<String> written = new HashSet<>();
        for (CheckReport.NodeReport node : report.nodes()) {
            CheckReport.Whole whole = report.wholes().get(node.node());
            List<CheckReport.NodeReport> all = whole == null ? List.of() : parts.getOrDefault(whole.node(), List.of());
            if (whole == null || !haveOneVerdict(all)) {
                nodes.add(node);
                continue;
            }
            wholeOfPart.put(node.node(), whole.node());
            if (written.add(whole.node())) {
                nodes.add(report(whole, all));
            }
        }
        return new CheckReport(
                report.model(),
                report.device(),
                report.profile(),
                report.inputs(),
                report.sized(),
                nodes,
                summary(nodes),
                Map.of(),
                report.basis(),
                report.cost().ofWholes(wholeOfPart, nodes),
                report.findings());
    }

    private static boolean haveOneVerdict(List<CheckReport.NodeReport> parts) {
        return parts.stream()
                        .filter(part -> !part.isConstant())
                        .map(CheckReport.NodeReport::verdict)
                        .distinct()
                        .count()
                <= 1;
    }

    private static CheckReport.NodeReport report(CheckReport.Whole whole, List<CheckReport.NodeReport> parts) {
        List<CheckReport.NodeReport> run =
                parts.stream().filter(part -> !part.isConstant()).toList();
        List<CheckReport.NodeReport> telling = run.isEmpty() ? parts : run;
        Set<Finding> findings = new LinkedHashSet<>();
        parts.forEach(part -> findings.addAll(part.findings()));
        return new CheckReport.NodeReport(
                whole.node(),
                whole.op(),
                whole.source(),
                telling.get(0).verdict(),
                telling.stream().map(CheckReport.NodeReport::variant).distinct().collect(Collectors.joining("+")),
                List.copyOf(findings),
                whole.inputs(),
                whole.outputs(),
                work(parts));
    }

    private static CheckReport.Work work(List<CheckReport.NodeReport> parts) {
        boolean counted =
                parts.stream().allMatch(part -> part.work().multiplyAdds().isPresent());
        long sum = parts.stream()
                .mapToLong(part -> part.work().multiplyAdds().orElse(0))
                .sum();
        long bytes = parts.stream().mapToLong(part -> part.work().weightBytes()).sum();
        return new CheckReport.Work(counted ? OptionalLong.of(sum) : OptionalLong.empty(), bytes);
    }

    /** The sums stay; a composed node counts as one. */
    private CheckReport.Summary summary(List<CheckReport.NodeReport> nodes) {
        List<CheckReport.NodeReport> counted =
                nodes.stream().filter(CheckReport.NodeReport::isCounted).toList();
        CheckReport.Summary parts = report.summary();
        return new CheckReport.Summary(
                counted.stream().filter(CheckReport.NodeReport::isOnDevice).count(),
                counted.size(),
                parts.multiplyAddsOnDevice(),
                parts.multiplyAdds(),
                parts.partitions(),
                parts.crossingBytes(),
                parts.weightBytes(),
                parts.peakActivationBytes(),
                parts.memoryBytes());
    }
}
