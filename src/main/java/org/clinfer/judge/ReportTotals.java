package org.clinfer.judge;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.clinfer.check.CheckReport;
import org.clinfer.describe.OpCatalog;
import org.clinfer.infer.CheckedGraph;
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

    /**
     * The nodes that run, each with what it and its parts read of others, and what others read of them. Constants of parts
     * are in those of the node.
     */
    private static List<CheckReport.NodeReport> standing(List<CheckReport.NodeReport> all, CheckedGraph checked) {
        Map<String, List<CheckReport.NodeReport>> groups = new LinkedHashMap<>();
        Map<String, String> makers = new HashMap<>();
        for (CheckReport.NodeReport node : all) {
            if (!node.isConstant()) {
                groups.computeIfAbsent(running(node), name -> new ArrayList<>()).add(node);
                node.outputs().forEach(output -> makers.put(output.name(), running(node)));
            }
        }
        Set<String> read = new HashSet<>(checked.graph().outputs());
        groups.forEach((name, group) -> group.stream()
                .flatMap(node -> node.inputs().stream())
                .map(CheckReport.Value::name)
                .filter(input -> !name.equals(makers.get(input)))
                .forEach(read::add));
        return all.stream()
                .filter(node -> !node.isConstant() && !node.isPart())
                .map(node -> merged(node, requireNonNull(groups.get(node.node())), makers, read, checked))
                .toList();
    }

    /** The name of the node that it is, or is part of. */
    private static String running(CheckReport.NodeReport node) {
        return node.isPart() ? node.converted().orElseThrow().into() : node.node();
    }

    private static CheckReport.NodeReport merged(
            CheckReport.NodeReport node,
            List<CheckReport.NodeReport> group,
            Map<String, String> makers,
            Set<String> read,
            CheckedGraph checked) {
        if (group.size() == 1) {
            return node;
        }
        List<CheckReport.Value> inputs = group.stream()
                .flatMap(of -> of.inputs().stream()
                        .filter(input -> of.node().equals(node.node())
                                || !checked.constants().containsKey(input.name())))
                .filter(input -> !node.node().equals(makers.get(input.name())))
                .distinct()
                .toList();
        List<CheckReport.Value> outputs = group.stream()
                .flatMap(of -> of.outputs().stream())
                .filter(output -> read.contains(output.name()))
                .toList();
        return new CheckReport.NodeReport(
                node.node(),
                node.op(),
                node.source(),
                node.verdict(),
                node.variant(),
                node.findings(),
                inputs,
                outputs.isEmpty() ? node.outputs() : outputs,
                node.work(),
                node.converted());
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
        Set<CheckReport.Value> crossing = new HashSet<>();
        for (CheckReport.NodeReport node : nodes) {
            for (CheckReport.Value input : node.inputs()) {
                CheckReport.NodeReport producer = producers.get(input.name());
                if (producer != null && producer.isOnDevice() != node.isOnDevice()) {
                    crossing.add(input);
                }
            }
        }
        return sum(crossing, NodeBytes::of);
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
