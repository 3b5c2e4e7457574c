package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.ParamDescription;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;

/** Compares nodes with the operator descriptions: names of operators and parameters, numbers of inputs. */
final class DeclaredOperators {

    private final Map<String, Declared> operators = new HashMap<>();

    /** What a description says: how many inputs must and may be given, and the parameters, those needed apart. */
    private record Declared(int least, int most, Set<String> params, List<Set<String>> needed) {}

    DeclaredOperators() {
        OpCatalog.builtIn().operators().forEach(op -> operators.put(op.optype(), declared(op)));
    }

    private static Declared declared(OpDescription op) {
        int least = 0;
        int most = 0;
        for (InputDescription input : op.inputs()) {
            least = input.optional() ? least : most + 1;
            most = input.variadic() ? Integer.MAX_VALUE : most + 1;
        }
        Set<String> params = new HashSet<>();
        List<Set<String>> needed = new ArrayList<>();
        for (ParamDescription param : op.params()) {
            params.add(param.name());
            if (param.byDefault().isEmpty() && param.fromInput().isEmpty()) {
                needed.add(Set.of(param.name()));
            }
        }
        return new Declared(least, most, params, needed);
    }

    void check(Graph graph) {
        for (Node node : graph.nodes()) {
            node.bodies().values().forEach(this::check);
            if (node.isControl() || node.opaque().isPresent()) {
                continue;
            }
            Declared declared = operators.get(node.op());
            if (declared == null) {
                throw new AssertionError("no operator " + node.op());
            }
            assertThat(node.inputs().size()).as("inputs of %s", node).isBetween(declared.least(), declared.most());
            assertThat(declared.params())
                    .as("parameters of %s", node)
                    .containsAll(node.params().keySet());
            declared.needed()
                    .forEach(param ->
                            assertThat(node.params().keySet()).as("of %s", node).containsAll(param));
        }
    }
}
