package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.graph.Attribute.ofInts;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.ints;
import static org.clinfer.importer.onnx.TestModel.real;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OnnxElementTranslatorsTest {

    @TempDir
    private Path folder;

    private static TestModel model(long opset) {
        return TestModel.opset(opset).input("x", 1, 4, 9, 7).output("y");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Relu",
                "Sigmoid",
                "Tanh",
                "HardSwish",
                "Softplus",
                "Softsign",
                "Exp",
                "Log",
                "Sqrt",
                "Abs",
                "Neg",
                "Reciprocal",
                "Floor",
                "Ceil",
                "Round",
                "Sign",
                "Erf",
                "Sin",
                "Cos",
                "Not",
                "Identity"
            })
    void plainOperators(String op) {
        Node old = model(1).node(op, "x", "y", ints("consumed_inputs", 0)).readNode(folder);
        Node recent = model(22).node(op, "x", "y").readNode(folder);

        for (Node node : List.of(old, recent)) {
            assertThat(node.op()).isEqualTo(op);
            assertThat(node.inputs()).containsExactly("x");
            assertThat(node.params()).isEmpty();
        }
    }

    @Test
    void defaultsOfParametersAreThoseOfTheFormat() {
        assertThat(model(16).node("LeakyRelu", "x", "y").readNode(folder).params())
                .isEqualTo(Map.of("alpha", Attribute.of((double) 0.01f)));
        assertThat(model(6).node("Elu", "x", "y", real("alpha", 2))
                        .readNode(folder)
                        .params())
                .isEqualTo(Map.of("alpha", Attribute.of(2.0)));
        assertThat(model(6).node("HardSigmoid", "x", "y").readNode(folder).params())
                .isEqualTo(Map.of("alpha", Attribute.of((double) 0.2f)));
        assertThat(model(1).node("Selu", "x", "y").readNode(folder).params())
                .isEqualTo(Map.of("alpha", Attribute.of((double) 1.6732f), "gamma", Attribute.of((double) 1.0507f)));
        assertThat(model(6).node("Selu", "x", "y").readNode(folder).params()).isEmpty();
    }

    @Test
    void clipByAttributesAndByInputs() {
        Node first = model(1).node("Clip", "x", "y", real("max", 6)).readNode(folder);
        Node attributes = model(6).node("Clip", "x", "y", real("min", 0)).readNode(folder);
        Node inputs = model(11).reals("top", 6).node("Clip", "x,,top", "y").readNode(folder);

        assertThat(first.params()).isEqualTo(Map.of("max", Attribute.of(6.0)));
        assertThat(attributes.params())
                .isEqualTo(Map.of("min", Attribute.of(0.0), "max", Attribute.of((double) Float.MAX_VALUE)));
        assertThat(inputs.inputs()).containsExactly("x", "", "top");
        assertThat(inputs.params()).isEmpty();
    }

    @Test
    void clipByInputsWithAttributesOfTheOldFormIsRefused() {
        assertThatThrownBy(
                        () -> model(11).node("Clip", "x", "y", real("min", 0)).read(folder))
                .isInstanceOfSatisfying(
                        UnsupportedException.class,
                        refused -> assertThat(refused.feature()).isEqualTo("operator Clip with attribute 'min'"));
    }

    @Test
    void preluSlopeIsPerChannelBeforeOpset7() {
        List<Node> old = model(6).floats("slope", 4)
                .node("PRelu", "x,slope", "y")
                .read(folder)
                .nodes();
        Node shared = model(6).floats("slope", 1).node("PRelu", "x,slope", "y").readNode(folder);
        Node recent =
                model(9).floats("slope", 4, 1, 1).node("PRelu", "x,slope", "y").readNode(folder);

        assertThat(old).extracting(Node::op).containsExactly("Unsqueeze", "PRelu");
        assertThat(old.get(0).params()).isEqualTo(Map.of("axis", ofInts(1, 2)));
        assertThat(old.get(1).inputs())
                .containsExactly("x", old.get(0).outputs().get(0));
        assertThat(shared.inputs()).containsExactly("x", "slope");
        assertThat(recent.inputs()).containsExactly("x", "slope");
        assertThat(List.of(old.get(1), shared, recent))
                .extracting(Node::params)
                .containsOnly(Map.of("per_channel", Attribute.of(false)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Add",
                "Sub",
                "Mul",
                "Div",
                "Pow",
                "Less",
                "LessOrEqual",
                "Greater",
                "GreaterOrEqual",
                "Equal",
                "And",
                "Or",
                "Xor"
            })
    void binaryOperators(String op) {
        Node node = model(14).input("z", 7).node(op, "x,z", "y").readNode(folder);

        assertThat(node.op()).isEqualTo(op);
        assertThat(node.inputs()).containsExactly("x", "z");
        assertThat(node.params()).isEmpty();
    }

    @Test
    void oldBroadcastAlongAnAxisAppendsOnes() {
        Graph graph = model(6).floats("b", 4)
                .node("Add", "x,b", "s", integer("broadcast", 1), integer("axis", 1))
                .node("Relu", "s", "r")
                .node("Mul", "r,b", "y", integer("broadcast", 1), integer("axis", -3))
                .read(folder);

        assertThat(graph.nodes()).extracting(Node::op).containsExactly("Unsqueeze", "Add", "Relu", "Unsqueeze", "Mul");
        for (int unsqueeze : new int[] {0, 3}) {
            Node node = graph.nodes().get(unsqueeze);
            assertThat(node.inputs()).containsExactly("b");
            assertThat(node.params()).isEqualTo(Map.of("axis", ofInts(1, 2)));
        }
    }

    @Test
    void oldBroadcastOfLastAxesNeedsNothing() {
        Node plain = model(6).floats("b", 7)
                .node("Add", "x,b", "y", integer("broadcast", 1))
                .readNode(folder);
        Node last = model(6).floats("b", 9, 7)
                .node("Add", "x,b", "y", integer("broadcast", 1), integer("axis", 2))
                .readNode(folder);

        assertThat(plain.inputs()).containsExactly("x", "b");
        assertThat(last.inputs()).containsExactly("x", "b");
    }

    @Test
    void oldBroadcastAxisMustFit() {
        TestModel model = model(6).floats("b", 4).node("Add", "x,b", "y", integer("broadcast", 1), integer("axis", 4));

        assertThatThrownBy(() -> model.read(folder))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageContaining("axis 4 does not fit inputs of rank 4 and 1");
    }

    @Test
    void broadcastAttributeIsRefusedWhereItMeansNothing() {
        assertThatThrownBy(() -> model(7).node("Add", "x,x", "y", integer("broadcast", 1))
                        .read(folder))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("attribute 'broadcast'");
    }

    @Test
    void variadicOperators() {
        for (String op : List.of("Sum", "Min", "Max")) {
            Node node = model(8).input("z", 7).node(op, "x,z,x", "y").readNode(folder);
            assertThat(node.op()).isEqualTo(op);
            assertThat(node.inputs()).containsExactly("x", "z", "x");
        }
        assertThatThrownBy(() -> model(8).node("Sum", "x,,x", "y").read(folder))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageContaining("input 1 is missing");
        assertThatThrownBy(() -> model(8).node("Sum", "", "y").read(folder))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageContaining("input 0 is missing");
    }

    @Test
    void meanIsTheSumTimesItsShare() {
        Graph graph =
                model(13).node("Relu", "x", "r").node("Mean", "r,r,r,r", "y").read(folder);

        assertThat(graph.nodes()).extracting(Node::op).containsExactly("Relu", "Sum", "Mul");
        Node scaled = graph.nodes().get(2);
        assertThat(graph.constants().get(scaled.inputs().get(1)))
                .satisfies(share -> assertThat(share.dtype()).isEqualTo(DType.FLOAT32))
                .satisfies(share -> assertThat(share.shape().rank()).isZero())
                .satisfies(share -> assertThat(share.getDouble(0)).isEqualTo(0.25));
        assertThat(model(13).node("Mean", "x", "y").readNode(folder).op()).isEqualTo("Identity");
    }

    @Test
    void where() {
        Node node = model(16)
                .typed("c", TestModel.BOOL, 7)
                .node("Where", "c,x,x", "y")
                .readNode(folder);

        assertThat(node.op()).isEqualTo("Where");
        assertThat(node.inputs()).containsExactly("c", "x", "x");
    }
}
