package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.clinfer.graph.Node;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops that add the same value each time are ranges where they count in numbers, and are written out elsewhere. */
class CountingLoopTest extends FirstOutputRuns {

    /** Only of numbers is the list a range: states of more elements, or a larger step, are written out. */
    @Test
    void loopsThatCountInTensors() {
        TestModel model = loop("Add", "");
        model.graph()
                .getInputBuilder(1)
                .setType(TestModel.info("x", TestModel.FLOAT, 2).getType());
        Tensor x = Tensor.of(new float[] {1, 2}, 2);
        Tensor y = run(model, Map.of("x", x, "step", Tensor.scalar(1f)));
        assertThat(y.shape()).isEqualTo(Shape.of(3, 2));
        assertThat(values(y)).containsExactly(1, 2, 2, 3, 3, 4);
    }

    private static TestModel loop(String op, String condition) {
        return TestModel.opset(13)
                .longs("trips", 3)
                .input("step")
                .input("x")
                .node("Loop", "trips," + condition + ",x", "last,y", loopBody(op))
                .output("y");
    }

    /** The step is a value of the branch around the loop. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void loopsThatCountInBranches(boolean taken) {
        TestModel then = TestModel.opset(13);
        TestModel otherwise = TestModel.opset(13)
                .longs("one", 1)
                .node("Reshape", "x,one", "e")
                .output("e");
        then.longs("trips", 3)
                .node("Mul", "d,d", "step")
                .node("Loop", "trips,,x", "last,t", loopBody("Add"))
                .output("t");
        TestModel model = TestModel.opset(13)
                .input("x")
                .input("d")
                .typed("c", TestModel.BOOL)
                .node("If", "c", "y", TestModel.graph("then_branch", then), TestModel.graph("else_branch", otherwise))
                .output("y");
        Tensor yes = Tensor.allocate(DType.BOOL);
        yes.setLong(0, taken ? 1 : 0);
        Tensor y = run(model, Map.of("x", Tensor.scalar(1f), "d", Tensor.scalar(0.5f), "c", yes));
        assertThat(values(y)).containsExactly(taken ? new double[] {1, 1.25, 1.5} : new double[] {1});
    }

    private static AttributeProto loopBody(String op) {
        GraphProto body = GraphProto.newBuilder()
                .addNode(inner("Identity", "cond", "again"))
                .addNode(inner(op, "prev", "now"))
                .addNode(inner("Identity", "prev", "list"))
                .addInput(TestModel.info("i", TestModel.INT64))
                .addInput(TestModel.info("cond", TestModel.BOOL))
                .addInput(TestModel.info("prev", TestModel.FLOAT))
                .addOutput(TestModel.info("again", TestModel.BOOL))
                .addOutput(TestModel.info("now", TestModel.FLOAT))
                .addOutput(TestModel.info("list", TestModel.FLOAT))
                .build();
        return AttributeProto.newBuilder()
                .setName("body")
                .setType(AttributeProto.AttributeType.GRAPH)
                .setG(body.toByteString())
                .build();
    }

    private static NodeProto inner(String op, String input, String output) {
        NodeProto.Builder node = NodeProto.newBuilder().setOpType(op).addInput(input);
        return (op.equals("Add") ? node.addInput("step") : node)
                .addOutput(output)
                .build();
    }

    @Test
    void aLoopThatCountsIsARangeAndOthersAreWrittenOut() {
        Tensor y = run(loop("Add", ""), Map.of("x", Tensor.scalar(2f), "step", Tensor.scalar(0.5f)));
        assertThat(values(y)).containsExactly(2, 2.5, 3);
        Tensor negated = run(loop("Neg", ""), Map.of("x", Tensor.scalar(2f), "step", Tensor.scalar(0.5f)));
        assertThat(values(negated)).containsExactly(2, -2, 2);
        assertThat(loop("Add", "").read(folder).nodes()).extracting(Node::op).contains("Range");
        assertThat(loop("Neg", "").read(folder).nodes()).extracting(Node::op).doesNotContain("Range");
    }
}
