package org.clinfer.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** The parts of a network that a device does not run. */
class FailingPiecesTest {

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

    private static List<Graph> pieces(Set<String> onDevice) {
        CheckedGraph checked = Checker.check(
                new CheckRequest(graph(), Map.of("x", TYPE), Map.of(), new HashMap<>()),
                OpCatalog.builtIn(),
                ConstantEvaluator.NONE);
        CheckReport report = NodeReports.of(
                checked,
                OpCatalog.builtIn(),
                "device",
                "",
                OptionalLong.empty(),
                node -> new NodeReports.Placed(
                        onDevice.contains(node.node().name()) ? Verdict.ON_DEVICE : Verdict.FALLS_BACK, "", List.of()));
        return FailingPieces.of(report, checked);
    }

    private static List<String> names(Graph graph) {
        return graph.nodes().stream().map(Node::name).toList();
    }

    @Test
    void nodesThatHandValuesToEachOtherAreOnePiece() {
        List<Graph> pieces = pieces(Set.of("c", "e"));
        assertThat(pieces).extracting(FailingPiecesTest::names).containsExactly(List.of("a", "b"), List.of("d"));
        Graph first = pieces.get(0);
        assertThat(first.inputs()).containsExactly(new Graph.Input("x", TYPE));
        assertThat(first.outputs()).containsExactly("vb");
        assertThat(first.constants()).containsOnlyKeys("k");
        assertThat(pieces.get(1).outputs()).containsExactly("vd");
    }

    @Test
    void aPieceThatIsLeftAndEnteredAgainHasTheValueAsInput() {
        List<Graph> pieces = pieces(Set.of("b", "d"));
        assertThat(pieces).extracting(FailingPiecesTest::names).containsExactly(List.of("a"), List.of("c", "e"));
        assertThat(pieces.get(1).inputs()).extracting(Graph.Input::name).containsExactly("vb", "vd");
        assertThat(pieces.get(1).outputs()).containsExactly("ve");
    }

    @Test
    void aWholeNetworkIsOnePieceAndNoneIsNone() {
        assertThat(pieces(Set.of()))
                .extracting(FailingPiecesTest::names)
                .containsExactly(List.of("a", "b", "c", "d", "e"));
        assertThat(pieces(Set.of("a", "b", "c", "d", "e"))).isEmpty();
    }
}
