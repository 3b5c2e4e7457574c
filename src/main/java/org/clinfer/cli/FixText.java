package org.clinfer.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.clinfer.check.CheckReport;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.Finding;
import org.clinfer.check.Verdict;
import org.clinfer.fix.NetworkFix;
import org.clinfer.text.Printable;

/** The changes of a network, and the nodes that nobody can change, for people. */
final class FixText {

    /** A limit of the device, as {@code CNN.max_size}, beside parameters and sizes. */
    private static final Pattern LIMIT = Pattern.compile("[A-Z][A-Za-z0-9]*\\.[a-z0-9_]+");

    private FixText() {}

    /** @param after the report on the file that was written */
    static List<String> of(NetworkFix fix, CheckReport after, Path output) {
        List<String> lines = new ArrayList<>();
        lines.add("before: " + summary(fix.before()));
        lines.add("after:  " + summary(after));
        lines.add("changed:");
        applied(fix).forEach(line -> lines.add("  " + line));
        fix.difference().ifPresent(all -> lines.add("  results of the whole network, on random inputs: " + all));
        lines.addAll(left(fix, after));
        lines.add("wrote " + output);
        return lines.stream().map(Printable::message).toList();
    }

    /** @param reason why there is no file */
    static List<String> unwritten(NetworkFix fix, String reason) {
        List<String> lines = new ArrayList<>();
        lines.add("nothing is written: " + reason);
        if (!fix.applied().isEmpty()) {
            lines.add("found:");
            applied(fix).forEach(line -> lines.add("  " + line));
        }
        lines.addAll(left(fix, fix.before()));
        return lines.stream().map(Printable::message).toList();
    }

    private static String summary(CheckReport report) {
        CheckReport.Summary summary = report.ofWholes().summary();
        return summary.nodesOnDevice() + " of " + summary.nodes() + " nodes on the device, " + summary.partitions()
                + (summary.partitions() == 1 ? " partition, " : " partitions, ") + amount(summary.crossingBytes())
                + " bytes cross between device and CPU, " + amount(summary.multiplyAdds()) + " multiply-adds, "
                + summary.weightBytes() + " bytes of weights on the device";
    }

    private static String amount(OptionalLong count) {
        return count.isPresent() ? Long.toString(count.getAsLong()) : "an unknown number of";
    }

    /** Changes that are alike share a line. */
    private static List<String> applied(NetworkFix fix) {
        Map<List<Object>, List<NetworkFix.Applied>> alike = new LinkedHashMap<>();
        for (NetworkFix.Applied each : fix.applied()) {
            alike.computeIfAbsent(
                            List.of(each.steps(), each.operators(), each.nodes().size()), key -> new ArrayList<>())
                    .add(each);
        }
        return alike.values().stream().map(FixText::line).toList();
    }

    private static String line(List<NetworkFix.Applied> alike) {
        NetworkFix.Applied first = alike.get(0);
        NetworkFix.Applied worst = alike.stream()
                .max(Comparator.comparingDouble(each -> each.difference().largest()))
                .orElse(first);
        return String.join(", ", first.nodes()) + more(alike.size()) + ": " + String.join("; ", first.steps())
                + (first.operators().isEmpty() ? "" : " -> " + operators(first.operators())) + " (" + worst.difference()
                + ")";
    }

    private static String more(int count) {
        return count == 1 ? "" : " and " + (count - 1) + " more alike";
    }

    /** As {@code Split, 4 Conv2d, Concat}. */
    private static String operators(List<String> all) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < all.size(); ) {
            int end = i;
            while (end < all.size() && all.get(end).equals(all.get(i))) {
                end++;
            }
            words.add(end - i == 1 ? all.get(i) : end - i + " " + all.get(i));
            i = end;
        }
        return String.join(", ", words);
    }

    private static List<String> left(NetworkFix fix, CheckReport report) {
        List<String> lines = new ArrayList<>();
        if (!fix.dropped().isEmpty()) {
            lines.add("found and not made:");
            fix.dropped()
                    .forEach(each -> lines.add(
                            "  " + each.node() + ": " + String.join("; ", each.steps()) + ": " + each.reason()));
        }
        lines.addAll(left(
                "not fixed, because no change that Clinfer knows passes:",
                report,
                node -> node.verdict() != Verdict.ON_DEVICE && node.verdict() != Verdict.UNKNOWN));
        lines.addAll(left(
                "left as they are, because it is not known whether the device runs them:",
                report,
                node -> node.verdict() == Verdict.UNKNOWN));
        return lines;
    }

    private static List<String> left(String title, CheckReport report, Predicate<NodeReport> isLeft) {
        Map<List<Object>, List<NodeReport>> alike = new LinkedHashMap<>();
        for (NodeReport node : report.nodes()) {
            if (isLeft.test(node) && !node.isPart() && !node.isAdded()) {
                alike.computeIfAbsent(List.of(node.op(), reasons(node)), key -> new ArrayList<>())
                        .add(node);
            }
        }
        List<String> lines = new ArrayList<>();
        if (!alike.isEmpty()) {
            lines.add(title);
            alike.values().forEach(nodes -> lines.addAll(left(nodes)));
        }
        return lines;
    }

    private static Set<String> reasons(NodeReport node) {
        Set<String> reasons = new LinkedHashSet<>();
        node.findings().forEach(finding -> reasons.add(finding.rule().toString()));
        return reasons;
    }

    private static List<String> left(List<NodeReport> alike) {
        NodeReport first = alike.get(0);
        List<String> lines = new ArrayList<>();
        lines.add("  '" + first.node() + "' (" + first.op() + ")" + more(alike.size()) + ": "
                + first.findings().stream().map(Finding::message).collect(Collectors.joining("; ")));
        boolean isOpen = first.outputs().stream()
                .anyMatch(value ->
                        value.type().filter(type -> type.shape().isKnown()).isEmpty());
        if (isOpen) {
            lines.add("    sizes are not known; --input gives them");
        }
        changes(first).ifPresent(text -> lines.add("    would pass, but compute something else, with " + text));
        return lines;
    }

    private static Optional<String> changes(NodeReport node) {
        Set<String> changes = new LinkedHashSet<>();
        node.findings().stream()
                .flatMap(finding -> finding.broken().stream())
                .flatMap(broken -> broken.passing().stream())
                .filter(value -> !LIMIT.matcher(value.what()).matches())
                .forEach(value -> changes.add(value.what() + " = " + value.to() + " instead of " + value.from()));
        return changes.isEmpty() ? Optional.empty() : Optional.of(String.join(", or ", changes));
    }
}
