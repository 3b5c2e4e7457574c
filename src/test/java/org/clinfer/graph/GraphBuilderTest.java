package org.clinfer.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Order, pruning and names of built graphs. */
class GraphBuilderTest {

    private static final SourceRef FILE = new SourceRef("net.onnx", "");

    private static GraphBuilder builder() {
        return new GraphBuilder("net", FILE).input("x", DType.FLOAT32, 4);
    }

    private static Node node(String name, List<String> inputs, String... outputs) {
        SourceRef source = new SourceRef("net.onnx", "node '" + name + "' (Op)");
        return new Node(name, "Op", inputs, List.of(outputs), Map.of(), source);
    }

    private static List<String> names(Graph graph) {
        return graph.nodes().stream().map(Node::name).toList();
    }

    @Test
    void ordersNodesAndDropsWhatNoOutputNeeds() {
        Graph graph = builder()
                .node(node("last", List.of("b", "a"), "y"))
                .node(node("unused", List.of("x"), "z"))
                .node(node("second", List.of("a"), "b"))
                .node(node("first", List.of("x", "", "w"), "a"))
                .constant("w", Tensor.scalar(1f))
                .constant("unneeded", Tensor.scalar(2f))
                .output("y")
                .build();
        assertThat(names(graph)).containsExactly("first", "second", "last");
        assertThat(graph.constants().keySet()).containsExactly("w");
        assertThat(graph.outputs()).containsExactly("y");
        assertThat(graph.inputs()).extracting(Graph.Input::name).containsExactly("x");
        assertThat(graph.name()).isEqualTo("net");
    }

    @Test
    void keepsAConstantThatIsAnOutput() {
        Graph graph = builder().constant("w", Tensor.scalar(1f)).output("w").build();
        assertThat(graph.constants().keySet()).containsExactly("w");
        assertThat(graph.nodes()).isEmpty();
    }

    @Test
    void namesAnOutputOnce() {
        assertThat(builder().output("x").output("x").build().outputs()).containsExactly("x");
    }

    @Test
    void ordersRandomGraphs() {
        Random random = new Random(7);
        for (int round = 0; round < 50; round++) {
            GraphBuilder builder = builder();
            List<Node> nodes = new ArrayList<>();
            List<String> values = new ArrayList<>(List.of("x"));
            for (int i = 0; i < 40; i++) {
                List<String> inputs = new ArrayList<>();
                for (int k = random.nextInt(3); k >= 0; k--) {
                    inputs.add(values.get(random.nextInt(values.size())));
                }
                nodes.add(node("n" + i, inputs, "v" + i));
                values.add("v" + i);
            }
            Collections.shuffle(nodes, random);
            nodes.forEach(builder::node);
            Graph graph = builder.output("v39").output("v" + random.nextInt(39)).build();
            Set<String> known = new HashSet<>(List.of("x"));
            for (Node node : graph.nodes()) {
                assertThat(known).containsAll(node.inputs());
                known.addAll(node.outputs());
            }
            assertThat(known).containsAll(graph.outputs());
        }
    }

    @Test
    void refusesCycles() {
        GraphBuilder cycle = builder()
                .node(node("a", List.of("x", "v2"), "v1"))
                .node(node("b", List.of("v1"), "v2"))
                .output("v2");
        assertThatThrownBy(cycle::build)
                .isInstanceOf(GraphException.class)
                .hasMessageStartingWith("net.onnx: node '")
                .hasMessageContaining("the graph has a cycle through value 'v");
        GraphBuilder self = builder().node(node("self", List.of("v"), "v")).output("v");
        assertThatThrownBy(self::build)
                .hasMessage("net.onnx: node 'self' (Op): the graph has a cycle through value 'v'");
    }

    @Test
    void refusesAValueThatIsProducedTwice() {
        GraphBuilder twice = builder()
                .node(node("a", List.of("x"), "y"))
                .node(node("b", List.of("x"), "y"))
                .output("y");
        assertThatThrownBy(twice::build)
                .isInstanceOf(GraphException.class)
                .hasMessage("net.onnx: node 'b' (Op): value 'y' is produced twice");
    }

    @Test
    void severalNodesMayLeaveOutputsUnused() {
        Graph graph = builder()
                .node(node("a", List.of("x"), "v", ""))
                .node(node("b", List.of("v"), "y", ""))
                .output("y")
                .build();
        assertThat(names(graph)).containsExactly("a", "b");
    }

    @Test
    void refusesValuesThatNobodyProduces() {
        GraphBuilder missing =
                builder().node(node("a", List.of("nowhere"), "y")).output("y");
        assertThatThrownBy(missing::build)
                .isInstanceOf(GraphException.class)
                .hasMessage("net.onnx: node 'a' (Op): input 'nowhere' is never produced");
    }

    @Test
    void renamesNodesOfTheSameName() {
        Graph graph = builder()
                .node(node("conv", List.of("x"), "a"))
                .node(node("conv_2", List.of("a"), "b"))
                .node(node("conv", List.of("b"), "c"))
                .node(node("conv", List.of("c"), "y"))
                .output("y")
                .build();
        assertThat(names(graph)).containsExactly("conv", "conv_2", "conv_3", "conv_4");
        assertThat(graph.nodes().get(2).source().element()).isEqualTo("node 'conv' (Op)");
    }

    @Test
    void namesNodesMadeInJava() {
        Graph graph = builder()
                .node("Relu", List.of("x"), List.of("a"), Map.of())
                .node("Add", List.of("a", "x"), List.of("y"), Map.of())
                .output("y")
                .build();
        assertThat(names(graph)).containsExactly("relu_0", "add_1");
        assertThat(graph.nodes().get(1).source()).hasToString("net.onnx: node 1 'add_1' (Add)");
    }

    @Test
    void makesFreshNames() {
        GraphBuilder builder = builder();
        assertThat(builder.freshName("t")).isNotEqualTo(builder.freshName("t"));
    }

    @Test
    void takesAVeryDeepChain() {
        int depth = 100_000;
        GraphBuilder builder = builder();
        for (int i = depth; i > 0; i--) {
            builder.node(node("n" + i, List.of(i == 1 ? "x" : "v" + (i - 1)), "v" + i));
        }
        Graph graph = builder.output("v" + depth).build();
        assertThat(graph.nodes()).hasSize(depth);
        assertThat(graph.nodes().get(0).name()).isEqualTo("n1");
    }

    @Test
    void isImmutable() {
        Map<String, Tensor> constants = new HashMap<>(Map.of("w", Tensor.scalar(1f)));
        Graph graph = new Graph("net", List.of(), List.of("w"), List.of(), constants, FILE);
        constants.clear();
        assertThat(graph.constants()).containsKey("w");
        assertThatThrownBy(() -> graph.constants().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> graph.nodes().add(node("a", List.of(), "b")))
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
