package org.clinfer.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** What becomes of operators that were put together in Java. */
class OpsTest {

    private final Ops ops = Ops.graph("test");
    private final Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 1, 1, 4, 4));

    private static Node node(Graph graph, String name) {
        return graph.nodes().stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aNodeHasWhatWasGivenAndNothingElse() {
        try (Tensor weights = Tensor.allocate(DType.FLOAT32, 1, 1, 3, 3)) {
            Edge y = ops.conv2d(x, ops.constant("w", weights))
                    .strides(2, 2)
                    .padMode(PadMode.SAME)
                    .named("conv1")
                    .y();
            ops.output("scores", ops.relu(y).named("relu1"));

            Graph graph = ops.build();

            Node conv = node(graph, "conv1");
            assertThat(conv.op()).isEqualTo("Conv2d");
            assertThat(conv.inputs()).containsExactly("x", "w");
            assertThat(conv.outputs()).containsExactly("conv1");
            assertThat(conv.params())
                    .isEqualTo(Map.of("strides", Attribute.ofInts(2, 2), "pad_mode", Attribute.of("SAME")));
            assertThat(conv.source()).hasToString("graph 'test': node 0 'conv1' (Conv2d)");
            assertThat(node(graph, "relu1").outputs()).containsExactly("scores");
            assertThat(graph.outputs()).containsExactly("scores");
            assertThat(graph.constants()).containsOnlyKeys("w");
        }
    }

    @Test
    void nodesWithoutANameAreNumbered() {
        ops.relu(x).named("relu_1");
        ops.output("y", ops.relu(ops.relu(x)));

        assertThat(ops.build().nodes()).extracting(Node::name).containsExactly("relu_2", "relu_3");
    }

    @Test
    void valuesAreToldApartFromInputsOfTheSameName() {
        ops.output("y", ops.abs(ops.relu(x).named("x")));

        assertThat(node(ops.build(), "x").outputs()).containsExactly("x#1");
    }

    @Test
    void aSecondNameForAValueIsACopy() {
        Edge y = ops.relu(x);
        ops.output("first", y).output("second", y).output("x", x).output("third", x);

        Graph graph = ops.build();

        assertThat(graph.outputs()).containsExactly("first", "second", "x", "third");
        assertThat(graph.nodes()).extracting(Node::op).containsExactlyInAnyOrder("Relu", "Identity", "Identity");
    }

    @Test
    void anInputThatSuppliesAParameterTakesItsPlace() {
        Edge shape = ops.input("shape", TensorType.of(DType.INT64, 2));
        ops.output("a", ops.reshape(x, 4, 4).named("given").y());
        ops.output("b", ops.reshape(x, shape).named("supplied").y());
        ops.output(
                "c", ops.reshape(x, 4, 4).shapeTensor(shape).named("replaced").y());
        ops.output("d", ops.clip(x).minTensor(shape).min(0).max(6).named("clip").y());

        Graph graph = ops.build();

        assertThat(node(graph, "given").params()).containsOnlyKeys("shape");
        assertThat(node(graph, "given").inputs()).containsExactly("x");
        assertThat(node(graph, "supplied").params()).isEmpty();
        assertThat(node(graph, "supplied").inputs()).containsExactly("x", "shape");
        assertThat(node(graph, "replaced").params()).isEmpty();
        assertThat(node(graph, "replaced").inputs()).containsExactly("x", "shape");
        assertThat(node(graph, "clip").inputs()).containsExactly("x");
    }

    @Test
    void anOptionalInputThatIsLeftOutLeavesItsPlaceEmpty() {
        Edge scalar = ops.input("scalar", TensorType.of(DType.FLOAT32));
        ops.output("y", ops.clip(x).maxTensor(scalar).named("clip").y());

        assertThat(node(ops.build(), "clip").inputs()).containsExactly("x", "", "scalar");
    }

    @Test
    void variableNumbersOfInputsAndOutputs() {
        List<Edge> parts = ops.split(x).axis(2).numOutputs(2).named("cut").y(2);
        ops.output("y", ops.concat(parts).axis(2).named("join").y());

        Graph graph = ops.build();

        assertThat(node(graph, "cut").outputs()).containsExactly("cut:0", "cut:1");
        assertThat(node(graph, "join").inputs()).containsExactly("cut:0", "cut:1");
    }

    @Test
    void mistakesAreRefusedAtOnce() {
        Edge y = ops.relu(x).named("relu");
        ReshapeOp reshape = ops.reshape(x, 16);
        reshape.y();
        Edge foreign = Ops.graph("other").input("z", TensorType.of(DType.FLOAT32, 1));

        assertThatThrownBy(() -> ops.input("x", TensorType.of(DType.INT8))).hasMessageContaining("'x' already");
        assertThatThrownBy(() -> ops.output("x", y)).hasMessageContaining("'x' already");
        assertThatThrownBy(() -> ops.abs(x).named("relu")).hasMessageContaining("'relu' already");
        assertThatThrownBy(() -> x.named("n")).hasMessageContaining("'x' is no output of a node");
        assertThatThrownBy(() -> ops.relu(foreign)).hasMessageContaining("'z' belongs to another graph");
        assertThatThrownBy(() -> reshape.allowZero(true)).hasMessageContaining("allow_zero comes too late");
        assertThatThrownBy(() -> ops.split(x).y(0)).hasMessageContaining("0 outputs");
        SplitOp split = ops.split(x).axis(2).numOutputs(2);
        split.y(2);
        assertThatThrownBy(() -> split.y(3)).hasMessageContaining("has 2 outputs already, not 3");
    }

    @Test
    void valuesHaveTheTypesOfTheDescriptions() {
        Edge halves = ops.maxPool(x).kernelSize(2, 2).strides(2, 2).y();
        List<Edge> parts = ops.split(halves).axis(3).numOutputs(2).y(2);
        Edge batch = ops.input("batch", new TensorType(DType.FLOAT32, new Shape(List.of(Dim.named("n"), Dim.of(3)))));
        Edge sizes = ops.input("sizes", TensorType.of(DType.INT64, 2));
        Edge open = ops.input("open", new TensorType(DType.INT64, new Shape(List.of(Dim.named("rank")))));

        assertThat(halves.type()).contains(TensorType.of(DType.FLOAT32, 1, 1, 2, 2));
        assertThat(parts).extracting(Edge::type).containsOnly(Optional.of(TensorType.of(DType.FLOAT32, 1, 1, 2, 1)));
        assertThat(ops.relu(batch).type()).isEqualTo(batch.type());
        assertThat(ops.relu(ops.reshape(x, open).y()).type()).isEmpty();
        assertThat(ops.reshape(x, sizes).y().type().orElseThrow().shape()).hasToString("?x?");
    }

    @Test
    void anInputMayBeResizable() {
        TensorType type = TensorType.of(DType.FLOAT32, 2);
        ops.output("y", ops.add(ops.resizableInput("a", type), ops.input("b", type)));

        assertThat(ops.build().inputs())
                .filteredOn(Graph.Input::resizable)
                .extracting(Graph.Input::name)
                .containsExactly("a");
    }

    @Test
    void elementsThatFollowFromTypesDecideTypes() {
        Edge rows = ops.input("rows", TensorType.of(DType.FLOAT32, 2, 8));

        Edge y = ops.reshape(x, ops.shape(rows).y()).y();

        assertThat(y.type()).isEqualTo(rows.type());
    }

    @Test
    void anOutputThatIsAskedForLaterHasATypeToo() {
        Edge steps = ops.input("steps", TensorType.of(DType.FLOAT32, 2, 1, 3));
        Edge weights = ops.input("weights", TensorType.of(DType.FLOAT32, 20, 3));
        Edge recurrence = ops.input("recurrence", TensorType.of(DType.FLOAT32, 20, 5));
        LstmOp lstm = ops.lstm(steps, weights, recurrence);
        Edge y = lstm.y();
        Edge last = lstm.lastH();

        assertThat(y.type()).contains(TensorType.of(DType.FLOAT32, 2, 1, 5));
        assertThat(last.type()).contains(TensorType.of(DType.FLOAT32, 1, 5));
    }

    @Test
    void whatAnOperatorDoesNotTakeIsRefusedAtOnce() {
        Edge whole = ops.input("whole", TensorType.of(DType.INT32, 4));
        ConcatOp concat = ops.concat(x, x).axis(4);

        assertThatThrownBy(() -> ops.matMul(x, whole))
                .isInstanceOf(GraphException.class)
                .hasMessageStartingWith("graph 'test': node 0 (MatMul): ");
        assertThatThrownBy(concat::y).isInstanceOf(GraphException.class).hasMessageContaining("axis: expected < 4");
        ops.output("y", concat.axis(3).y());
        assertThat(ops.build().nodes()).extracting(Node::op).containsExactly("Concat");
    }

    @Test
    void anOperatorByItsName() {
        Edge scalar = ops.input("limit", TensorType.of(DType.FLOAT32));
        ops.output(
                "a",
                ops.op("Clip", x)
                        .with("min", Attribute.of(1.0))
                        .with(2, scalar)
                        .named("clip")
                        .y());
        List<Edge> parts = ops.op("Split", x)
                .with("num_outputs", Attribute.of(2))
                .with("axis", Attribute.of(2))
                .y(2);
        ops.output("b", parts.get(1));

        assertThat(parts.get(1).type()).contains(TensorType.of(DType.FLOAT32, 1, 1, 2, 4));
        Graph graph = ops.build();
        assertThat(node(graph, "clip").inputs()).containsExactly("x", "", "limit");
        assertThat(node(graph, "clip").params()).isEqualTo(Map.of("min", Attribute.of(1.0)));
    }

    @Test
    void anOperatorThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> ops.op("Foreign", x).y())
                .hasMessage("graph 'test': node 0 (Foreign): there is no operator 'Foreign'");
        assertThatThrownBy(
                        () -> ops.op("Relu", x).with("foreign", Attribute.of(1)).y())
                .hasMessageContaining("foreign");
    }

    @Test
    void aGraphIsBuiltOnceAndHasAnOutput() {
        assertThatThrownBy(() -> Ops.graph("empty").build()).isInstanceOf(GraphException.class);
        ops.output("y", ops.relu(x));
        ops.build();

        assertThatThrownBy(() -> ops.relu(x)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(ops::build).isInstanceOf(IllegalStateException.class);
    }
}
