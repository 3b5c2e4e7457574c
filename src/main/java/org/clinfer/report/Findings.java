package org.clinfer.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.clinfer.check.CheckReport;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.Finding;
import org.clinfer.check.Finding.BrokenRule;
import org.clinfer.check.Verdict;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;

/** Findings as sentences, the same in every form that is read by people. */
final class Findings {

    /** Digits of a hash that are enough to tell two files apart. */
    private static final int SHOWN_DIGITS = 12;

    private Findings() {}

    /** The details of a rule that the model breaks: its limit, what it has, and the document. */
    static String details(BrokenRule broken) {
        List<String> parts = new ArrayList<>();
        if (!broken.limit().isEmpty()) {
            String unit = broken.unit().isEmpty() ? "" : " " + broken.unit();
            parts.add("limit " + broken.limit() + unit + ", actual " + broken.actual() + unit
                    + (broken.margin().isEmpty() ? "" : ", off by " + broken.margin()));
        }
        if (!broken.places().isEmpty()) {
            parts.add("set by " + String.join(", ", broken.places()));
        }
        if (!broken.source().isEmpty()) {
            parts.add("source: " + broken.source());
        }
        broken.evidence().ifPresent(evidence -> parts.add("evidence: " + evidence));
        if (!broken.reading().isEmpty()) {
            parts.add("only with --reading " + broken.reading().replace(", ", " or "));
        }
        return String.join("; ", parts);
    }

    /** Each change that would do once, however many rules are broken. */
    static List<String> passing(NodeReport node) {
        return node.findings().stream()
                .flatMap(finding -> finding.broken().stream())
                .flatMap(broken -> broken.passing().stream())
                .map(change -> change.what() + " " + change.from() + " -> " + change.to())
                .distinct()
                .toList();
    }

    /** Everything said of a node, line by line. */
    static List<String> lines(NodeReport node) {
        List<String> lines = new ArrayList<>();
        node.converted().ifPresent(converted -> lines.add("the converter of the family: " + converted));
        for (Finding finding : node.findings()) {
            lines.add(finding.rule() + ": " + finding.message());
            finding.broken().ifPresent(broken -> broken.workings().forEach(working -> lines.add("  " + working)));
            finding.broken()
                    .map(Findings::details)
                    .filter(text -> !text.isEmpty())
                    .ifPresent(text -> lines.add("  " + text));
        }
        passing(node).forEach(change -> lines.add("  would pass with " + change));
        lines.add("in " + node.source());
        return lines;
    }

    /** Tells whether nothing of the node is left to run, because its result is known beforehand. */
    static boolean isConstant(NodeReport node) {
        return node.variant().equals("constant");
    }

    /** The meaning of a verdict, where nothing more is said. */
    static String sentence(Verdict verdict) {
        return switch (verdict) {
            case ON_DEVICE -> "runs on the device";
            case FALLS_BACK -> "runs on the CPU";
            case UNSUPPORTED -> "runs neither on the device nor on the CPU";
            case UNKNOWN -> "it is not known where it runs";
            case INVALID -> "breaks the operator's own description";
        };
    }

    /** The first reason, or what the verdict means where none is given. */
    static String first(NodeReport node) {
        return node.findings().isEmpty()
                ? sentence(node.verdict())
                : node.findings().get(0).message();
    }

    /** The verdicts that occur beside on-device, as {@code 3 falls-back, 1 unknown}. */
    static String others(CheckReport report) {
        List<String> others = new ArrayList<>();
        report.counts().forEach((verdict, count) -> {
            if (verdict != Verdict.ON_DEVICE && count > 0) {
                others.add(count + " " + verdict.label());
            }
        });
        return String.join(", ", others);
    }

    /** The facts known of the whole network, a sentence each. */
    static List<String> summary(CheckReport report) {
        CheckReport.Summary summary = report.summary();
        List<String> lines = new ArrayList<>();
        String others = others(report);
        lines.add(summary.nodesOnDevice() + " of " + summary.nodes() + " nodes on the device ("
                + Amount.percent(summary.nodesOnDevice(), summary.nodes()) + ")"
                + (others.isEmpty() ? "" : "; " + others));
        added(report).ifPresent(lines::add);
        report.findings()
                .forEach(finding -> lines.add("the network does not fit as a whole, nodes have room in their order: "
                        + Printable.message(finding.message()) + " ["
                        + Printable.shortened(finding.rule().toString()) + "]"));
        List<String> work = new ArrayList<>();
        if (summary.multiplyAdds().isPresent() && summary.multiplyAddsOnDevice().isPresent()) {
            long all = summary.multiplyAdds().getAsLong();
            long here = summary.multiplyAddsOnDevice().getAsLong();
            if (all > 0) {
                long open = uncounted(report);
                work.add(Amount.count(here) + " of " + Amount.count(all) + " multiply-adds on the device ("
                        + Amount.percent(here, all)
                        + (open == 0 ? "" : "; those of " + open + (open == 1 ? " node" : " nodes") + " are not known")
                        + ")");
            }
        }
        if (summary.partitions() > 0) {
            work.add(summary.partitions() + (summary.partitions() == 1 ? " partition" : " partitions"));
        }
        summary.crossingBytes().ifPresent(bytes -> work.add(Amount.bytes(bytes) + " cross between device and host"));
        addIfAny(lines, work);
        List<String> memory = new ArrayList<>();
        if (summary.weightBytes() > 0) {
            memory.add("weights " + Amount.bytes(summary.weightBytes()));
        }
        if (summary.nodesOnDevice() > 0) {
            summary.peakActivationBytes().ifPresent(bytes -> memory.add("activations at most " + Amount.bytes(bytes)));
        }
        summary.memoryBytes()
                .ifPresent(bytes -> memory.add("device memory " + Amount.bytes(bytes)
                        + (summary.fitsMemory().orElse(true) ? "" : ", which is too little")));
        addIfAny(lines, memory);
        lines.addAll(CostLines.summary(report));
        report.basis().ifPresent(basis -> lines.addAll(basis(basis)));
        List<String> sized = sizedInputs(report);
        if (!sized.isEmpty()) {
            lines.add("with sizes that the model leaves open: " + Printable.message(String.join(" ", sized)));
        }
        List<String> open = openInputs(report);
        if (!open.isEmpty()) {
            lines.add("sizes that are not known can be given: " + Printable.message(String.join(" ", open)));
        }
        return lines;
    }

    /** Tells whether a node runs that reading the file made for another one, as at the borders of a network whose channels are last. */
    static boolean isAdded(NodeReport node) {
        return node.isAdded() && !node.isPart() && !node.isConstant();
    }

    /** The nodes that the file does not have, by operators, and how many of them do not run on the device. */
    private static Optional<String> added(CheckReport report) {
        List<NodeReport> added =
                report.nodes().stream().filter(Findings::isAdded).toList();
        if (added.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Long> operators =
                added.stream().collect(Collectors.groupingBy(NodeReport::op, TreeMap::new, Collectors.counting()));
        long others = added.stream().filter(node -> !node.isOnDevice()).count();
        return Optional.of("not counted, as the file does not have them and reading it added them: "
                + operators.entrySet().stream()
                        .map(of -> of.getValue() + " " + of.getKey())
                        .collect(Collectors.joining(", "))
                + (others == 0 ? "" : "; " + others + " of them not on the device"));
    }

    /** The number of nodes whose multiply-adds are in no sum. */
    static long uncounted(CheckReport report) {
        return report.nodes().stream()
                .filter(node -> !node.isPart()
                        && !node.isConstant()
                        && node.work().multiplyAdds().isEmpty())
                .count();
    }

    /** The form in which the network was judged, and what by. */
    private static List<String> basis(CheckReport.Basis basis) {
        List<String> lines = new ArrayList<>();
        List<String> form = new ArrayList<>();
        form.add(basis.float32As().map(dtype -> "float32 taken as " + dtype).orElse("judged in its own types")
                + basis.countedAs()
                        .filter(dtype -> basis.float32As().isEmpty())
                        .map(dtype -> " (bytes and times with float32 as " + dtype + ")")
                        .orElse(""));
        if (basis.asWritten()) {
            form.add("without what the family's converter does");
        }
        if (!basis.conversions().isEmpty()) {
            form.add("nodes changed by the family's converter: "
                    + basis.conversions().entrySet().stream()
                            .map(step ->
                                    step.getValue() + " by " + step.getKey().word())
                            .collect(Collectors.joining(", ")));
        }
        addIfAny(lines, form);
        if (!basis.passingTypes().isEmpty()) {
            lines.add("most of it does not pass as float32; --float32-as "
                    + basis.passingTypes().stream().map(DType::label).collect(Collectors.joining(" or "))
                    + " judges it as it is after quantization or conversion");
        }
        lines.add("by " + file(basis.profileFile(), basis.profileHash()) + " and "
                + file(basis.rulesFile(), basis.rulesHash()) + ", reading "
                + basis.reading().label());
        return lines;
    }

    private static String file(String name, String hash) {
        return Printable.shortened(name) + " (" + hash.substring(0, SHOWN_DIGITS) + ")";
    }

    /** The way in which a node runs on the device: its variant, or what the converter made of it. */
    static String variant(NodeReport node) {
        return node.converted().map(Object::toString).orElse(node.variant());
    }

    private static void addIfAny(List<String> lines, List<String> parts) {
        if (!parts.isEmpty()) {
            lines.add(String.join(", ", parts));
        }
    }

    /** The options by which the command line would name the inputs whose sizes are not known; empty where all are. */
    static List<String> openInputs(CheckReport report) {
        return options(report, (name, type) -> !type.shape().isKnown());
    }

    /** The options by which the command line would say the sizes that the network was checked with and the model leaves open. */
    static List<String> sizedInputs(CheckReport report) {
        return options(report, (name, type) -> report.sized().contains(name));
    }

    private static List<String> options(CheckReport report, BiPredicate<String, TensorType> chosen) {
        List<String> options = new ArrayList<>();
        report.inputs().forEach((name, type) -> {
            if (chosen.test(name, type)) {
                options.add("--input " + name + "=" + type);
            }
        });
        return options;
    }

    /** The types of what a node gives. */
    static List<String> outputTypes(NodeReport node) {
        return node.outputs().stream()
                .filter(output -> !output.name().isEmpty())
                .map(output -> output.type().map(TensorType::toString).orElse("?"))
                .toList();
    }
}
