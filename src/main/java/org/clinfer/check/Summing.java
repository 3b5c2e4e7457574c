package org.clinfer.check;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.clinfer.describe.OpCatalog;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Adds up the reports of a network's nodes. */
final class Summing {

    private final CheckedGraph checked;
    private final OpCatalog catalog;
    private final List<CheckReport.NodeReport> nodes;
    private final Map<String, CheckReport.NodeReport> producers = new HashMap<>();

    /** @param nodes in execution order */
    Summing(CheckedGraph checked, OpCatalog catalog, List<CheckReport.NodeReport> nodes) {
        this.checked = checked;
        this.catalog = catalog;
        this.nodes = nodes.stream().filter(node -> !isComputedBefore(node)).toList();
        this.nodes.forEach(node -> node.outputs().forEach(output -> producers.put(output.name(), node)));
    }

    private static boolean isComputedBefore(CheckReport.NodeReport node) {
        return node.variant().equals(NodeReports.CONSTANT);
    }

    private static boolean isOnDevice(CheckReport.NodeReport node) {
        return node.verdict() == Verdict.ON_DEVICE;
    }

    CheckReport.Summary summary(OptionalLong memory) {
        List<CheckReport.NodeReport> onDevice =
                nodes.stream().filter(Summing::isOnDevice).toList();
        return new CheckReport.Summary(
                onDevice.size(),
                nodes.size(),
                multiplyAdds(onDevice),
                multiplyAdds(nodes),
                partitions(),
                crossing(),
                weights(onDevice),
                peak(),
                memory);
    }

    private static OptionalLong multiplyAdds(List<CheckReport.NodeReport> of) {
        return sum(of, node -> node.work().multiplyAdds().orElse(-1));
    }

    /** Empty where one is negative, which stands for unknown, or the sum is beyond 64 bits. */
    private static <T> OptionalLong sum(Iterable<T> items, ToLongFunction<T> amount) {
        long sum = 0;
        for (T item : items) {
            long each = amount.applyAsLong(item);
            if (each < 0 || sum + each < 0) {
                return OptionalLong.empty();
            }
            sum += each;
        }
        return OptionalLong.of(sum);
    }

    /**
     * How often the device is started when both sides take turns, each running all it can: a node comes in the first turn
     * of its side that is not before those of its inputs.
     */
    private int partitions() {
        Map<CheckReport.NodeReport, Integer> turns = new HashMap<>();
        Set<Integer> device = new TreeSet<>();
        for (CheckReport.NodeReport node : nodes) {
            int side = isOnDevice(node) ? 0 : 1;
            int turn = side;
            for (CheckReport.Value input : node.inputs()) {
                CheckReport.NodeReport producer = producers.get(input.name());
                int before = producer == null ? 0 : turns.getOrDefault(producer, 0);
                turn = Math.max(turn, before % 2 == side ? before : before + 1);
            }
            turns.put(node, turn);
            if (side == 0) {
                device.add(turn);
            }
        }
        return device.size();
    }

    private OptionalLong crossing() {
        Set<CheckReport.Value> crossing = new HashSet<>();
        for (CheckReport.NodeReport node : nodes) {
            for (CheckReport.Value input : node.inputs()) {
                CheckReport.NodeReport producer = producers.get(input.name());
                if (producer != null && isOnDevice(producer) != isOnDevice(node)) {
                    crossing.add(input);
                }
            }
        }
        return sum(crossing, Summing::bytes);
    }

    private long weights(List<CheckReport.NodeReport> onDevice) {
        Set<String> names = new HashSet<>();
        onDevice.forEach(node -> node.inputs().forEach(input -> names.add(input.name())));
        long bytes = 0;
        for (String name : names) {
            Tensor constant = checked.constants().get(name);
            bytes += constant == null ? 0 : constant.type().bytes();
        }
        return bytes;
    }

    /** A piece of memory, from its first to its last use. */
    private static final class Memory {
        private final long bytes;
        private final int first;
        private int last;
        private boolean onDevice;

        Memory(long bytes, int first) {
            this.bytes = bytes;
            this.first = first;
            this.last = first;
        }
    }

    /** Values that are the memory of another are counted with that one. */
    private OptionalLong peak() {
        Map<String, String> owners = new HashMap<>();
        Map<String, Memory> memories = new HashMap<>();
        checked.inputTypes().forEach((name, type) -> memories.put(name, new Memory(bytes(type), 0)));
        for (int step = 0; step < nodes.size(); step++) {
            CheckReport.NodeReport node = nodes.get(step);
            owner(node).ifPresent(owner -> owners.put(node.outputs().get(0).name(), owners.getOrDefault(owner, owner)));
            for (CheckReport.Value value : node.inputs()) {
                use(value, node, step, owners, memories);
            }
            for (CheckReport.Value value : node.outputs()) {
                use(value, node, step, owners, memories);
            }
        }
        for (String output : checked.graph().outputs()) {
            Memory memory = memories.get(owners.getOrDefault(output, output));
            if (memory != null) {
                memory.last = nodes.size();
            }
        }
        return most(memories.values().stream().filter(memory -> memory.onDevice).toList());
    }

    private void use(
            CheckReport.Value value,
            CheckReport.NodeReport node,
            int step,
            Map<String, String> owners,
            Map<String, Memory> memories) {
        String owner = owners.getOrDefault(value.name(), value.name());
        if (!checked.constants().containsKey(owner)) {
            Memory memory = memories.computeIfAbsent(owner, name -> new Memory(bytes(value), step));
            memory.last = step;
            memory.onDevice |= isOnDevice(node);
        }
    }

    private OptionalLong most(List<Memory> memories) {
        long[] change = new long[nodes.size() + 2];
        for (Memory memory : memories) {
            if (memory.bytes < 0) {
                return OptionalLong.empty();
            }
            change[memory.first] += memory.bytes;
            change[memory.last + 1] -= memory.bytes;
        }
        long alive = 0;
        long most = 0;
        for (long each : change) {
            alive += each;
            most = Math.max(most, alive);
        }
        return OptionalLong.of(most);
    }

    /** The input whose memory the first output is. */
    private Optional<String> owner(CheckReport.NodeReport node) {
        OptionalInt viewed =
                catalog.find(node.op()).map(op -> op.viewedInput(0)).orElse(OptionalInt.empty());
        return viewed.isPresent() && viewed.getAsInt() < node.inputs().size()
                ? Optional.of(node.inputs().get(viewed.getAsInt()).name())
                : Optional.empty();
    }

    /** Negative where it is not known. */
    private static long bytes(CheckReport.Value value) {
        return value.type().map(Summing::bytes).orElse(-1L);
    }

    private static long bytes(TensorType type) {
        return type.shape().isKnown() ? type.bytes() : -1;
    }
}
