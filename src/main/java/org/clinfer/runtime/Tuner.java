package org.clinfer.runtime;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.clinfer.cache.TunedChoices;
import org.clinfer.cpu.call.PackedWeights;
import org.clinfer.device.DeviceFacts;
import org.clinfer.errors.DeviceUnavailableException;
import org.clinfer.opencl.ClException;
import org.clinfer.place.NodeConfiguration;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.place.Placer;
import org.clinfer.plan.Chaining;
import org.clinfer.plan.MemoryLimits;
import org.clinfer.plan.Planner;
import org.clinfer.run.DeviceRuntime;
import org.clinfer.run.DeviceWeights;
import org.clinfer.run.Executor;
import org.clinfer.run.RunSpace;
import org.clinfer.run.VariantException;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.trace.TraceEvent;
import org.clinfer.tracesinks.Span;
import org.clinfer.tracesinks.Tracing;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Times the kernel variants that take a node, each in a plan of this node alone, by the device's own clock.
 *
 * <p>The variants of a node take turns, so that all meet the same disturbances, and processors get caches without the
 * node's tensors, as they are in a network. Another variant than the usual one has to win by more than the noise.
 */
public final class Tuner {

    private static final Logger LOG = LoggerFactory.getLogger(Tuner.class);

    private static final int ROUNDS = 7;
    private static final double NOISE = 0.05;

    /** A variant that is slower than the best by more than this is measured no further. */
    private static final double HOPELESS = 3;

    /** No further round for a node that took longer. */
    private static final long NODE_NANOS = 3_000_000_000L;

    private static final int CACHE_BYTES = 128 << 20;
    private static final int CACHE_LINE = 64;
    private static final double NANOS_PER_MICRO = 1e3;

    private final EngineContext context;
    private final DeviceRuntime device;
    private final Placer placer;

    /**
     * The measurements of a network.
     *
     * @param kept whether the choices are on disk, for other engines on the same device
     */
    public record Measurements(List<Measured> nodes, boolean kept) {}

    /**
     * The measurements of one use of an operator.
     *
     * @param first the first node that is one
     * @param count of nodes that are the same use
     * @param micros the median of each variant in the order in which they are tried, the usual one first
     */
    public record Measured(PlacedNode first, int count, Map<String, Double> micros) {

        /** The variant that is used without tuning. */
        public String usual() {
            return micros.keySet().iterator().next();
        }

        /** The one that is used from now on. */
        public String chosen() {
            return Tuner.chosen(micros);
        }

        boolean isChanged() {
            return !usual().equals(chosen());
        }

        private TraceEvent event(TraceEvent.Time time) {
            List<TraceEvent.VariantTime> variants = micros.entrySet().stream()
                    .map(each -> new TraceEvent.VariantTime(each.getKey(), each.getValue()))
                    .toList();
            return new TraceEvent.Trial(first.written().name(), first.written().op(), count, variants, chosen(), time);
        }
    }

    private Tuner(EngineContext context, DeviceRuntime device, Placer placer) {
        this.context = context;
        this.device = device;
        this.placer = placer;
    }

    /**
     * Measures the kernel variants that take the nodes of a network's plan, and keeps which are fastest.
     *
     * @throws DeviceUnavailableException if everything runs on the CPU, or the device is given back in the meantime
     * @throws ClException if the device fails
     */
    static Measurements tune(PlanBuilder plans, EngineContext context, Map<String, TensorType> types) {
        DeviceRuntime device = context.device()
                .orElseThrow(() -> new DeviceUnavailableException(
                        "there is no OpenCL device to tune for; everything runs on the CPU"));
        PlacedGraph placed = plans.plan(types, Map.of(), PlanLimits.NONE).graph();
        return new Tuner(context, device, plans.placer(PlanLimits.NONE)).tune(placed);
    }

    /** Measures the different uses of operators in a network, and keeps what was found. */
    private Measurements tune(PlacedGraph placed) {
        Set<String> constants = placed.constants().keySet();
        Map<String, List<PlacedNode>> uses = new LinkedHashMap<>();
        for (PlacedNode node : placed.nodes()) {
            if (node.isTunable()) {
                uses.computeIfAbsent(NodeConfiguration.of(node.node(), constants), any -> new ArrayList<>())
                        .add(node);
            }
        }
        List<Measured> nodes = new ArrayList<>();
        Set<String> measured = new HashSet<>();
        Map<String, TunedChoices.Choice> better = new HashMap<>();
        ByteBuffer caches = caches();
        uses.forEach((configuration, same) -> {
            Span span = Span.begin();
            Map<String, Double> micros = micros(same.get(0), placed, caches);
            if (micros.size() > 1) {
                Measured found = new Measured(same.get(0), same.size(), micros);
                context.tracing().add(found.event(span.time()));
                nodes.add(found);
                measured.add(configuration);
                if (found.isChanged()) {
                    better.put(configuration, choice(found));
                }
            }
        });
        return new Measurements(nodes, context.tuned().add(measured, better));
    }

    private static TunedChoices.Choice choice(Measured found) {
        return new TunedChoices.Choice(
                found.chosen(),
                found.micros().getOrDefault(found.chosen(), 0.0),
                found.usual(),
                found.micros().getOrDefault(found.usual(), 0.0));
    }

    /** The fastest variant, or the usual one, which stands first, where it is not clearly slower. */
    static String chosen(Map<String, Double> micros) {
        Map.Entry<String, Double> usual = micros.entrySet().iterator().next();
        Map.Entry<String, Double> best = usual;
        for (Map.Entry<String, Double> entry : micros.entrySet()) {
            best = entry.getValue() < best.getValue() ? entry : best;
        }
        return best.getValue() < usual.getValue() * (1 - NOISE) ? best.getKey() : usual.getKey();
    }

    private ByteBuffer caches() {
        boolean isProcessor = device.facts().kind() == DeviceFacts.Kind.CPU;
        return ByteBuffer.allocate(isProcessor ? CACHE_BYTES : 0);
    }

    /** A variant in a plan of its own, and the times it took. */
    private record Contender(String name, Executor executor, List<Long> nanos) {}

    /** The median of each variant in the order in which they are tried, the usual one first. */
    private Map<String, Double> micros(PlacedNode node, PlacedGraph network, ByteBuffer caches) {
        List<Tensor> inputs = new ArrayList<>();
        NodesAlone alone = NodesAlone.of(List.of(node), network, (user, value, type) -> {
            Tensor input = filled(type);
            inputs.add(input);
            return input;
        });
        List<PlacedNode> candidates = placer.candidates(alone.graph().nodes().get(0));
        List<Contender> contenders = new ArrayList<>();
        try (DeviceWeights weights = weights();
                RunSpace space = new RunSpace()) {
            try {
                for (PlacedNode candidate : candidates.size() < 2 ? List.<PlacedNode>of() : candidates) {
                    open(alone.with(List.of(candidate)), weights, space, contenders);
                }
                run(contenders, caches);
            } finally {
                contenders.forEach(contender -> contender.executor().close());
            }
        } finally {
            inputs.forEach(Tensor::close);
        }
        Map<String, Double> micros = new LinkedHashMap<>();
        for (Contender contender : contenders) {
            if (!contender.nanos().isEmpty()) {
                micros.putIfAbsent(contender.name(), median(contender.nanos()) / NANOS_PER_MICRO);
            }
        }
        return micros;
    }

    private DeviceWeights weights() {
        return DeviceWeights.on(device)
                .orElseThrow(() -> new DeviceUnavailableException(
                        "the device is not open any more: it failed in another session, or the engine is closed"));
    }

    /** A variant that does not build, or finds no memory, takes no part. */
    private void open(NodesAlone alone, DeviceWeights weights, RunSpace space, List<Contender> contenders) {
        PlacedNode candidate = alone.graph().nodes().get(0);
        try {
            Executor executor = new Executor(
                    Planner.plan(alone.graph(), MemoryLimits.host(), MemoryLimits.of(device.facts()), Chaining.NONE),
                    new Executor.Resources(
                            context.hostOperators(),
                            context.parallel(),
                            PackedWeights.none(),
                            Optional.of(weights),
                            space,
                            Tracing.OFF));
            contenders.add(new Contender(candidate.variant().orElseThrow().optype(), executor, new ArrayList<>()));
        } catch (VariantException | ClException | IllegalArgumentException unusable) {
            LOG.debug("{} is not measured", candidate.variant(), unusable);
        }
    }

    private static void run(List<Contender> contenders, ByteBuffer caches) {
        List<Contender> left = new ArrayList<>(contenders);
        left.removeIf(contender -> nanos(contender).isEmpty());
        long start = System.nanoTime();
        for (int round = 0; round < ROUNDS && System.nanoTime() - start < NODE_NANOS; round++) {
            left.removeIf(contender -> {
                flush(caches);
                OptionalLong nanos = nanos(contender);
                nanos.ifPresent(contender.nanos()::add);
                return nanos.isEmpty();
            });
            double best = left.stream()
                    .mapToDouble(contender -> median(contender.nanos()))
                    .min()
                    .orElse(0);
            left.removeIf(contender -> median(contender.nanos()) > HOPELESS * best);
        }
    }

    /** The time of one run; empty where the device refuses the variant, whose earlier times then do not count. */
    private static OptionalLong nanos(Contender contender) {
        try {
            return OptionalLong.of(contender.executor().timed(Map.of()).kernelNanos());
        } catch (VariantException refused) {
            LOG.debug("{} is not measured", contender.name(), refused);
            contender.nanos().clear();
            return OptionalLong.empty();
        }
    }

    private static void flush(ByteBuffer caches) {
        for (int i = 0; i < caches.capacity(); i += CACHE_LINE) {
            caches.put(i, (byte) (caches.get(i) + 1));
        }
    }

    static double median(List<Long> nanos) {
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2.0;
    }

    /** Ordinary numbers, some of them equal: kernels may be faster for zeros alone. */
    private static Tensor filled(TensorType type) {
        Tensor tensor = Tensor.allocate(type);
        if (type.dtype() == DType.FLOAT32) {
            float[] pattern = {0, 1, 0.5f, -1, 0.25f, 1, -0.5f};
            float[] values = new float[Math.toIntExact(type.shape().elements())];
            for (int i = 0; i < values.length; i++) {
                values[i] = pattern[i % pattern.length];
            }
            tensor.floats().put(values);
            return tensor;
        }
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setLong(i, i & 1);
        }
        return tensor;
    }
}
