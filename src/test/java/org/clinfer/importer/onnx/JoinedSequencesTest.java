package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.BOOL;
import static org.clinfer.importer.onnx.TestModel.FLOAT;
import static org.clinfer.importer.onnx.TestModel.INT64;
import static org.clinfer.importer.onnx.TestModel.graph;
import static org.clinfer.importer.onnx.TestModel.integer;

import java.nio.file.Path;
import java.util.Map;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.errors.ClinferException;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sequences whose values have different sizes and are joined after a loop, as PyTorch's repeat_interleave is exported. */
class JoinedSequencesTest {

    private static final Tensor ROWS = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2);

    @TempDir
    private Path folder;

    private Tensor run(TestModel test, Tensor repeats) {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(test.write(folder));
                Session session = model.session();
                Result result = session.run(Map.of("x", ROWS, "repeats", repeats))) {
            return Tensor.of(
                    result.get("y").toFloatArray(), result.get("y").shape().sizes());
        }
    }

    /** A loop that takes row after row as often as a run says; {@code row} becomes {@code value}, the value of the sequence. */
    private static TestModel repeated(String... more) {
        TestModel body = TestModel.opset(17);
        body.graph().addInput(TestModel.info("i", INT64));
        body.graph().addInput(TestModel.info("c", BOOL));
        body.graph().addInput(TestModel.info("seen", FLOAT));
        body.node("SequenceAt", "rows,i", "row")
                .node("SequenceAt", "counts,i", "count")
                .longs("two", 2)
                .node("Concat", "count,two", "shape", integer("axis", 0))
                .node("Expand", "row,shape", "repeated")
                .node("Transpose", "repeated", "turned")
                .node("Identity", more.length == 0 ? "repeated" : more[0], "value")
                .node("SequenceInsert", "seen,value", "next")
                .node("Identity", "c", "d")
                .output("d", "next");
        AttributeProto one = TestModel.tensorAttribute(
                "value", TestModel.tensor("", INT64, 1).addInt64Data(1));
        return TestModel.opset(17)
                .input("x", -1, 2)
                .typed("repeats", INT64, -1)
                .longs("zero", 0)
                .node("Shape", "repeats", "number")
                .node("ConstantOfShape", "number", "ones", one)
                .node("SplitToSequence", "x,ones", "rows", integer("axis", 0))
                .node("SplitToSequence", "repeats,ones", "counts", integer("axis", 0))
                .node("Gather", "number,zero", "first", integer("axis", 0))
                .node("Squeeze", "first", "iterations")
                .node("SequenceEmpty", "", "none")
                .node("Loop", "iterations,,none", "all", graph("body", body));
    }

    @Test
    void valuesOfDifferentSizesAreJoined() {
        TestModel model = repeated()
                .node("ConcatFromSequence", "all", "y", integer("axis", 0))
                .output("y");
        Tensor y = run(model, Tensor.of(new long[] {2, 0, 1}, 3));
        assertThat(y.shape().sizes()).containsExactly(3, 2);
        assertThat(y.toFloatArray()).containsExactly(1, 2, 1, 2, 5, 6);
        Tensor late = run(model, Tensor.of(new long[] {0, 1, 2}, 3));
        assertThat(late.toFloatArray()).containsExactly(3, 4, 5, 6, 5, 6);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    void valuesAreJoinedAlongAnyAxis(long axis) {
        TestModel model = repeated("turned")
                .node("ConcatFromSequence", "all", "joined", integer("axis", axis))
                .node("Add", "joined,joined", "y")
                .output("y");
        Tensor y = run(model, Tensor.of(new long[] {1, 2, 1}, 3));
        assertThat(y.shape().sizes()).containsExactly(2, 4);
        assertThat(y.toFloatArray()).containsExactly(2, 6, 6, 10, 4, 8, 8, 12);
    }

    /** Then it is a list of values, which are of one shape. */
    @Test
    void whatReadsSingleValuesNeedsThemAlike() {
        TestModel model = repeated()
                .node("SequenceLength", "all", "length")
                .node("ConcatFromSequence", "all", "y", integer("axis", 0))
                .output("y", "length");
        assertThat(run(model, Tensor.of(new long[] {2, 2, 2}, 3)).shape().sizes())
                .containsExactly(6, 2);
        Tensor uneven = Tensor.of(new long[] {2, 1, 1}, 3);
        assertThatThrownBy(() -> run(model, uneven)).isInstanceOf(ClinferException.class);
    }
}
