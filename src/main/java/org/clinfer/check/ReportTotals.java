package org.clinfer.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.clinfer.describe.OpCatalog;
import org.clinfer.tensor.Tensor;

/** The totals of the reports of a network's nodes. */
final class ReportTotals {

    private final CheckedGraph checked;
    private final OpCatalog catalog;
    private final List<CheckReport.NodeReport> nodes;
    private final Map<String, CheckReport.NodeReport> producers = new HashMap<>();

    /** @param nodes in execution order */
    ReportTotals(CheckedGraph checked, OpCatalog catalog, List<CheckReport.NodeReport> nodes) {
        this.checked = checked;
        this.catalog = catalog;
        this.nodes = standing(nodes, checked);
        this.nodes.forEach(node -> node.outputs().forEach(output -> producers.put(output.name(), node)));
    }

    /** The nodes that run, each with what is left to read of its own values and of those of its parts. */
    private static List<CheckReport.NodeReport> standing(List<CheckReport.NodeReport> all, CheckedGraph checked) {
        Map<String, List<CheckReport.Value>> values = new HashMap<>();
        Set<String> read = new HashSet<>(checked.graph().outputs());
        List<CheckReport.NodeReport> run = new ArrayList<>();
        for (CheckReport.NodeReport node : all) {
            if (isComputedBefore(node)) {
                continue;
            }
            String of = node.isPart() ? node.converted().orElseThrow().into() : node.node();
            values.computeIfAbsent(of, name -> new ArrayList<>()).addAll(node.outputs());
            if (!node.isPart()) {
                run.add(node);
                node.inputs().forEach(input -> read.add(input.name()));
            }
        }
        return run.stream()
                .map(node -> {
                    List<CheckReport.Value> given = values.getOrDefault(node.node(), List.of());
                    List<CheckReport.Value> left = given.stream()
                            .filter(value -> read.contains(value.name()))
                            .toList();
                    return given.size() == node.outputs().size() || left.isEmpty() ? node : node.withOutputs(left);
                })
                .toList();
    }

    private static boolean isComputedBefore(CheckReport.NodeReport node) {
        return node.variant().equals(NodeReports.CONSTANT);
    }

    CheckReport.Summary summary(OptionalLong memory) {
        List<CheckReport.NodeReport> onDevice =
                nodes.stream().filter(CheckReport.NodeReport::isOnDevice).toList();
        return new CheckReport.Summary(
                onDevice.size(),
                nodes.size(),
                multiplyAdds(onDevice),
                multiplyAdds(nodes),
                partitions(),
                crossing(),
                weights(onDevice),
                new PeakMemory(checked, catalog, nodes).bytes(),
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
     * The number of starts of the device when both sides take turns, each running all it can: a node comes in the first
     * turn of its side that is not before those of its inputs.
     */
    private int partitions() {
        Map<CheckReport.NodeReport, Integer> turns = new HashMap<>();
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
        Set<CheckReport.Value> crossing = new HashSet<>();
        for (CheckReport.NodeReport node : nodes) {
            for (CheckReport.Value input : node.inputs()) {
                CheckReport.NodeReport producer = producers.get(input.name());
                if (producer != null && producer.isOnDevice() != node.isOnDevice()) {
                    crossing.add(input);
                }
            }
        }
        return sum(crossing, CheckReport.Value::bytes);
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
}
