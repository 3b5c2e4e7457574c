package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.onnx.TestModel.BOOL;
import static org.clinfer.importer.onnx.TestModel.FLOAT;
import static org.clinfer.importer.onnx.TestModel.INT64;
import static org.clinfer.importer.onnx.TestModel.graph;

import java.util.Map;
import java.util.Objects;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops as PyTorch writes them whose count is a vector: so are the number of the iteration and the condition in the body. */
class IterationVectorTest extends OnnxRuns {

    /** The number of the iteration cuts a row out of a matrix. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rowsAreCutByTheNumberOfTheIteration(boolean known) {
        TestModel body = TestModel.opset(18).longs("one", 1).longs("zero", 0);
        body.graph().addInput(TestModel.info("i", INT64, 1));
        body.graph().addInput(TestModel.info("before", BOOL, 1));
        body.graph().addInput(TestModel.info("v", FLOAT, 1, 2));
        body.node("Add", "i,one", "end")
                .node("Slice", "x,i,end,zero", "row")
                .node("Add", "v,row", "next")
                .node("Identity", "before", "after")
                .output("after", "next", "i");
        TestModel model = TestModel.opset(18);
        given(model, "x", FLOAT, Tensor.of(new float[] {1, 2, 3, 4}, 2, 2));
        given(model, "v", FLOAT, Tensor.of(new float[] {5, 6}, 1, 2));
        if (known) {
            model.longs("iterations", 2);
        } else {
            given(model, "iterations", INT64, Tensor.of(new long[] {2}, 1));
        }
        model.node("Loop", "iterations,,v", "y,numbers", graph("body", body)).output("y", "numbers");
        Map<String, Tensor> found = run(model);
        assertThat(Objects.requireNonNull(found.get("y")).toFloatArray()).containsExactly(9, 12);
        Tensor numbers = Objects.requireNonNull(found.get("numbers"));
        assertThat(numbers.shape()).isEqualTo(Shape.of(2, 1));
        assertThat(numbers.toLongArray()).containsExactly(0, 1);
    }
}
