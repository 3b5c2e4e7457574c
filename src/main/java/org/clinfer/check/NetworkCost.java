package org.clinfer.check;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The cost of one run of a network: of every node, of what crosses between device and host, and of all. Times are
 * estimates, by the formulas of the device's family.
 *
 * @param nodes the cost of each node, by its name; nodes that are part of others, and those that are computed beforehand,
 *     cost nothing of their own
 * @param crossings the values that cross between device and host, in the order in which they are needed; the network's own
 *     inputs and outputs are among them where the device has a memory of its own
 * @param total the time of all; empty where the device has no formulas or figures
 * @param noEstimate why there is no time for the device of a profile; empty where there is one, and for live devices
 */
public record NetworkCost(
        Map<String, NodeCost> nodes, List<Crossing> crossings, Optional<Total> total, Optional<String> noEstimate) {

    /** The cost of a network of which nothing is known. */
    public static final NetworkCost NONE = new NetworkCost(Map.of(), List.of(), Optional.empty());

    /** The part of a node's time that decides how long it is. */
    public enum Bound {
        /** The arithmetic. */
        COMPUTE("compute"),
        /** Reads from the memory that a unit of the device has of its own. */
        LOCAL_MEMORY("local memory"),
        /** The bytes that it moves. */
        MEMORY("memory"),
        /** Waiting for reads that follow one another. */
        LATENCY("latency"),
        /** The launches of kernels. */
        LAUNCHES("launches"),
        /** The time that a node takes however small it is. */
        OVERHEAD("overhead");

        private final String label;

        Bound(String label) {
            this.label = label;
        }

        /** {@return the word in reports} */
        public String label() {
            return label;
        }
    }

    /**
     * The cost of one run of a node.
     *
     * @param multiplyAdds multiplications with an addition; empty where sizes are not known
     * @param share the part of the network's multiply-adds, from 0 to 1; empty where some are not known, or there are none
     * @param readBytes bytes of what it takes without constants, in the types that it has on the device; empty where not
     *     known
     * @param writtenBytes bytes of what it gives; empty where not known
     * @param weightBytes bytes of its constants; empty where not known
     * @param device its time on the device; empty where it does not run there, or there are no figures
     * @param hostMillis milliseconds on the host; empty where it does not fall back, or there are no figures
     */
    public record NodeCost(
            OptionalLong multiplyAdds,
            OptionalDouble share,
            OptionalLong readBytes,
            OptionalLong writtenBytes,
            OptionalLong weightBytes,
            Optional<Estimate> device,
            OptionalDouble hostMillis) {}

    /**
     * The time of a node on the device, in milliseconds: the longest of arithmetic and memory, and the overhead. That of
     * several kernels is the sum of theirs, and may be longer than that of its parts.
     *
     * @param millis in all
     * @param bound the part that decides
     * @param computeMillis of arithmetic
     * @param memoryMillis of reading and writing memory
     * @param overheadMillis of starting it
     */
    public record Estimate(
            double millis, Bound bound, double computeMillis, double memoryMillis, double overheadMillis) {

        /** The time of a node that another one does along with its own work. */
        public static final Estimate NOTHING = of(0, 0, 0);

        /**
         * {@return the time of one kernel: the longer of arithmetic and memory, and the overhead}
         *
         * @param computeMillis of the arithmetic
         * @param memoryMillis of the bytes that it moves
         * @param overheadMillis beside them
         */
        public static Estimate of(double computeMillis, double memoryMillis, double overheadMillis) {
            double longest = Math.max(computeMillis, memoryMillis);
            Bound bound = overheadMillis > longest
                    ? Bound.OVERHEAD
                    : memoryMillis > computeMillis ? Bound.MEMORY : Bound.COMPUTE;
            return new Estimate(longest + overheadMillis, bound, computeMillis, memoryMillis, overheadMillis);
        }

        Estimate plus(Estimate other) {
            double compute = computeMillis + other.computeMillis;
            double memory = memoryMillis + other.memoryMillis;
            double overhead = overheadMillis + other.overheadMillis;
            return new Estimate(millis + other.millis, of(compute, memory, overhead).bound, compute, memory, overhead);
        }
    }

    /**
     * A value that crosses between device and host.
     *
     * @param value its name
     * @param isToDevice whether the host computes it and the device needs it
     * @param bytes its size on the device; empty where not known
     * @param millis milliseconds that it takes; empty where the link's speed is not known
     */
    public record Crossing(String value, boolean isToDevice, OptionalLong bytes, OptionalDouble millis) {}

    /**
     * The time of a run, in milliseconds. Each part is empty where something in it is not known.
     *
     * @param deviceMillis of the nodes on the device
     * @param hostMillis of the nodes that fall back; 0 where none does
     * @param crossingMillis of the crossings; 0 where there are none
     * @param startMillis of the starts of partitions
     * @param millis of all
     * @param notEstimated nodes without an estimate where they run
     * @param source the documents of the formulas
     * @param accuracy the error of the family's estimates against published figures; empty where there are none
     */
    public record Total(
            OptionalDouble deviceMillis,
            OptionalDouble hostMillis,
            OptionalDouble crossingMillis,
            OptionalDouble startMillis,
            OptionalDouble millis,
            long notEstimated,
            String source,
            Optional<String> accuracy) {

        private Total withNotEstimated(long nodes) {
            return new Total(deviceMillis, hostMillis, crossingMillis, startMillis, millis, nodes, source, accuracy);
        }
    }

    /**
     * A cost that says no more of its time than there is.
     *
     * @param nodes by name
     * @param crossings the values between device and host
     * @param total the time of all; empty where the device has no formulas or figures
     */
    public NetworkCost(Map<String, NodeCost> nodes, List<Crossing> crossings, Optional<Total> total) {
        this(nodes, crossings, total, Optional.empty());
    }

    public NetworkCost {
        nodes = Collections.unmodifiableMap(new LinkedHashMap<>(nodes));
        crossings = List.copyOf(crossings);
    }

    /**
     * {@return the cost of a node; empty for one that costs nothing of its own}
     *
     * @param node its name
     */
    public Optional<NodeCost> of(String node) {
        return Optional.ofNullable(nodes.get(node));
    }

    /**
     * {@return whether the time of a node is known where it runs}
     *
     * @param node the report on it
     */
    public boolean isEstimated(CheckReport.NodeReport node) {
        return of(node.node())
                .filter(cost -> node.isOnDevice()
                        ? cost.device().isPresent()
                        : cost.hostMillis().isPresent())
                .isPresent();
    }

    /**
     * The same with one cost for the parts of each composed node: their sums.
     *
     * @param reports the nodes with those in the place of their parts
     */
    NetworkCost ofWholes(Map<String, String> wholeOfPart, List<CheckReport.NodeReport> reports) {
        Map<String, NodeCost> merged = new LinkedHashMap<>();
        nodes.forEach((name, cost) -> {
            String whole = wholeOfPart.getOrDefault(name, name);
            merged.merge(requireNonNull(whole), cost, NetworkCost::sum);
        });
        NetworkCost whole = new NetworkCost(merged, crossings, total, noEstimate);
        long open = reports.stream()
                .filter(node -> node.isCounted() && !whole.isEstimated(node))
                .count();
        return new NetworkCost(merged, crossings, total.map(of -> of.withNotEstimated(open)), noEstimate);
    }

    private static NodeCost sum(NodeCost one, NodeCost other) {
        return new NodeCost(
                sum(one.multiplyAdds, other.multiplyAdds),
                sum(one.share, other.share),
                sum(one.readBytes, other.readBytes),
                sum(one.writtenBytes, other.writtenBytes),
                sum(one.weightBytes, other.weightBytes),
                one.device.flatMap(estimate -> other.device.map(estimate::plus)),
                sum(one.hostMillis, other.hostMillis));
    }

    private static OptionalLong sum(OptionalLong one, OptionalLong other) {
        return one.isPresent() && other.isPresent()
                ? OptionalLong.of(one.getAsLong() + other.getAsLong())
                : OptionalLong.empty();
    }

    private static OptionalDouble sum(OptionalDouble one, OptionalDouble other) {
        return one.isPresent() && other.isPresent()
                ? OptionalDouble.of(one.getAsDouble() + other.getAsDouble())
                : OptionalDouble.empty();
    }
}
