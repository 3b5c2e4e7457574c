package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** What is wrong with the nodes of a network is said of all of them at once. */
class NodeFailuresTest {

    private static final Map<String, TensorType> OWN_TYPES = Map.of();

    private static GraphBuilder builder() {
        return TestGraphs.builder().input("x", TensorType.of(DType.FLOAT32, 2, 3));
    }

    private static void plan(Graph graph) {
        EngineOptions options = EngineOptions.defaults().withThreads(1).withDevice(new DeviceChoice.Cpu());
        try (Engine engine = Engine.open(options);
                Model model = engine.load(graph);
                Session session = model.session()) {
            session.placement(OWN_TYPES);
        }
    }

    @Test
    void allAreTold() {
        Graph graph = builder()
                .node("Concat", List.of("x", "x"), List.of("a"), Map.of("axis", Attribute.of(5)))
                .node("Flatten", List.of("x"), List.of("b"), Map.of("axis", Attribute.of(7)))
                .output("a")
                .output("b")
                .build();
        assertThatThrownBy(() -> plan(graph))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageMatching("(?s).*axis.*5.*; also .*axis.*7.*");
    }

    @Test
    void theFirstSaysOfWhatKind() {
        Graph graph = builder()
                .node("NoSuch", List.of("x"), List.of("a"), Map.of())
                .node("Concat", List.of("x", "x"), List.of("b"), Map.of("axis", Attribute.of(5)))
                .output("a")
                .output("b")
                .build();
        assertThatThrownBy(() -> plan(graph))
                .isInstanceOfSatisfying(
                        UnsupportedException.class,
                        failure -> assertThat(failure.feature()).isEqualTo("operator NoSuch"))
                .hasMessageContaining("there is no operator 'NoSuch'; also ")
                .hasMessageContaining("axis");
    }

    @Test
    void manyAreCounted() {
        GraphBuilder builder = builder();
        for (int i = 0; i < 14; i++) {
            builder.node("NoSuch", List.of("x"), List.of("y" + i), Map.of()).output("y" + i);
        }
        assertThatThrownBy(() -> plan(builder.build())).hasMessageEndingWith("; and 3 more");
    }
}
