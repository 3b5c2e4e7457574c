package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.importer.Params;

/** The lists that the iterations of a body that is written out give beside its states: one for each such output. */
final class IterationLists {

    private final List<List<String>> lists = new ArrayList<>();

    IterationLists(int count) {
        for (int i = 0; i < count; i++) {
            lists.add(new ArrayList<>());
        }
    }

    /** Adds what a iteration gave. */
    void note(List<String> made) {
        for (int i = 0; i < lists.size(); i++) {
            lists.get(i).add(made.get(i));
        }
    }

    /** The values that all iterations gave. */
    List<String> get(int list) {
        return lists.get(list);
    }

    /**
     * The values that all iterations gave, at least one of them.
     *
     * @throws org.clinfer.graph.UnsupportedException if there was no iteration
     */
    List<String> require(int list, OnnxNode node) {
        if (lists.get(list).isEmpty()) {
            throw node.unsupportedUse("no iteration, and a list of what its iterations give");
        }
        return lists.get(list);
    }

    /** Outputs of the node from one on list what each iteration gave, along an axis of their own. */
    void join(OnnxNode node, OnnxGraphWriter graph, int first, long[] axes, boolean[] backwards) {
        Steps steps = new Steps(node, graph);
        for (int i = 0; i < lists.size(); i++) {
            if (!graph.isOutputUsed(node, first + i)) {
                continue;
            }
            List<String> parts = new ArrayList<>();
            for (String part : require(i, node)) {
                parts.add(backwards[i] ? 0 : parts.size(), steps.unsqueezed(part, axes[i]));
            }
            String output = node.outputs().get(first + i);
            Params params = new Params().put("axis", axes[i]);
            graph.addStep(node, node.name(), "Concat", parts, List.of(output), params);
        }
    }
}
