package org.clinfer.fix;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.Engine;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Verdict;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.Reading;
import org.clinfer.runtime.NetworkChecker;
import org.clinfer.tensor.TensorType;
import org.clinfer.tensor.Tolerance;

/**
 * Rewrites networks so that a device runs more of them.
 *
 * <pre>{@code
 * NetworkChecker checker = NetworkChecker.builtIn();
 * Graph graph = Importers.of(checker.operators()).read(Path.of("net.onnx"), UnsupportedLayers.OPAQUE);
 * try (Engine cpu = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
 *         NetworkFix fix = new Fixer(checker, cpu).fix(graph, Map.of(), soc, Reading.DOCUMENT)) {
 *     fix.applied().forEach(System.out::println);
 * }
 * }</pre>
 *
 * <p>Every change is the smallest that was found with which the device runs all that it touches; its results are those of what
 * it replaces, up to rounding, for random inputs on the CPU.
 */
public final class Fixer {

    /** Rounds at most: changes of one may make room for others in the next. */
    private static final int MOST_ROUNDS = 3;

    private final NetworkChecker checker;
    private final Equality equality;

    /**
     * @param checker the operators, and the form in which networks are held against profiles
     * @param cpu runs networks and parts of them, to compare results
     */
    public Fixer(NetworkChecker checker, Engine cpu) {
        this.checker = checker;
        this.equality = new Equality(cpu);
    }

    /**
     * The network with all changes that were found. Only nodes around which all sizes are known are changed.
     *
     * @param inputTypes types of some inputs instead of the model's own; empty for the {@linkplain Graph.Input#usualType usual ones}
     * @throws org.clinfer.errors.InputException if a type does not fit the model, or the network cannot be quantized or
     *     converted as asked
     */
    public NetworkFix fix(Graph graph, Map<String, TensorType> inputTypes, DeviceProfile profile, Reading reading) {
        DeviceCheck device = new DeviceCheck(checker, profile, reading);
        CheckReport before = checker.check(graph, inputTypes, profile, reading);
        Graph typed = typed(graph, checker.checked(graph, inputTypes));
        MadeTensors made = new MadeTensors();
        try {
            return fix(device, typed, before, made);
        } catch (RuntimeException | Error failed) {
            made.close();
            throw failed;
        }
    }

    private NetworkFix fix(DeviceCheck device, Graph typed, CheckReport before, MadeTensors made) {
        Outcome outcome = inInt32(device, typed, made);
        if (outcome.refused > 0) {
            outcome = inHalf(device, outcome, made);
        }
        List<NetworkFix.Applied> applied = new ArrayList<>(outcome.types);
        applied.addAll(outcome.applied);
        Optional<ResultDifference> difference = applied.isEmpty() || !isRunnable(typed)
                ? Optional.empty()
                : Optional.of(equality.of(typed, outcome.network, outcome.tolerance));
        return new NetworkFix(outcome.network, before, applied, outcome.dropped, difference, made);
    }

    /**
     * A network after all rounds.
     *
     * @param before the network that the rounds began with
     * @param types the changes of all types that were made before
     * @param refused the number of nodes that the device still refuses
     * @param tolerance of its results
     */
    private record Outcome(
            Graph before,
            List<NetworkFix.Applied> types,
            Graph network,
            List<NetworkFix.Applied> applied,
            List<NetworkFix.Dropped> dropped,
            long refused,
            Tolerance tolerance) {

        /** With the changes of all types that an outcome had, and one more. */
        Outcome behind(List<NetworkFix.Applied> earlier, String step, ResultDifference difference, Tolerance other) {
            List<NetworkFix.Applied> all = new ArrayList<>(earlier);
            all.add(new NetworkFix.Applied(List.of(quoted(before)), List.of(step), List.of(), difference));
            return new Outcome(before, all, network, applied, dropped, refused, other);
        }

        /** With a change of all types that was not made. */
        Outcome without(String step, String fault) {
            List<NetworkFix.Dropped> all = new ArrayList<>(dropped);
            all.add(new NetworkFix.Dropped(quoted(before), List.of(step), "the results differ: " + fault));
            return new Outcome(before, types, network, applied, all, refused, tolerance);
        }

        private static String quoted(Graph graph) {
            return "'" + graph.name() + "'";
        }
    }

    private Outcome rewritten(DeviceCheck device, Graph graph, MadeTensors made) {
        List<NetworkFix.Applied> applied = new ArrayList<>();
        Map<String, NetworkFix.Dropped> dropped = new LinkedHashMap<>();
        FixSearch search = new FixSearch(device, equality, RewriteTable.ALL);
        Graph network = graph;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            FixRound found = new FixRound(device, search, new Region(device.checked(network)), made);
            found.run();
            found.dropped().forEach(each -> dropped.put(each.node(), each));
            if (found.applied().isEmpty()) {
                break;
            }
            network = KeptWords.in(found.network(), network, found.applied());
            applied.addAll(found.applied());
        }
        search.dropped().forEach(each -> dropped.put(each.node(), each));
        return new Outcome(
                graph,
                List.of(),
                network,
                applied,
                List.copyOf(dropped.values()),
                refused(device, network),
                Tolerance.DEFAULT);
    }

    private static long refused(DeviceCheck device, Graph network) {
        return device.verdicts(device.checked(network)).nodes().stream()
                .filter(node -> node.verdict() != Verdict.ON_DEVICE)
                .count();
    }

    /** The network with int32 in the place of int64 where the device refuses fewer nodes of that, and changed. */
    private Outcome inInt32(DeviceCheck device, Graph graph, MadeTensors made) {
        Optional<Graph> narrow = better(device, graph, Int32Network.of(device.checked(graph), made));
        if (narrow.isEmpty()) {
            return rewritten(device, graph, made);
        }
        ResultDifference difference = equality.of(graph, narrow.get(), Tolerance.DEFAULT);
        return difference.fault().isPresent()
                ? rewritten(device, graph, made)
                        .without(Int32Network.STEP, difference.fault().get())
                : rewritten(device, narrow.get(), made)
                        .behind(List.of(), Int32Network.STEP, difference, Tolerance.DEFAULT);
    }

    /** The network in float16, changed in its turn, where the device refuses fewer nodes of that. */
    private Outcome inHalf(DeviceCheck device, Outcome single, MadeTensors made) {
        Optional<Graph> half = better(device, single.before, HalfNetwork.of(device.checked(single.before), made));
        if (half.isEmpty()) {
            return single;
        }
        Outcome found = rewritten(device, half.get(), made);
        if (found.refused >= single.refused) {
            return single;
        }
        ResultDifference difference = equality.of(single.before, half.get(), Equality.HALF);
        return difference.fault().isPresent()
                ? single.without(HalfNetwork.STEP, difference.fault().get())
                : found.behind(single.types, HalfNetwork.STEP, difference, Equality.HALF);
    }

    /** The network with other types, if it is one, can be compared, and the device refuses fewer nodes of it. */
    private static Optional<Graph> better(DeviceCheck device, Graph graph, Optional<Graph> retyped) {
        CheckedGraph checked = device.checked(graph);
        return retyped.filter(other -> isRunnable(graph))
                .filter(other -> device.checked(other).findings().size()
                        <= checked.findings().size())
                .filter(other -> refused(device, other) < refused(device, graph))
                .map(other -> KeptWords.in(other, graph, List.of()));
    }

    /** The network for these input types alone. */
    private static Graph typed(Graph graph, CheckedGraph checked) {
        List<Graph.Input> inputs = graph.inputs().stream()
                .map(input ->
                        new Graph.Input(input.name(), checked.inputTypes().getOrDefault(input.name(), input.type())))
                .toList();
        return new Graph(graph.name(), inputs, graph.outputs(), graph.nodes(), graph.constants(), graph.source())
                .withMetadata(graph.metadata());
    }

    private static boolean isRunnable(Graph graph) {
        return graph.inputs().stream().allMatch(input -> input.type().shape().isKnown())
                && graph.nodes().stream().allMatch(Fixer::isRunnable);
    }

    private static boolean isRunnable(Node node) {
        return node.opaque().isEmpty()
                && node.bodies().values().stream()
                        .allMatch(body -> body.nodes().stream().allMatch(Fixer::isRunnable));
    }
}
