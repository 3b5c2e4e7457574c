package org.clinfer.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Graphs put together by hand, each with one defect. */
class GraphVerifierTest {

    private static final SourceRef FILE = new SourceRef("net.onnx", "");
    private static final TensorType TYPE = TensorType.of(DType.FLOAT32, 2);

    private static Node node(String name, List<String> inputs, String... outputs) {
        return new Node(name, "Op", inputs, List.of(outputs), Map.of(), new SourceRef("net.onnx", "node " + name));
    }

    private static Graph graph(List<String> inputs, List<String> outputs, Node... nodes) {
        List<Graph.Input> typed =
                inputs.stream().map(name -> new Graph.Input(name, TYPE)).toList();
        return new Graph("net", typed, outputs, List.of(nodes), Map.of("w", Tensor.scalar(1f)), FILE);
    }

    private static void refuses(Graph graph, String message) {
        assertThatThrownBy(() -> GraphVerifier.verify(graph))
                .isInstanceOf(GraphException.class)
                .hasMessage(message);
    }

    @Test
    void acceptsSoundGraphs() {
        assertThatCode(() -> GraphVerifier.verify(graph(
                        List.of("x"),
                        List.of("y", "x", "w"),
                        node("a", List.of("x", "", "w"), "v", ""),
                        node("b", List.of("v"), "y", ""))))
                .doesNotThrowAnyException();
    }

    @Test
    void refusesAWrongOrder() {
        refuses(
                graph(List.of("x"), List.of("y"), node("b", List.of("v"), "y"), node("a", List.of("x"), "v")),
                "net.onnx: node b: input 'v' is never produced");
    }

    @Test
    void refusesTwoDefinitions() {
        refuses(graph(List.of("x", "x"), List.of("x")), "net.onnx: value 'x' is defined twice");
        refuses(graph(List.of("w"), List.of("w")), "net.onnx: value 'w' is defined twice");
        refuses(
                graph(List.of("x"), List.of("x"), node("a", List.of("x"), "x")),
                "net.onnx: node a: value 'x' is defined twice");
        refuses(
                graph(List.of("x"), List.of("w"), node("a", List.of("x"), "w")),
                "net.onnx: node a: value 'w' is defined twice");
        refuses(
                graph(List.of("x"), List.of("v"), node("a", List.of("x"), "v", "v")),
                "net.onnx: node a: value 'v' is defined twice");
    }

    @Test
    void refusesTwoNodesOfOneName() {
        refuses(
                graph(List.of("x"), List.of("v"), node("a", List.of("x"), "v"), node("a", List.of("x"), "u")),
                "net.onnx: node a: node name 'a' is used twice");
    }

    @Test
    void refusesOutputsThatNobodyProduces() {
        refuses(graph(List.of("x"), List.of("y")), "net.onnx: output 'y' is never produced");
        refuses(graph(List.of("x"), List.of()), "net.onnx: the graph has no outputs");
    }

    @Test
    void showsWhereAGraphComesFrom() {
        assertThat(new SourceRef("net.onnx", "")).hasToString("net.onnx");
        assertThat(new SourceRef("net.onnx", "node 3")).hasToString("net.onnx: node 3");
        assertThat(new UnsupportedException(FILE, "operator Loop", "there is no Loop").feature())
                .isEqualTo("operator Loop");
    }
}
