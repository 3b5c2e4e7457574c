package org.clinfer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.clinfer.check.CheckReport;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.Finding;
import org.clinfer.check.RuleId;
import org.clinfer.check.Verdict;
import org.clinfer.errors.DeviceUnavailableException;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.judge.NodeReports;
import org.clinfer.runtime.NetworkChecker;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.TensorType;
import org.clinfer.tensor.Tolerance;

/**
 * Asks the device itself: runs every distinct use of an operator of a network alone on the device, on random data, and
 * compares the results with those of the CPU. Where rules and device disagree, the report says so.
 *
 * <pre>{@code
 * try (DeviceProbe probe = DeviceProbe.open(EngineOptions.defaults())) {
 *     CheckReport probed = probe.verify(checker.check(graph, Map.of(), soc, Reading.DOCUMENT), graph);
 * }
 * }</pre>
 */
public final class DeviceProbe implements AutoCloseable {

    private static final long SEED = 20261121;

    private final Engine device;
    private final Engine cpu;
    private final NetworkChecker checker;
    private final Map<Object, Outcome> outcomes = new HashMap<>();

    /** The outcome of one node on the device. */
    sealed interface Outcome {}

    /** It ran there, with the results of the CPU. */
    record Agrees() implements Outcome {}

    /** It did not, or with other results. */
    record Fails(String why) implements Outcome {}

    /** Nobody knows. */
    record NotTried(String why) implements Outcome {}

    private DeviceProbe(Engine device, Engine cpu, NetworkChecker checker) {
        this.device = device;
        this.cpu = cpu;
        this.checker = checker;
    }

    /**
     * Opens a device for probing.
     *
     * @param options for the engine that is tried and, but for the device, the one it is compared with; a profile
     *     and a precision of theirs are left aside, and the device is the first OpenCL device where they name none, and
     *     the first of several
     * @return the probe, to be closed by the caller
     * @throws DeviceUnavailableException if there is no OpenCL device
     * @throws InputException if the options choose the CPU
     */
    public static DeviceProbe open(EngineOptions options) {
        DeviceChoice choice = probed(options.device());
        EngineOptions bare = options.withoutProfile().withPrecision(Precision.FLOAT32);
        Engine device = Engine.open(bare.withDevice(choice));
        try {
            Engine cpu = Engine.open(bare.withDevice(new DeviceChoice.Cpu()).withExact(true));
            return new DeviceProbe(device, cpu, NetworkChecker.builtIn().withOperators(options.operators()));
        } catch (RuntimeException failed) {
            device.close();
            throw failed;
        }
    }

    private static DeviceChoice probed(DeviceChoice chosen) {
        if (chosen instanceof DeviceChoice.Cpu) {
            throw new InputException("a probe asks an OpenCL device, but the CPU was chosen");
        }
        if (chosen instanceof DeviceChoice.Several several) {
            return new DeviceChoice.Index(several.numbers().get(0));
        }
        return chosen instanceof DeviceChoice.Index ? chosen : new DeviceChoice.FirstOpenCl();
    }

    /** {@return one line: the device} */
    public String deviceNote() {
        return device.deviceNote();
    }

    /**
     * {@return a report with what the device says itself} A node that the rules allow and the device fails falls
     * back; one that nobody had rules for and that the device runs is on the device; one that the rules refuse stays
     * refused. Both kinds of disagreement are findings.
     *
     * @param report the report by rules
     * @param graph what the report is of
     */
    public CheckReport verify(CheckReport report, Graph graph) {
        CheckedGraph checked = checker.checked(graph, report.inputs());
        Map<String, CheckedNode> nodes = new HashMap<>();
        checked.nodes().forEach(node -> nodes.put(node.node().name(), node));
        return NodeReports.revised(report, checked, checker.operators(), node -> {
            CheckedNode known = nodes.get(node.node());
            return known == null || node.verdict() == Verdict.INVALID ? node : revised(node, outcome(known, checked));
        });
    }

    private static NodeReport revised(NodeReport node, Outcome outcome) {
        boolean allowed = node.verdict() == Verdict.ON_DEVICE;
        if (outcome instanceof Agrees) {
            return switch (node.verdict()) {
                case UNKNOWN ->
                    with(
                            node,
                            Verdict.ON_DEVICE,
                            "probed",
                            "agrees",
                            "no rule decides, but the device runs it and" + " agrees with the CPU");
                case FALLS_BACK, UNSUPPORTED ->
                    with(
                            node,
                            node.verdict(),
                            node.variant(),
                            "disagreement",
                            "the rules refuse it, but the device runs it" + " and agrees with the CPU");
                default -> node;
            };
        }
        if (outcome instanceof Fails fails) {
            return allowed
                    ? with(node, Verdict.FALLS_BACK, "", "disagreement", "the rules allow it, but " + fails.why)
                    : with(node, node.verdict(), node.variant(), "agrees", fails.why);
        }
        return with(node, node.verdict(), node.variant(), "not-tried", ((NotTried) outcome).why);
    }

    private static NodeReport with(NodeReport node, Verdict verdict, String variant, String outcome, String message) {
        List<Finding> findings = new ArrayList<>(node.findings());
        findings.add(new Finding(new RuleId("probe/" + outcome), message));
        return node.with(verdict, variant, findings);
    }

    private Outcome outcome(CheckedNode node, CheckedGraph checked) {
        List<Object> key = new ArrayList<>(List.of(node.configuration()));
        node.node().inputs().forEach(input -> key.add(checked.constants().containsKey(input)));
        Outcome known = outcomes.get(key);
        if (known == null) {
            known = run(node, checked);
            outcomes.put(key, known);
        }
        return known;
    }

    private Outcome run(CheckedNode node, CheckedGraph checked) {
        for (TensorType type : node.outputTypes()) {
            if (!type.shape().isKnown()) {
                return new NotTried("not tried: a dimension is not known");
            }
        }
        List<String> outputs =
                node.node().outputs().stream().filter(name -> !name.isEmpty()).toList();
        Graph alone = checked.part(List.of(node.node()), outputs);
        if (!alone.inputs().stream().allMatch(input -> input.type().shape().isKnown())) {
            return new NotTried("not tried: a dimension is not known");
        }
        Map<String, Tensor> inputs = new HashMap<>();
        try {
            alone.inputs().forEach(input -> inputs.put(input.name(), random(input.type())));
            return compared(alone, inputs);
        } finally {
            inputs.values().forEach(Tensor::close);
        }
    }

    private Outcome compared(Graph graph, Map<String, Tensor> inputs) {
        try (Model reference = cpu.load(graph);
                Session computing = reference.session();
                Result expected = computing.run(inputs)) {
            return onDevice(graph, inputs, expected);
        } catch (RuntimeException failed) {
            return new NotTried("not tried: the CPU cannot compute it (" + failed.getMessage() + ")");
        }
    }

    private Outcome onDevice(Graph graph, Map<String, Tensor> inputs, Result expected) {
        try (Model model = device.load(graph);
                Session session = model.session();
                Result actual = session.run(inputs)) {
            if (!session.recoveries().isEmpty()) {
                return new Fails("the device fails (Clinfer " + String.join("; ", session.recoveries()) + ")");
            }
            for (Placement.Entry entry : session.placement().nodes()) {
                if (entry.target() != Placement.Target.DEVICE) {
                    return new Fails("the device does not run it (" + String.join("; ", entry.reasons()) + ")");
                }
            }
            for (Map.Entry<String, Tensor> output : expected.outputs().entrySet()) {
                Optional<String> difference =
                        TensorComparison.difference(output.getValue(), actual.get(output.getKey()), Tolerance.DEFAULT);
                if (difference.isPresent()) {
                    return new Fails("the device gives other results than the CPU (" + output.getKey() + ": "
                            + difference.get() + ")");
                }
            }
            return new Agrees();
        } catch (RuntimeException failed) {
            return new Fails("the device fails (" + failed.getMessage() + ")");
        }
    }

    /** Numbers of both signs where the type has them, small enough for sums of integers. */
    private static Tensor random(TensorType type) {
        Tensor tensor = Tensor.allocate(type);
        Random random = new Random(SEED);
        long elements = tensor.elements();
        for (long i = 0; i < elements; i++) {
            switch (type.dtype()) {
                case BOOL, U1 -> tensor.setLong(i, random.nextInt(2));
                case INT8, INT16, INT32, INT64 -> tensor.setLong(i, random.nextInt(5) - 2L);
                case UINT8, UINT16, UINT32, UINT64 -> tensor.setLong(i, random.nextInt(5));
                default -> tensor.setDouble(i, 2 * random.nextDouble() - 1);
            }
        }
        return tensor;
    }

    /** Gives the device back; more calls do nothing. */
    @Override
    public void close() {
        device.close();
        cpu.close();
    }
}
