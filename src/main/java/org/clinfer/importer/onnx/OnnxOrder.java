package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The order in which nodes are translated: each behind those whose values it reads, be it within its bodies. ONNX asks files for such an order,
 * but some tools write others, which ONNX Runtime takes.
 */
final class OnnxOrder {

    private final List<LocalFunctions.Placed> nodes;
    private final List<Set<Integer>> needed;

    private OnnxOrder(List<LocalFunctions.Placed> nodes, String file) {
        this.nodes = nodes;
        Map<String, Integer> makers = new HashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            for (String output : nodes.get(i).node().getOutputList()) {
                makers.put(output, i);
            }
        }
        this.needed = nodes.stream().map(node -> needed(node, makers, file)).toList();
    }

    private static Set<Integer> needed(LocalFunctions.Placed placed, Map<String, Integer> makers, String file) {
        Set<String> read = new HashSet<>(placed.node().getInputList());
        ControlFlowTranslation.addUsed(placed.node(), OnnxNode.sourceOf(placed.node(), placed.index(), file), read);
        Set<Integer> needed = new HashSet<>();
        for (String value : read) {
            Integer maker = value.isEmpty() ? null : makers.get(value);
            if (maker != null) {
                needed.add(maker);
            }
        }
        return needed;
    }

    /** The nodes, those in the order of the file that it does not forbid; as they are if they read each other in a circle. */
    static List<LocalFunctions.Placed> sorted(List<LocalFunctions.Placed> nodes, String file) {
        OnnxOrder order = new OnnxOrder(nodes, file);
        boolean isSorted = IntStream.range(0, nodes.size())
                .allMatch(i -> order.needed.get(i).stream().allMatch(maker -> maker < i));
        return isSorted ? nodes : order.sorted();
    }

    private List<LocalFunctions.Placed> sorted() {
        List<List<Integer>> readers = new ArrayList<>();
        nodes.forEach(node -> readers.add(new ArrayList<>()));
        int[] open = new int[nodes.size()];
        PriorityQueue<Integer> ready = new PriorityQueue<>();
        for (int i = 0; i < open.length; i++) {
            int reader = i;
            needed.get(i).forEach(maker -> readers.get(maker).add(reader));
            open[i] = needed.get(i).size();
            if (open[i] == 0) {
                ready.add(i);
            }
        }
        List<LocalFunctions.Placed> sorted = new ArrayList<>();
        while (!ready.isEmpty()) {
            int next = ready.remove();
            sorted.add(nodes.get(next));
            for (int reader : readers.get(next)) {
                if (--open[reader] == 0) {
                    ready.add(reader);
                }
            }
        }
        return sorted.size() == nodes.size() ? sorted : nodes;
    }
}
