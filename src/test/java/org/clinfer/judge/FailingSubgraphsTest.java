package org.clinfer.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Verdict;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.infer.CheckRequest;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.Checker;
import org.clinfer.infer.ConstantEvaluator;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** The parts of a network that a device does not run. */
class FailingSubgraphsTest {

    private static final TensorType TYPE = TensorType.of(DType.FLOAT32, 2, 3);

    /** a, b and c in a row; d beside them; a and b join in e. */
    private static Graph graph() {
        return new GraphBuilder("net", new SourceRef("net", ""))
                .input("x", TYPE)
                .constant("k", Tensor.of(new float[] {1, 2, 3}, 3))
                .node(node("a", "Relu", List.of("x"), "va"))
                .node(node("b", "Add", List.of("va", "k"), "vb"))
                .node(node("c", "Exp", List.of("vb"), "vc"))
                .node(node("d", "Abs", List.of("x"), "vd"))
                .node(node("e", "Mul", List.of("vc", "vd"), "ve"))
                .output("ve")
                .build();
    }

    private static Node node(String name, String op, List<String> inputs, String output) {
        return new Node(name, op, inputs, List.of(output), Map.of(), new SourceRef("net", name));
    }

    private static List<Graph> subgraphs(Set<String> onDevice) {
        CheckedGraph checked = Checker.check(
                new CheckRequest(graph(), Map.of("x", TYPE)), OpCatalog.builtIn(), ConstantEvaluator.NONE);
        CheckReport report = NodeReports.of(
                checked,
                OpCatalog.builtIn(),
                "device",
                "",
                OptionalLong.empty(),
                ValuesOnDevice.AS_WRITTEN,
                Optional.empty(),
                node -> new NodeReports.Placed(
                        onDevice.contains(node.node().name()) ? Verdict.ON_DEVICE : Verdict.FALLS_BACK, "", List.of()));
        return FailingSubgraphs.of(report, checked);
    }

    private static List<String> names(Graph graph) {
        return graph.nodes().stream().map(Node::name).toList();
    }

    @Test
    void nodesThatHandValuesToEachOtherAreOneSubgraph() {
        List<Graph> subgraphs = subgraphs(Set.of("c", "e"));
        assertThat(subgraphs).extracting(FailingSubgraphsTest::names).containsExactly(List.of("a", "b"), List.of("d"));
        Graph first = subgraphs.get(0);
        assertThat(first.inputs()).containsExactly(new Graph.Input("x", TYPE));
        assertThat(first.outputs()).containsExactly("vb");
        assertThat(first.constants()).containsOnlyKeys("k");
        assertThat(subgraphs.get(1).outputs()).containsExactly("vd");
    }

    @Test
    void aPieceThatIsLeftAndEnteredAgainHasTheValueAsInput() {
        List<Graph> subgraphs = subgraphs(Set.of("b", "d"));
        assertThat(subgraphs).extracting(FailingSubgraphsTest::names).containsExactly(List.of("a"), List.of("c", "e"));
        assertThat(subgraphs.get(1).inputs()).extracting(Graph.Input::name).containsExactly("vb", "vd");
        assertThat(subgraphs.get(1).outputs()).containsExactly("ve");
    }

    @Test
    void aWholeNetworkIsOnePieceAndNoneIsNone() {
        assertThat(subgraphs(Set.of()))
                .extracting(FailingSubgraphsTest::names)
                .containsExactly(List.of("a", "b", "c", "d", "e"));
        assertThat(subgraphs(Set.of("a", "b", "c", "d", "e"))).isEmpty();
    }
}
