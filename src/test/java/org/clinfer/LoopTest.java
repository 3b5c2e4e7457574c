package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.ControlFlow;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Loops that a program builds itself. */
class LoopTest {

    /** A value of the body is the next state and an element of the list. */
    @Test
    void aBodyMayGiveOneValueTwice() {
        Graph once = TestGraphs.builder()
                .input("i", TensorType.of(DType.INT64))
                .input("go", TensorType.of(DType.BOOL))
                .input("s", DType.FLOAT32, 2)
                .node("Identity", List.of("go"), List.of("on"), Map.of())
                .node("Add", List.of("s", "s"), List.of("twice"), Map.of())
                .output("on")
                .output("twice")
                .build();
        Graph body = new Graph(
                "body", once.inputs(), List.of("on", "twice", "twice"), once.nodes(), once.constants(), once.source());
        Graph graph = TestGraphs.builder()
                .input("x", DType.FLOAT32, 2)
                .input("times", TensorType.of(DType.INT64))
                .node(loop(List.of("times", "", "x"), List.of("last", "all"), body))
                .output("last")
                .output("all")
                .build();
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Session session = engine.load(graph).session();
                Result result =
                        session.run(Map.of("x", Tensor.of(new float[] {1, 3}, 2), "times", Tensor.scalar(3L)))) {
            assertThat(result.get("last").toFloatArray()).containsExactly(8, 24);
            assertThat(result.get("all").toFloatArray()).containsExactly(2, 6, 4, 12, 8, 24);
        }
    }

    /** The type of what no iteration lists is known, although data would decide what runs in each. */
    @Test
    void aLoopOfNoIterationMayHoldAnotherOne() {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Session session = engine.load(nested()).session()) {
            Tensor x = Tensor.of(new float[] {1, 3}, 2);
            try (Result result = session.run(Map.of("x", x, "times", Tensor.scalar(0L)))) {
                assertThat(result.get("last").toFloatArray()).containsExactly(1, 3);
                assertThat(result.get("all").type()).isEqualTo(TensorType.of(DType.FLOAT32, 0, 2));
            }
            try (Result result = session.run(Map.of("x", x, "times", Tensor.scalar(2L)))) {
                assertThat(result.get("last").toFloatArray()).containsExactly(16, 48);
                assertThat(result.get("all").toFloatArray()).containsExactly(4, 12, 16, 48);
            }
        }
    }

    /** {@code times} iterations, in each of which x is doubled as often as times says. */
    private static Graph nested() {
        Graph inner = TestGraphs.builder()
                .input("j", TensorType.of(DType.INT64))
                .input("inner_go", TensorType.of(DType.BOOL))
                .input("t", DType.FLOAT32, 2)
                .node("Identity", List.of("inner_go"), List.of("inner_on"), Map.of())
                .node("Add", List.of("t", "t"), List.of("twice"), Map.of())
                .output("inner_on")
                .output("twice")
                .build();
        Graph outer = TestGraphs.builder()
                .input("i", TensorType.of(DType.INT64))
                .input("go", TensorType.of(DType.BOOL))
                .input("s", DType.FLOAT32, 2)
                .input("times", TensorType.of(DType.INT64))
                .node("Identity", List.of("go"), List.of("on"), Map.of())
                .node(loop(List.of("times", "", "s"), List.of("more"), inner))
                .output("on")
                .output("more")
                .build();
        Graph body = new Graph(
                "body",
                outer.inputs(),
                List.of("on", "more", "more"),
                outer.nodes(),
                outer.constants(),
                outer.source());
        return TestGraphs.builder()
                .input("x", DType.FLOAT32, 2)
                .input("times", TensorType.of(DType.INT64))
                .node(loop(List.of("times", "", "x"), List.of("last", "all"), body))
                .output("last")
                .output("all")
                .build();
    }

    private static Node loop(List<String> inputs, List<String> outputs, Graph body) {
        return new Node(
                "loop of " + inputs.get(2),
                ControlFlow.LOOP,
                inputs,
                outputs,
                Map.of(ControlFlow.STATES, Attribute.of(1)),
                Map.of(ControlFlow.BODY, body),
                new SourceRef("net", ""));
    }
}
