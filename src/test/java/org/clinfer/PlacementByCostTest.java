package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.Placement.Target;
import org.clinfer.conformance.Agreement;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Where nobody chose the device, small islands go to the CPU, with the same results. */
@RequiresOpenCl
class PlacementByCostTest {

    private static final EngineOptions FOUND = EngineOptions.defaults();
    private static final EngineOptions CHOSEN = FOUND.withDevice(new DeviceChoice.FirstOpenCl());

    private static final long LARGE = 256;

    /** Operators for which no kernel is used here. */
    private static final String ON_THE_HOST = "CumSum";

    private static Edge sums(Ops ops, Edge x) {
        return ops.cumSum(x, 1).y();
    }

    /** A rectifier before and after operators of the host. */
    private static Graph rectifierBetweenSums() {
        Ops ops = Ops.graph("net");
        Edge first = sums(ops, ops.input("x", TensorType.of(DType.FLOAT32, 4, 8)));
        return ops.output("y", sums(ops, ops.relu(first))).build();
    }

    private static Session session(Engine engine, Graph graph) {
        Session session = engine.load(graph).session();
        engine.context()
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

    /** The device has a Neg to compute; it would only pass on what the other nodes make and read. */
    @Test
    void whatOnlyMovesAFewElementsOfTheCpuIsThereAlthoughTheDeviceIsChosen() {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 4, 8));
        Edge before = sums(ops, ops.transpose(x).perm(1, 0).y());
        Edge after = ops.concat(before, before).axis(1).y();
        Graph graph = ops.output("y", after).output("z", ops.neg(x)).build();
        List<Placement.Entry> nodes = placed(CHOSEN, graph, Map.of("x", TestGraphs.numbers(3, 4, 8)));
        assertThat(nodes)
                .extracting(Placement.Entry::target)
                .containsExactly(Target.CPU, Target.CPU, Target.CPU, Target.DEVICE);
        assertThat(nodes.get(2).reasons()).contains("it only moves elements that nodes on the CPU read or write");
    }

    @Test
    void movedElementsOfTheDeviceStayThere() {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 4, 8));
        Edge moved = ops.transpose(ops.neg(x)).perm(1, 0).y();
        Graph graph = ops.output("y", sums(ops, moved)).build();
        assertThat(targets(CHOSEN, graph, Map.of("x", TestGraphs.numbers(3, 4, 8))))
                .containsExactly(Target.DEVICE, Target.DEVICE, Target.CPU);
    }

    @Test
    void muchWorkStaysOnTheDevice() {
        Ops ops = Ops.graph("net");
        Graph graph = ops.output("y", large(ops)).build();
        assertThat(targets(FOUND, graph, Map.of("x", TestGraphs.numbers(2, LARGE, LARGE))))
                .containsOnly(Target.DEVICE);
    }

    private static Edge large(Ops ops) {
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, LARGE, LARGE));
        return ops.matMul(x, ops.constant("w", TestGraphs.numbers(1, LARGE, LARGE)));
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
        Ops ops = Ops.graph("net");
        Graph graph = ops.output("y", ops.neg(sums(ops, large(ops)))).build();
        assertThat(targets(FOUND, graph, Map.of("x", TestGraphs.numbers(4, LARGE, LARGE))))
                .containsExactly(Target.DEVICE, Target.CPU, Target.CPU);
    }

    @Test
    void whatNobodyKnowsTheCostOfStays() {
        Ops ops = Ops.graph("net");
        Graph graph = ops.output("y", ops.asin(ops.input("x", TensorType.of(DType.FLOAT32, 2, 2))))
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
