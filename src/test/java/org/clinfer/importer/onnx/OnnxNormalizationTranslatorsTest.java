package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.ints;
import static org.clinfer.importer.onnx.TestModel.real;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OnnxNormalizationTranslatorsTest {

    @TempDir
    private Path folder;

    private static TestModel model(long opset) {
        return TestModel.opset(opset)
                .input("x", 1, 4, 9, 7)
                .floats("s", 4)
                .floats("b", 4)
                .floats("m", 4)
                .floats("v", 4)
                .output("y");
    }

    @Test
    void batchNormOfEveryForm() {
        Node first = model(1).node("BatchNormalization", "x,s,b,m,v", "y", ints("consumed_inputs", 0, 0, 0, 1, 1))
                .readNode(folder);
        Node old = model(6).node(
                        "BatchNormalization",
                        "x,s,b,m,v",
                        "y,m2,v2",
                        integer("is_test", 1),
                        integer("spatial", 1),
                        real("momentum", 0.5f),
                        real("epsilon", 0.25f))
                .readNode(folder);
        Node recent = model(15)
                .node("BatchNormalization", "x,s,b,m,v", "y", integer("training_mode", 0))
                .readNode(folder);

        assertThat(List.of(first.op(), old.op(), recent.op())).containsOnly("BatchNorm");
        assertThat(first.inputs()).containsExactly("x", "s", "b", "m", "v");
        assertThat(first.params()).isEqualTo(Map.of("epsilon", Attribute.of((double) 1e-5f)));
        assertThat(old.params()).isEqualTo(Map.of("epsilon", Attribute.of(0.25)));
        assertThat(old.outputs()).containsExactly("y");
        assertThat(recent.params()).isEqualTo(first.params());
    }

    @Test
    void batchNormInTrainingTakesTheStatisticsOfTheBatch() {
        List<Node> nodes = model(14)
                .node("BatchNormalization", "x,s,b,m,v", "y,m2,v2", integer("training_mode", 1))
                .output("m2")
                .read(folder)
                .nodes();
        Node norm = nodes.stream()
                .filter(node -> node.op().equals("BatchNorm"))
                .findFirst()
                .orElseThrow();
        assertThat(norm.inputs().subList(0, 3)).containsExactly("x", "s", "b");
        assertThat(norm.inputs().subList(3, 5)).doesNotContain("m", "v");
        assertThat(nodes).filteredOn(node -> node.op().equals("Mean")).hasSize(2);
        assertThat(nodes.get(nodes.size() - 1).outputs()).containsExactly("m2");
        assertThat(nodes).noneMatch(node -> node.outputs().contains("v2"));
    }

    @Test
    void batchNormInTrainingBeforeOperatorSet14IsRefused() {
        assertRefused(
                model(9).node("BatchNormalization", "x,s,b,m,v", "y,m2").output("m2"),
                "operator BatchNormalization with training outputs");
    }

    private void assertRefused(TestModel model, String feature) {
        assertThatThrownBy(() -> model.read(folder))
                .isInstanceOfSatisfying(
                        UnsupportedException.class,
                        refused -> assertThat(refused.feature()).isEqualTo(feature))
                .hasMessageStartingWith("test.onnx: node 0 ");
    }

    @Test
    void instanceNormAndLrn() {
        Node instance = model(6).node("InstanceNormalization", "x,s,b", "y").readNode(folder);
        Node lrn = model(13)
                .node("LRN", "x", "y", integer("size", 5), real("bias", 2))
                .readNode(folder);

        assertThat(instance.op()).isEqualTo("InstanceNorm");
        assertThat(instance.params()).isEqualTo(Map.of("epsilon", Attribute.of((double) 1e-5f)));
        assertThat(lrn.op()).isEqualTo("Lrn");
        assertThat(lrn.params())
                .isEqualTo(Map.of(
                        "size", Attribute.of(5), "alpha", Attribute.of((double) 1e-4f), "bias", Attribute.of(2.0)));
    }

    @ParameterizedTest
    @CsvSource({"1,Softmax,1,true", "12,LogSoftmax,1,true", "13,Softmax,-1,false", "22,LogSoftmax,-1,false"})
    void softmaxFlattensBeforeOpset13(long opset, String op, long axis, boolean flatten) {
        Node node = model(opset).node(op, "x", "y").readNode(folder);

        assertThat(node.op()).isEqualTo(op);
        assertThat(node.params()).isEqualTo(Map.of("axis", Attribute.of(axis), "flatten", Attribute.of(flatten)));
    }

    @Test
    void dropoutWithAttribute() {
        Node node = model(6).node("Dropout", "x", "y,mask", real("ratio", 0.25f), integer("is_test", 1))
                .readNode(folder);

        assertThat(node.op()).isEqualTo("Dropout");
        assertThat(node.outputs()).containsExactly("y");
        assertThat(node.params()).isEqualTo(Map.of("ratio", Attribute.of(0.25)));
    }

    @Test
    void dropoutWithInputs() {
        TestModel inference = model(13)
                .reals("ratio")
                .initializer(TestModel.tensor("mode", TestModel.BOOL).addInt32Data(0))
                .node("Dropout", "x,ratio,mode", "y", integer("seed", 3));
        TestModel nothing = model(13)
                .initializer(TestModel.tensor("none", TestModel.FLOAT).addFloatData(0))
                .initializer(TestModel.tensor("mode", TestModel.BOOL).addInt32Data(1))
                .node("Dropout", "x,none,mode", "y");

        assertThat(inference.readNode(folder).inputs()).containsExactly("x");
        assertThat(nothing.readNode(folder).inputs()).containsExactly("x");
    }

    @Test
    void dropoutMaskIsTrueEverywhere() {
        List<Node> nodes = model(13)
                .node("Dropout", "x", "y,mask")
                .output("mask")
                .read(folder)
                .nodes();

        assertThat(nodes).extracting(Node::op).containsExactlyInAnyOrder("Dropout", "Shape", "ConstantOfShape");
        Node mask = nodes.get(nodes.size() - 1);
        assertThat(mask.outputs()).containsExactly("mask");
        assertThat(mask.params()).isEqualTo(Map.of("value", Attribute.of(1.0), "dtype", Attribute.of("bool")));
        assertRefused(
                model(7).node("Dropout", "x", "y,mask").output("mask"),
                "operator Dropout with output mask before operator set 10");
    }
}
