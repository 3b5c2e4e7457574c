package org.clinfer.place;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.clinfer.costs.CpuWork;
import org.clinfer.costs.MachineCosts;
import org.clinfer.device.DeviceFacts;
import org.clinfer.infer.CheckedNode;
import org.clinfer.tensor.TensorType;

/**
 * Takes to the CPU what would be done there sooner than its values get to the device and back.
 *
 * <p>An island is a set of nodes on the device that are connected by its values; around it are the CPU, the inputs and
 * the outputs of the network. Moving a whole island changes nothing for the others, so each is decided by itself: it goes
 * if the CPU path is estimated to need clearly less time than the device with its launches and transfers. An island with
 * a node of which nothing is known, or which the CPU does not take, stays.
 */
public final class Islands {

    /** Values of so many bytes are sooner copied by the host than a command for the device is queued. */
    private static final long FEW_BYTES = 32 << 10;

    private static final double NANOS_PER_MICRO = 1e3;

    private static final HostCosts.Estimate NOTHING = new HostCosts.Estimate(0, 0);

    private final Placer placer;
    private final HostCosts host;
    private final DeviceCosts device;
    private final double hostShare;

    /**
     * @param facts the device that the placer places on
     * @param costs what work costs on this machine
     * @param isPlain whether the CPU path computes without vectors
     * @param chain whether a processor runs kernels that follow one another in one launch
     */
    public Islands(Placer placer, DeviceFacts facts, MachineCosts costs, boolean isPlain, boolean chain) {
        this.placer = placer;
        this.host = new HostCosts(costs.host(), isPlain);
        this.device = DeviceCosts.of(costs, facts, chain);
        this.hostShare = costs.hostShare();
    }

    /**
     * The graph with every island where it takes least.
     *
     * @param placed node by node as the checked graph has them
     */
    public PlacedGraph cheapest(PlacedGraph placed) {
        List<PlacedNode> nodes = new ArrayList<>(placed.nodes());
        Set<String> wanted = wantedOnHost(placed);
        for (List<Integer> island : islands(placed.nodes())) {
            onHost(island, placed, wanted).forEach(nodes::set);
        }
        return new PlacedGraph(placed.graph(), nodes);
    }

    /**
     * The graph with every island on the CPU that only brings a few elements to nodes there, or on from them: whatever the
     * device does for that, the host waits longer for it.
     *
     * @param placed node by node as the checked graph has them
     */
    public PlacedGraph besideCpu(PlacedGraph placed) {
        List<PlacedNode> nodes = new ArrayList<>(placed.nodes());
        Set<String> made = new HashSet<>();
        Set<String> read = new HashSet<>();
        placed.nodes().stream()
                .filter(node -> node.target() == PlacedNode.Target.CPU)
                .forEach(node -> {
                    made.addAll(node.written().outputs());
                    read.addAll(node.written().inputs());
                });
        for (List<Integer> island : islands(placed.nodes())) {
            moving(island, placed, made, read).forEach(nodes::set);
        }
        return new PlacedGraph(placed.graph(), nodes);
    }

    /**
     * The nodes of an island on the CPU, where it only moves elements from or to nodes there.
     *
     * @param made values of the CPU's
     * @param read values that it reads
     */
    private Map<Integer, PlacedNode> moving(
            List<Integer> island, PlacedGraph placed, Set<String> made, Set<String> read) {
        Map<Integer, PlacedNode> moved = new HashMap<>();
        boolean meetsCpu = false;
        long bytes = 0;
        for (int number : island) {
            CheckedNode node = placed.graph().nodes().get(number);
            Optional<PlacedNode> there = placer.onHost(node)
                    .filter(onHost -> onHost.isView()
                            || placer.work(onHost)
                                    .filter(CpuWork.MOVEMENT::equals)
                                    .isPresent());
            if (there.isEmpty()) {
                return Map.of();
            }
            moved.put(
                    number, there.get().because(List.of("it only moves elements that nodes on the CPU read or write")));
            bytes += Stream.concat(node.inputTypes().stream(), node.outputTypes().stream())
                    .filter(Objects::nonNull)
                    .mapToLong(TensorType::bytes)
                    .sum();
            meetsCpu |= node.node().inputs().stream().anyMatch(made::contains)
                    || node.node().outputs().stream().anyMatch(read::contains);
        }
        return meetsCpu && bytes <= FEW_BYTES ? moved : Map.of();
    }

    /** The outputs of the network and what nodes on the CPU read. */
    private static Set<String> wantedOnHost(PlacedGraph placed) {
        Set<String> wanted = new HashSet<>(placed.outputs());
        placed.nodes().stream()
                .filter(node -> node.target() != PlacedNode.Target.DEVICE)
                .forEach(node -> wanted.addAll(node.written().inputs()));
        return wanted;
    }

    /** The numbers of the nodes on the device, those together that values connect. */
    private static Collection<List<Integer>> islands(List<PlacedNode> nodes) {
        Map<String, Integer> producers = new HashMap<>();
        int[] links = new int[nodes.size()];
        for (int i = 0; i < links.length; i++) {
            links[i] = i;
            if (nodes.get(i).target() == PlacedNode.Target.DEVICE) {
                for (String input : nodes.get(i).written().inputs()) {
                    Integer producer = producers.get(input);
                    if (producer != null) {
                        links[first(links, i)] = first(links, producer);
                    }
                }
                for (String output : nodes.get(i).written().outputs()) {
                    producers.put(output, i);
                }
            }
        }
        Map<Integer, List<Integer>> islands = new TreeMap<>();
        for (int i = 0; i < links.length; i++) {
            if (nodes.get(i).target() == PlacedNode.Target.DEVICE) {
                islands.computeIfAbsent(first(links, i), any -> new ArrayList<>())
                        .add(i);
            }
        }
        return islands.values();
    }

    private static int first(int[] links, int node) {
        int at = node;
        while (links[at] != at) {
            links[at] = links[links[at]];
            at = links[at];
        }
        return at;
    }

    /** The nodes of an island on the CPU, where it goes there. */
    private Map<Integer, PlacedNode> onHost(List<Integer> island, PlacedGraph placed, Set<String> wanted) {
        Map<Integer, PlacedNode> moved = new HashMap<>();
        long hostNanos = 0;
        long deviceNanos = 0;
        int kernels = 0;
        Predicate<String> isConstant = placed.constants()::containsKey;
        for (int number : island) {
            PlacedNode node = placed.nodes().get(number);
            Optional<PlacedNode> there = placer.onHost(placed.graph().nodes().get(number));
            Optional<HostCosts.Estimate> estimate = node.isView()
                    ? Optional.of(NOTHING)
                    : there.flatMap(
                            onHost -> placer.work(onHost).flatMap(work -> host.of(work, onHost.node(), isConstant)));
            if (there.isEmpty() || estimate.isEmpty()) {
                return Map.of();
            }
            moved.put(number, there.get());
            hostNanos += estimate.get().host();
            deviceNanos += (long) (device.work() * estimate.get().kernels());
            kernels += node.launches().map(plan -> plan.run().size()).orElse(0);
        }
        deviceNanos += kernels == 0 ? 0 : device.start() + (kernels - 1) * device.kernel();
        deviceNanos += transfers(island, placed, wanted);
        if (hostNanos > hostShare * deviceNanos) {
            return Map.of();
        }
        String reason = String.format(
                Locale.ROOT,
                "sooner on the CPU: %s about %.0f us there, %.0f us on the device with its launches and transfers",
                island.size() == 1 ? "it takes" : "the " + island.size() + " nodes that belong together take",
                hostNanos / NANOS_PER_MICRO,
                deviceNanos / NANOS_PER_MICRO);
        moved.replaceAll((number, node) -> node.because(List.of(reason)));
        return moved;
    }

    private long transfers(List<Integer> island, PlacedGraph placed, Set<String> wanted) {
        Map<String, TensorType> crossing = new HashMap<>();
        Set<String> inside = new HashSet<>();
        for (int number : island) {
            CheckedNode node = placed.graph().nodes().get(number);
            for (int i = 0; i < node.node().inputs().size(); i++) {
                String input = node.node().inputs().get(i);
                TensorType type = node.inputTypes().get(i);
                if (type != null
                        && !inside.contains(input)
                        && !placed.constants().containsKey(input)) {
                    crossing.put(input, type);
                }
            }
            for (int i = 0; i < node.node().outputs().size(); i++) {
                String output = node.node().outputs().get(i);
                inside.add(output);
                if (wanted.contains(output)) {
                    crossing.put(output, node.outputTypes().get(i));
                }
            }
        }
        return crossing.values().stream()
                .mapToLong(type -> device.transfer(type.bytes()))
                .sum();
    }
}
