package org.clinfer.fix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Verdict;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.Node;
import org.clinfer.graph.Opaque;
import org.clinfer.graph.SourceRef;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Which nodes of a network are changed, and which stay. */
class FixerTest extends FixTests {

    @Test
    void weightsThatAreComputedFromConstantsAreKnown() {
        Graph graph = graph(
                (ops, x) -> {
                    Edge scaled =
                            ops.mul(ops.constant("w", random(1, 4, 4, 3, 3)), ops.constant("s", random(2, 4, 1, 1, 1)));
                    return ops.conv2d(x, scaled)
                            .dilation(3, 3)
                            .padding(3, 3, 3, 3)
                            .y();
                },
                1,
                4,
                16,
                16);
        assertThat(steps(graph, "dla-orin"))
                .containsExactly(List.of("zeros between the weights instead of a dilation"));
    }

    @Test
    void whatNobodyCanFixIsLeft() {
        Graph graph =
                graph((ops, x) -> ops.cumSum(conv(ops, x, 4, 3, 1, 3, 3), 1).y(), 1, 4, 16, 16);
        try (NetworkFix fix = fix(graph, "dla-orin")) {
            assertThat(fix.applied()).hasSize(1);
            assertThat(check(fix.network(), "dla-orin").nodes())
                    .filteredOn(node -> node.verdict() != Verdict.ON_DEVICE)
                    .singleElement()
                    .satisfies(node -> assertThat(node.op()).isEqualTo("CumSum"));
        }
    }

    @Test
    void aNetworkThatRunsStaysAsItIs() {
        Graph graph = graph((ops, x) -> ops.relu(conv(ops, x, 4, 3, 1, 1, 1)), 1, 4, 16, 16);
        try (NetworkFix fix = fix(graph, "dla-orin")) {
            assertThat(fix.applied()).isEmpty();
            assertThat(fix.difference()).isEmpty();
            assertThat(fix.network().nodes()).isEqualTo(graph.nodes());
        }
    }

    /** The list of this family does not say that it is complete. */
    @Test
    void nodesOfWhichNothingIsKnownStay() {
        Graph graph = graph((ops, x) -> ops.relu(x), 1, 4, 16, 16);
        assertThat(check(graph, "rk3588").nodes())
                .anyMatch(node -> node.op().equals("Relu") && node.verdict() == Verdict.UNKNOWN);
        try (NetworkFix fix = fix(graph, "rk3588")) {
            assertThat(fix.applied()).isEmpty();
        }
    }

    @Test
    void nodesOfUnknownSizesStay() {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 1, 4, 16, 16));
        Graph known = ops.output("y", conv(ops, x, 4, 3, 1, 3, 3)).build();
        Graph open = new Graph(
                known.name(),
                List.of(new Graph.Input(
                        "x",
                        new TensorType(
                                DType.FLOAT32, new Shape(List.of(Dim.of(1), Dim.of(4), Dim.unknown(), Dim.of(16)))))),
                known.outputs(),
                known.nodes(),
                known.constants(),
                known.source());
        try (NetworkFix fix = fix(open, "dla-orin")) {
            assertThat(fix.applied()).isEmpty();
        }
        Map<String, TensorType> given = Map.of("x", TensorType.of(DType.FLOAT32, 1, 4, 16, 16));
        try (NetworkFix fix = new Fixer(checker, cpu).fix(open, given, profile("dla-orin"), Reading.DOCUMENT)) {
            assertThat(fix.applied()).hasSize(1);
            assertThat(fix.network().inputs().get(0).type().shape().isKnown()).isTrue();
        }
    }

    @Test
    void opaqueNodesStayAndTheRestIsChanged() {
        TensorType type = TensorType.of(DType.FLOAT32, 1, 4, 16, 16);
        SourceRef source = new SourceRef("test", "node 0");
        Opaque opaque = new Opaque(Opaque.Cause.UNSUPPORTED, "there is no Secret", List.of(Optional.of(type)));
        Graph graph = new GraphBuilder("net", new SourceRef("test", ""))
                .input("x", type)
                .node(Node.opaque("secret", "Secret", List.of("x"), List.of("s"), opaque, source))
                .constant("w", random(1, 4, 4, 1, 1))
                .node(
                        "conv",
                        "Conv2d",
                        List.of("s", "w"),
                        List.of("y"),
                        Map.of("padding", Attribute.ofInts(1, 1, 1, 1)))
                .output("y")
                .build();
        try (NetworkFix fix = fix(graph, "dla-orin")) {
            assertThat(fix.applied())
                    .singleElement()
                    .satisfies(applied -> assertThat(applied.nodes()).containsExactly("'conv' (Conv2d)"));
            assertThat(fix.network().nodes()).extracting(Node::op).containsExactly("Secret", "Conv2d");
            assertThat(fix.difference()).isEmpty();
        }
    }

    @Test
    void aPartOfAComposedOperatorIsChangedAlone() {
        Graph graph = graph((ops, x) -> ops.meanVarianceNorm(x, 2, 3).y(), 1, 4, 8, 8);
        CheckReport before = check(graph, "am62a");
        try (NetworkFix fix = fix(graph, "am62a")) {
            CheckReport after = check(fix.network(), "am62a");
            assertThat(fix.dropped()).isEmpty();
            assertThat(after.nodes())
                    .filteredOn(node -> node.verdict() != Verdict.ON_DEVICE)
                    .extracting(CheckReport.NodeReport::op)
                    .containsExactly("Sqrt", "Div");
            assertThat(after.summary().nodesOnDevice())
                    .isGreaterThan(before.summary().nodesOnDevice());
            assertThat(fix.difference().orElseThrow().fault()).isEmpty();
        }
    }

    @Test
    void aRewriteWhoseResultsDifferIsNotMade() {
        Rewrite wrong = site -> site.isOp("Swish")
                ? site.by("wrongly as Sigmoid", draft -> draft.ops().sigmoid(draft.x()))
                : List.of();
        DeviceCheck device = new DeviceCheck(checker, profile("dla-orin"), Reading.DOCUMENT);
        Graph graph = graph((ops, x) -> ops.swish(x).y(), 1, 4, 8, 8);
        FixSearch search = new FixSearch(device, new Equality(cpu), List.of(wrong));
        try (MadeTensors made = new MadeTensors()) {
            assertThat(search.of(graph, false, made)).isEmpty();
        }
        assertThat(search.dropped()).singleElement().satisfies(dropped -> {
            assertThat(dropped.steps()).containsExactly("wrongly as Sigmoid");
            assertThat(dropped.reason()).startsWith("the results differ: 'y': ");
        });
    }

    @Test
    void equalUsesAreChangedAlike() {
        Graph graph = graph(
                (ops, x) -> {
                    Edge one = ops.conv2d(x, ops.constant("a", random(1, 4, 4, 1, 1)))
                            .padding(1, 1, 1, 1)
                            .y();
                    Edge other = ops.conv2d(ops.relu(x), ops.constant("b", random(2, 4, 4, 1, 1)))
                            .padding(1, 1, 1, 1)
                            .y();
                    return ops.add(one, other);
                },
                1,
                4,
                8,
                8);
        assertThat(steps(graph, "dla-orin")).hasSize(2).containsOnly(List.of("zeros around the kernel, 3 x 3"));
    }
}
