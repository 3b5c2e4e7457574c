package org.clinfer.judge;

import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.clinfer.check.CheckReport;
import org.clinfer.describe.OpCatalog;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.tensor.Tensor;

/** The totals of the reports of a network's nodes. */
final class ReportTotals {

    private final CheckedGraph checked;
    private final OpCatalog catalog;
    private final ValuesOnDevice values;
    private final List<CheckReport.NodeReport> nodes;
    private final Map<String, CheckReport.NodeReport> producers = new HashMap<>();

    /** @param nodes in execution order */
    ReportTotals(CheckedGraph checked, OpCatalog catalog, ValuesOnDevice values, List<CheckReport.NodeReport> nodes) {
        this.checked = checked;
        this.catalog = catalog;
        this.values = values;
        this.nodes = RunningNodes.of(nodes, checked);
        this.nodes.forEach(node -> node.outputs().forEach(output -> producers.put(output.name(), node)));
    }

    CheckReport.Summary summary(OptionalLong memory) {
        List<CheckReport.NodeReport> onDevice =
                nodes.stream().filter(CheckReport.NodeReport::isOnDevice).toList();
        return new CheckReport.Summary(
                onDevice.stream().filter(CheckReport.NodeReport::isCounted).count(),
                nodes.stream().filter(CheckReport.NodeReport::isCounted).count(),
                multiplyAdds(onDevice),
                multiplyAdds(nodes),
                partitions(),
                crossing(),
                weights(onDevice),
                new PeakMemory(checked, catalog, values, nodes).bytes(),
                memory);
    }

    /** Those of the nodes whose operators are known; empty as well where the only ones that are known take none. */
    private OptionalLong multiplyAdds(List<CheckReport.NodeReport> of) {
        boolean isKnown =
                nodes.stream().allMatch(node -> node.work().multiplyAdds().isPresent());
        OptionalLong all = counted(nodes);
        return all.isPresent() && all.getAsLong() == 0 && !isKnown ? OptionalLong.empty() : counted(of);
    }

    private OptionalLong counted(List<CheckReport.NodeReport> of) {
        Set<String> sound =
                checked.nodes().stream().map(node -> node.node().name()).collect(Collectors.toSet());
        return sum(of, node -> node.work().multiplyAdds().orElse(sound.contains(node.node()) ? -1 : 0));
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
     * The number of starts of the device when both sides take turns, each running all it can: a node comes in the first
     * turn of its side that is not before those of its inputs.
     */
    private int partitions() {
        IdentityHashMap<CheckReport.NodeReport, Integer> turns = new IdentityHashMap<>();
        Set<Integer> device = new TreeSet<>();
        for (CheckReport.NodeReport node : nodes) {
            int side = node.isOnDevice() ? 0 : 1;
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
        return sum(
                LinkCrossings.of(checked, nodes, values.endsCross()),
                crossed -> values.bytes(crossed.value()).orElse(-1));
    }

    private long weights(List<CheckReport.NodeReport> onDevice) {
        Set<String> names = new HashSet<>();
        onDevice.forEach(node -> node.inputs().forEach(input -> names.add(input.name())));
        long bytes = 0;
        for (String name : names) {
            Tensor constant = checked.constants().get(name);
            bytes += constant == null ? 0 : values.bytes(constant.type()).orElse(0);
        }
        return bytes;
    }
}
