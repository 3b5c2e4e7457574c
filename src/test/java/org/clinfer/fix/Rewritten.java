package org.clinfer.fix;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.graph.Graph;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.runtime.NetworkChecker;
import org.clinfer.tensor.TensorType;
import org.clinfer.tensor.Tolerance;

/**
 * A network after one replacement, and the difference of its results.
 *
 * @param rewrite the class of the rewrite
 * @param step what was done
 */
record Rewritten(String rewrite, String step, Graph graph, ResultDifference difference) {

    /** All that the rewrites make of one node of a network. */
    static List<Rewritten> all(Graph graph, String node) {
        NetworkChecker checker = NetworkChecker.builtIn();
        Map<String, TensorType> types = new LinkedHashMap<>();
        graph.inputs().forEach(input -> types.put(input.name(), input.type()));
        CheckedGraph checked = checker.checked(graph, types);
        Region region = new Region(checked);
        CheckedNode at = region.node(node).orElseThrow();
        List<Rewritten> all = new ArrayList<>();
        try (MadeTensors made = new MadeTensors();
                Engine cpu = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()))) {
            Equality equality = new Equality(cpu);
            for (Rewrite rewrite : RewriteTable.ALL) {
                for (Replacement replacement : rewrite.of(new Site(region, at, checker.operators(), made))) {
                    Graph other = replacement.within(region);
                    all.add(new Rewritten(
                            rewrite.getClass().getSimpleName(),
                            replacement.step(),
                            other,
                            equality.of(graph, other, Tolerance.DEFAULT)));
                }
            }
        }
        return all;
    }
}
