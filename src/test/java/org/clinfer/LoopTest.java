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
                .node(new Node(
                        "loop",
                        ControlFlow.LOOP,
                        List.of("times", "", "x"),
                        List.of("last", "all"),
                        Map.of(ControlFlow.STATES, Attribute.of(1)),
                        Map.of(ControlFlow.BODY, body),
                        new SourceRef("net", "")))
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
}
