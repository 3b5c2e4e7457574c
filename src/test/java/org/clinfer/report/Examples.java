package org.clinfer.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.clinfer.check.CheckReport;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.CheckReport.Summary;
import org.clinfer.check.CheckReport.Value;
import org.clinfer.check.CheckReport.Work;
import org.clinfer.check.Finding;
import org.clinfer.check.Finding.BrokenRule;
import org.clinfer.check.Finding.PassingValue;
import org.clinfer.check.NetworkCost;
import org.clinfer.check.RuleId;
import org.clinfer.check.Verdict;
import org.clinfer.graph.SourceRef;
import org.clinfer.profile.ConverterStep;
import org.clinfer.profile.Evidence;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/** Reports to write in every form. */
final class Examples {

    /** Names that break out of one form or another where they are not made harmless. */
    static final List<String> HOSTILE = List.of(
            "</script><img src=x onerror=alert(1)>",
            "\"quoted\" 'single' `back` |pipe| \\",
            "line\u2028separator\u2029paragraph\r\nend",
            "\u202Eright-to-left \u05D0\u05D1\u05D2\u202C",
            "\u001b[31mred\u0000\u0007",
            "]]>&lt;&#60;<!--",
            "{{data}} ${data} $1 %s",
            "lone \uD800 surrogate",
            "long ".repeat(2000),
            "  ");

    private Examples() {}

    static SourceRef source(String name, String op) {
        return new SourceRef("net.onnx", "node '" + name + "' (" + op + ")");
    }

    static Value value(String name) {
        return new Value(name, Optional.of(TensorType.of(DType.FLOAT32, 1, 8, 24, 24)));
    }

    static NodeReport node(String name, String op, Verdict verdict, Finding... findings) {
        return node(name, op, verdict, List.of("in " + name), findings);
    }

    static NodeReport node(String name, String op, Verdict verdict, List<String> inputs, Finding... findings) {
        return new NodeReport(
                name,
                op,
                source(name, op),
                verdict,
                "",
                List.of(findings),
                inputs.stream().map(Examples::value).toList(),
                List.of(value("out " + name)),
                new Work(OptionalLong.of(1_234_567), 4096));
    }

    /** A node whose result is known before anything runs. */
    static NodeReport constant(String name, String op) {
        NodeReport node = node(name, op, Verdict.ON_DEVICE);
        return new NodeReport(
                name,
                op,
                node.source(),
                Verdict.ON_DEVICE,
                "constant",
                List.of(),
                node.inputs(),
                node.outputs(),
                new Work(OptionalLong.of(0), 0));
    }

    /** A rule of a profile with everything that there can be. */
    static Finding broken(String rule) {
        return new Finding(
                new RuleId(rule),
                "the kernel does not fit (kernel_h <= 16: 17 > 16)",
                Optional.of(new BrokenRule(
                        true,
                        "kernel_h <= 16: 17 > 16",
                        List.of("kernel_h = kernel_size[0]: 17"),
                        "17",
                        "16",
                        "1",
                        "pixels",
                        List.of("soc.ini:DPU:kernel_max"),
                        "Manual, table 7",
                        Optional.of(
                                new Evidence(Evidence.Kind.DOCUMENT, Optional.of("Tools 2.1"), Optional.of("2024-05"))),
                        "document",
                        List.of(
                                new PassingValue("kernel_size[0]", "17", "16"),
                                new PassingValue("DPU.kernel_max", "16", "17")))));
    }

    static Finding undecided(String rule) {
        return new Finding(
                new RuleId(rule),
                "not known whether the stride fits (stride_h <= limit: limit is not known)",
                Optional.of(new BrokenRule(
                        false,
                        "stride_h <= limit: limit is not known",
                        List.of(),
                        "",
                        "",
                        "",
                        "",
                        List.of(),
                        "Manual, table 8",
                        Optional.empty(),
                        "",
                        List.of())));
    }

    /** A chain with every verdict. */
    static List<NodeReport> everyVerdict() {
        return List.of(
                node("conv1", "Conv2d", Verdict.ON_DEVICE, List.of("data")),
                node("conv2", "Conv2d", Verdict.FALLS_BACK, List.of("out conv1"), broken("soc/conv2d/kernel")),
                node("conv3", "Conv2d", Verdict.FALLS_BACK, List.of("out conv2"), broken("soc/conv2d/kernel")),
                node(
                        "up",
                        "Resize",
                        Verdict.UNSUPPORTED,
                        List.of("out conv3"),
                        broken("soc/resize/scale"),
                        new Finding(new RuleId("cpu/Resize"), "the CPU has no bilinear Resize of bool")),
                node("relu", "Relu", Verdict.UNKNOWN, List.of("out up", ""), undecided("soc/relu/type")),
                node(
                        "add",
                        "Add",
                        Verdict.INVALID,
                        List.of("out relu", "out conv1"),
                        new Finding(new RuleId("Add/b"), "1x8x24x24 and 1x9x24x24 do not broadcast")));
    }

    static CheckReport report(String model, String device, String profile, List<NodeReport> nodes) {
        long onDevice = nodes.stream()
                .filter(node -> node.verdict() == Verdict.ON_DEVICE)
                .count();
        return new CheckReport(
                model,
                device,
                profile,
                Map.of("data", TensorType.of(DType.FLOAT32, 1, 3, 24, 24)),
                nodes,
                new Summary(
                        onDevice,
                        nodes.size(),
                        OptionalLong.of(1_234_567L * onDevice),
                        OptionalLong.of(1_234_567L * nodes.size()),
                        2,
                        OptionalLong.of(36_864),
                        4096L * nodes.size(),
                        OptionalLong.of(36_864),
                        OptionalLong.empty()));
    }

    /** One model with costs: a node on the device, one that falls back, and others of which no time is known. */
    static CheckReport costly() {
        CheckReport report = report("net", "Vendor SoC 1", "soc1", everyVerdict());
        NetworkCost.NodeCost onDevice = new NetworkCost.NodeCost(
                OptionalLong.of(750),
                OptionalDouble.of(0.75),
                OptionalLong.of(100),
                OptionalLong.of(200),
                OptionalLong.of(300),
                Optional.of(new NetworkCost.Estimate(1.25, NetworkCost.Bound.MEMORY, 0.5, 1, 0.25)),
                OptionalDouble.empty());
        NetworkCost.NodeCost onHost = new NetworkCost.NodeCost(
                OptionalLong.of(250),
                OptionalDouble.of(0.25),
                OptionalLong.of(100),
                OptionalLong.empty(),
                OptionalLong.of(0),
                Optional.empty(),
                OptionalDouble.of(20.5));
        NetworkCost cost = new NetworkCost(
                Map.of("conv1", onDevice, "conv2", onHost),
                List.of(new NetworkCost.Crossing("out conv1", false, OptionalLong.of(64), OptionalDouble.of(0.5))),
                Optional.of(new NetworkCost.Total(
                        OptionalDouble.of(1.25),
                        OptionalDouble.empty(),
                        OptionalDouble.of(0.5),
                        OptionalDouble.of(0),
                        OptionalDouble.empty(),
                        4,
                        "the manual",
                        Optional.of("median 5 %"))));
        return report.withCost(cost);
    }

    /** One model on two devices. */
    static List<CheckReport> twoDevices() {
        List<NodeReport> better = new ArrayList<>();
        everyVerdict()
                .forEach(node -> better.add(new NodeReport(
                        node.node(),
                        node.op(),
                        node.source(),
                        node.op().equals("Conv2d") ? Verdict.ON_DEVICE : node.verdict(),
                        node.variant(),
                        node.op().equals("Conv2d") ? List.of() : node.findings(),
                        node.inputs(),
                        node.outputs(),
                        node.work())));
        return List.of(
                report("net", "Vendor SoC 1", "soc1", everyVerdict()), report("net", "Vendor SoC 2", "soc2", better));
    }

    /** A node that a converter makes part of another one. */
    static NodeReport part(String name, String op, String of) {
        NodeReport node = node(name, op, Verdict.ON_DEVICE);
        return new NodeReport(
                name,
                op,
                node.source(),
                node.verdict(),
                "",
                List.of(),
                node.inputs(),
                node.outputs(),
                node.work(),
                Optional.of(new CheckReport.Converted(ConverterStep.FUSE_ACTIVATION, of)),
                false);
    }

    /** A convolution and an activation, which are one node on the first device and two on the second. */
    static List<CheckReport> oneNodeOrTwo() {
        NodeReport conv = node("c", "Conv2d", Verdict.ON_DEVICE);
        return List.of(
                report("a", "One", "one", List.of(conv, part("r", "Relu", "c"))),
                report("a", "Two", "two", List.of(conv, node("r", "Relu", Verdict.ON_DEVICE))));
    }

    /** A network of residual blocks with some {@code nodes} nodes, on two devices; every verdict occurs. */
    static List<CheckReport> large(int nodes) {
        List<NodeReport> first = new ArrayList<>();
        List<NodeReport> second = new ArrayList<>();
        String last = "data";
        for (int block = 0; first.size() < nodes; block++) {
            String name = "stage" + block / 8 + "/block" + block % 8;
            int kind = block % 11;
            String entry = last;
            for (String part : List.of("conv1", "relu1", "conv2", "bn2")) {
                String op = part.startsWith("conv") ? "Conv2d" : part.startsWith("relu") ? "Relu" : "BatchNorm";
                Verdict verdict = kind == 3 && part.equals("conv1")
                        ? Verdict.FALLS_BACK
                        : kind == 7 && op.equals("BatchNorm") ? Verdict.UNKNOWN : Verdict.ON_DEVICE;
                both(first, second, node(name + "/" + part, op, verdict, List.of(last), reasons(verdict)));
                last = "out " + name + "/" + part;
            }
            if (block % 4 == 0) {
                both(first, second, node(name + "/project", "Conv2d", Verdict.ON_DEVICE, List.of(entry)));
                entry = "out " + name + "/project";
            }
            Verdict sum = kind == 9 ? Verdict.UNSUPPORTED : block == 30 ? Verdict.INVALID : Verdict.ON_DEVICE;
            both(first, second, node(name + "/add", "Add", sum, List.of(last, entry), reasons(sum)));
            last = "out " + name + "/add";
        }
        return List.of(
                report("resnet-deep", "Vendor SoC 1", "soc1", first.subList(0, nodes)),
                report("resnet-deep", "Vendor SoC 2", "soc2", second.subList(0, nodes)));
    }

    private static Finding[] reasons(Verdict verdict) {
        return switch (verdict) {
            case ON_DEVICE -> new Finding[] {};
            case UNKNOWN -> new Finding[] {undecided("soc/batch-norm/type")};
            case INVALID ->
                new Finding[] {new Finding(new RuleId("Add/b"), "1x8x24x24 and 1x9x24x24 do not broadcast")};
            case FALLS_BACK, UNSUPPORTED -> new Finding[] {broken("soc/conv2d/kernel"), broken("soc/conv2d/bank")};
        };
    }

    /** The second device takes what falls back on the first one. */
    private static void both(List<NodeReport> first, List<NodeReport> second, NodeReport node) {
        first.add(node);
        boolean isBetter = node.verdict() == Verdict.FALLS_BACK;
        second.add(new NodeReport(
                node.node(),
                node.op(),
                node.source(),
                isBetter ? Verdict.ON_DEVICE : node.verdict(),
                node.variant(),
                isBetter ? List.of() : node.findings(),
                node.inputs(),
                node.outputs(),
                node.work()));
    }

    /** A node, and everything said of it, for each hostile name. */
    static List<CheckReport> hostile() {
        List<NodeReport> nodes = new ArrayList<>();
        Verdict[] verdicts = Verdict.values();
        for (int i = 0; i < HOSTILE.size(); i++) {
            String name = HOSTILE.get(i);
            BrokenRule rule = new BrokenRule(
                    true,
                    name,
                    List.of(name),
                    name,
                    name,
                    name,
                    name,
                    List.of(name),
                    name,
                    Optional.of(new Evidence(Evidence.Kind.CODE, Optional.of(name), Optional.empty())),
                    "",
                    List.of(new PassingValue(name, name, name)));
            nodes.add(new NodeReport(
                    name,
                    name,
                    new SourceRef(name, name),
                    verdicts[1 + i % (verdicts.length - 1)],
                    name,
                    List.of(new Finding(new RuleId(name), name, Optional.of(rule))),
                    List.of(new Value(name, Optional.empty())),
                    List.of(new Value(name + " out", Optional.empty())),
                    new Work(OptionalLong.empty(), 0)));
        }
        return HOSTILE.stream().map(name -> report(name, name, name, nodes)).toList();
    }
}
