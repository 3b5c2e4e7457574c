package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.Placement.Target;
import org.clinfer.conformance.Agreement;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Where nobody chose the device, small islands go to the CPU, with the same results. */
@RequiresOpenCl
class PlacementByCostTest {

    private static final EngineOptions FOUND = EngineOptions.defaults();
    private static final EngineOptions CHOSEN = FOUND.withDevice(new DeviceChoice.FirstOpenCl());

    private static final long LARGE = 256;

    /** Operators for which no kernel is used here. */
    private static final String ON_THE_HOST = "CumSum";

    private static GraphBuilder sum(GraphBuilder builder, String input, String output) {
        return builder.node(ON_THE_HOST, List.of(input), List.of(output), Map.of("axis", Attribute.of(1)));
    }

    /** A rectifier before and after operators of the host. */
    private static Graph rectifierBetweenSums() {
        GraphBuilder builder = sum(TestGraphs.builder().input("x", DType.FLOAT32, 4, 8), "x", "a");
        TestGraphs.node(builder, "Relu", "a", "b");
        return sum(builder, "b", "y").output("y").build();
    }

    private static Session session(Engine engine, Graph graph) {
        Session session = engine.load(graph).session();
        engine.tools()
                .kernels()
                .variants(ON_THE_HOST)
                .forEach(variant -> session.avoid(variant.optype(), "the test wants the CPU"));
        return session;
    }

    private static List<Placement.Entry> placed(EngineOptions options, Graph graph, Map<String, Tensor> inputs) {
        try (Engine engine = Engine.open(options);
                Session session = session(engine, graph)) {
            session.run(inputs).close();
            return session.placement().nodes();
        }
    }

    private static List<Target> targets(EngineOptions options, Graph graph, Map<String, Tensor> inputs) {
        return placed(options, graph, inputs).stream()
                .map(Placement.Entry::target)
                .toList();
    }

    @Test
    void aFewElementsStayOnTheHost() {
        Graph graph = TestGraphs.rectifier(5);
        Map<String, Tensor> inputs = Map.of("x", TestGraphs.numbers(1, 2, 5));
        List<Placement.Entry> nodes = placed(FOUND, graph, inputs);
        assertThat(nodes).extracting(Placement.Entry::target).containsOnly(Target.CPU);
        assertThat(nodes.get(0).reasons())
                .singleElement()
                .asString()
                .matches("sooner on the CPU: the 3 nodes that belong together take about [1-9] us there,"
                        + " [1-9][0-9] us on the device with its launches and transfers");
        assertThat(targets(CHOSEN, graph, inputs)).containsOnly(Target.DEVICE);
        assertThat(targets(FOUND.withByCost(false), graph, inputs)).containsOnly(Target.DEVICE);
    }

    @Test
    void muchWorkStaysOnTheDevice() {
        Graph graph = TestGraphs.node(large(), "MatMul", "x,w", "y").output("y").build();
        assertThat(targets(FOUND, graph, Map.of("x", TestGraphs.numbers(2, LARGE, LARGE))))
                .containsOnly(Target.DEVICE);
    }

    private static GraphBuilder large() {
        return TestGraphs.builder()
                .input("x", DType.FLOAT32, LARGE, LARGE)
                .constant("w", TestGraphs.numbers(1, LARGE, LARGE));
    }

    @Test
    void anIslandAmongOperatorsOfTheHostGoesThere() {
        Graph graph = rectifierBetweenSums();
        Map<String, Tensor> inputs = Map.of("x", TestGraphs.numbers(3, 4, 8));
        assertThat(targets(CHOSEN, graph, inputs)).containsExactly(Target.CPU, Target.DEVICE, Target.CPU);
        assertThat(targets(FOUND, graph, inputs)).containsOnly(Target.CPU);
    }

    @Test
    void oneIslandGoesAndAnotherStays() {
        GraphBuilder builder = TestGraphs.node(large(), "MatMul", "x,w", "a");
        sum(builder, "a", "b");
        TestGraphs.node(builder, "Neg", "b", "y");
        assertThat(targets(FOUND, builder.output("y").build(), Map.of("x", TestGraphs.numbers(4, LARGE, LARGE))))
                .containsExactly(Target.DEVICE, Target.CPU, Target.CPU);
    }

    @Test
    void whatNobodyKnowsTheCostOfStays() {
        Graph graph = TestGraphs.node(TestGraphs.builder().input("x", DType.FLOAT32, 2, 2), "Asin", "x", "y")
                .output("y")
                .build();
        try (Engine engine = Engine.open(FOUND);
                Session session = engine.load(graph).session()) {
            session.run(Map.of("x", TestGraphs.numbers(4, 2, 2))).close();
            assertThat(session.placement().nodes())
                    .extracting(Placement.Entry::target)
                    .containsExactly(Target.DEVICE);
        }
    }

    @Test
    void aProfileDecidesByItself() {
        EngineOptions profiled = FOUND.withProfile(ProfileCatalog.builtIn().find("generic"), Reading.DOCUMENT);
        assertThat(targets(profiled, TestGraphs.rectifier(5), Map.of("x", TestGraphs.numbers(1, 2, 5))))
                .contains(Target.DEVICE);
    }

    @Test
    void resultsAreThoseOfTheDevice() {
        Graph graph = rectifierBetweenSums();
        Map<String, Tensor> inputs = Map.of("x", TestGraphs.numbers(5, 4, 8));
        try (Engine found = Engine.open(FOUND);
                Engine chosen = Engine.open(CHOSEN);
                Session ours = session(found, graph);
                Session theirs = session(chosen, graph)) {
            Map<String, Tensor> expected = theirs.run(inputs).outputs();
            ours.run(inputs)
                    .outputs()
                    .forEach((name, tensor) -> assertThat(
                                    Agreement.difference("Relu", tensor, Objects.requireNonNull(expected.get(name))))
                            .isEmpty());
        }
    }
}
