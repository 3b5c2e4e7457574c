package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.BOOL;
import static org.clinfer.importer.onnx.TestModel.FLOAT;
import static org.clinfer.importer.onnx.TestModel.INT64;
import static org.clinfer.importer.onnx.TestModel.graph;
import static org.clinfer.importer.onnx.TestModel.integer;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sequences and optional values, of which no node is left. */
class SequenceTranslatorsTest {

    @TempDir
    private Path folder;

    private static TestModel model() {
        return TestModel.opset(18)
                .input("x", 2, 2)
                .longs("zero", 0)
                .longs("one", 1)
                .longs("last", -1);
    }

    private float[] run(TestModel test, String output, Map<String, Tensor> more) {
        Map<String, Tensor> inputs = new HashMap<>(more);
        inputs.put("x", Tensor.of(new float[] {1, 2, 3, 4}, 2, 2));
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(test.write(folder));
                Session session = model.session();
                Result result = session.run(inputs)) {
            return result.get(output).to(DType.FLOAT32).toFloatArray();
        }
    }

    private float[] run(TestModel test, String output) {
        return run(test, output, Map.of());
    }

    /** x, -x, 2x, then -x in front of all and the second erased. */
    private static TestModel changed() {
        return model().node("Neg", "x", "n")
                .node("Add", "x,x", "t")
                .node("SequenceConstruct", "x,n,t", "s0")
                .node("SequenceInsert", "s0,n,zero", "s1")
                .node("SequenceErase", "s1,one", "s2")
                .node("Identity", "s2", "s");
    }

    @Test
    void valuesAreInsertedErasedAndTaken() {
        assertThat(run(changed().node("SequenceAt", "s,zero", "y").output("y"), "y"))
                .containsExactly(-1, -2, -3, -4);
        assertThat(run(changed().node("SequenceAt", "s,last", "y").output("y"), "y"))
                .containsExactly(2, 4, 6, 8);
        assertThat(run(changed().node("SequenceLength", "s", "y").output("y"), "y"))
                .containsExactly(3);
    }

    @Test
    void aPositionThatDataDecide() {
        TestModel model = changed()
                .typed("where", INT64)
                .node("SequenceAt", "s,where", "y")
                .output("y");
        assertThat(run(model, "y", Map.of("where", Tensor.scalar(2L)))).containsExactly(2, 4, 6, 8);
        assertThat(run(model, "y", Map.of("where", Tensor.scalar(-2L)))).containsExactly(-1, -2, -3, -4);
    }

    @Test
    void valuesAreJoined() {
        TestModel along = changed().node("ConcatFromSequence", "s", "y", integer("axis", 1));
        assertThat(run(along.output("y"), "y")).containsExactly(-1, -2, -1, -2, 2, 4, -3, -4, -3, -4, 6, 8);
        TestModel stacked = changed().node("ConcatFromSequence", "s", "y", integer("axis", -1), integer("new_axis", 1));
        assertThat(run(stacked.output("y"), "y")).containsExactly(-1, -1, 2, -2, -2, 4, -3, -3, 6, -4, -4, 8);
    }

    @Test
    void aValueIsSplit() {
        TestModel rows = model().node("SplitToSequence", "x", "s", integer("axis", 0), integer("keepdims", 0))
                .node("SequenceAt", "s,last", "y");
        assertThat(run(rows.output("y"), "y")).containsExactly(3, 4);
        TestModel uneven = model().node("Concat", "x,x,x", "w", integer("axis", 1))
                .initializer(TestModel.tensor("four", INT64).addInt64Data(4))
                .node("SplitToSequence", "w,four", "s", integer("axis", -1))
                .node("SequenceAt", "s,one", "y");
        assertThat(run(uneven.output("y"), "y")).containsExactly(1, 2, 3, 4);
        TestModel given = model().typed("sizes", INT64, 2)
                .node("Concat", "x,x", "w", integer("axis", 1))
                .node("SplitToSequence", "w,sizes", "s", integer("axis", 1))
                .node("SequenceAt", "s,one", "y");
        assertThat(run(given.output("y"), "y", Map.of("sizes", Tensor.of(new long[] {3, 1}, 2))))
                .containsExactly(2, 4);
    }

    /** As PyTorch's tensor_split is exported: the first parts of an axis of 8 are larger by one. */
    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    void aValueIsSplitIntoPartsWhoseSizesAreComputed(long axis) {
        TestModel model = model().longs("three", 3)
                .longs("axis", axis)
                .node("Concat", "x,x,x,x", "w", integer("axis", 1))
                .node("Shape", "w", "shape")
                .node("Gather", "shape,axis", "size", integer("axis", 0))
                .node("Div", "size,three", "small")
                .node("Add", "small,one", "large")
                .node("Mod", "size,three", "many")
                .node("Sub", "three,many", "few")
                .node("Tile", "large,many", "first")
                .node("Tile", "small,few", "last")
                .node("Concat", "first,last", "sizes", integer("axis", 0))
                .node("SplitToSequence", "w,sizes", "s", integer("axis", 1))
                .node("SequenceAt", "s,one", "y");
        assertThat(run(model.output("y"), "y")).containsExactly(2, 1, 2, 4, 3, 4);
    }

    /** Max takes any number of values; PyTorch exports one of a single value for an index that is a tensor. */
    @ParameterizedTest
    @ValueSource(strings = {"threes", "ones,threes", "ones,ones,threes", "threes,ones,ones"})
    void sizesAreTheLargestOfSeveral(String several) {
        TestModel model = model().longs("ones", 1, 1)
                .longs("threes", 3, 3)
                .node("Concat", "x,x,x", "w", integer("axis", 1))
                .node("Max", several, "sizes")
                .node("SplitToSequence", "w,sizes", "s", integer("axis", 1))
                .node("SequenceAt", "s,one", "y");
        assertThat(run(model.output("y"), "y")).containsExactly(2, 1, 2, 4, 3, 4);
    }

    /** As a scripted loop collects what it makes. */
    @Test
    void aLoopThatIsWrittenOutCollectsASequence() {
        TestModel body = TestModel.opset(18);
        body.graph().addInput(TestModel.info("i", INT64));
        body.graph().addInput(TestModel.info("c", BOOL));
        body.graph().addInput(TestModel.info("v", FLOAT, 2, 2));
        body.graph().addInput(TestModel.info("seen", FLOAT));
        body.node("Add", "v,x", "next")
                .node("SequenceInsert", "seen,next", "more")
                .node("Identity", "c", "d")
                .output("d", "next", "more");
        TestModel model = model().longs("three", 3)
                .node("SequenceEmpty", "", "none")
                .node("Loop", "three,,x,none", "v,all", graph("body", body))
                .node("ConcatFromSequence", "all", "y", integer("axis", 0))
                .output("y");
        assertThat(run(model, "y")).containsExactly(2, 4, 6, 8, 3, 6, 9, 12, 4, 8, 12, 16);
    }

    @Test
    void aBodyForEachValue() {
        TestModel body = TestModel.opset(18);
        body.graph().addInput(TestModel.info("v", FLOAT, 2, 2));
        body.graph().addInput(TestModel.info("w", FLOAT, 2, 2));
        body.node("Mul", "v,w", "p").output("p");
        TestModel model = changed()
                .node("SequenceMap", "s,x", "m", graph("body", body))
                .node("ConcatFromSequence", "m", "y", integer("axis", 0));
        assertThat(run(model.output("y"), "y")).containsExactly(-1, -4, -9, -16, -1, -4, -9, -16, 2, 8, 18, 32);
    }

    @Test
    void optionalValues() {
        TestModel full = model().node("Optional", "x", "o")
                .node("OptionalHasElement", "o", "has")
                .node("OptionalGetElement", "o", "y")
                .output("y", "has");
        assertThat(run(full, "y")).containsExactly(1, 2, 3, 4);
        assertThat(run(full, "has")).containsExactly(1);
        TestModel empty = model().node("Optional", "", "o")
                .node("OptionalHasElement", "o", "has")
                .output("has", "x");
        assertThat(run(empty, "has")).containsExactly(0);
        TestModel wrong = model().node("Optional", "", "o")
                .node("OptionalGetElement", "o", "y")
                .output("y");
        assertThatThrownBy(() -> wrong.read(folder))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("holds nothing");
    }

    @Test
    void whatIsNotKnownBeforehandIsRefused() {
        TestModel open = TestModel.opset(18)
                .input("x", -1, 2)
                .typed("sizes", INT64, -1)
                .node("SplitToSequence", "x,sizes", "s")
                .node("SequenceLength", "s", "y")
                .output("y");
        assertThatThrownBy(() -> open.read(folder))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("sizes that are not known beforehand");
        TestModel plain = changed().node("Relu", "s", "y").output("y");
        assertThatThrownBy(() -> plain.read(folder))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("a sequence or an optional value");
        TestModel beyond =
                changed().longs("five", 5).node("SequenceAt", "s,five", "y").output("y");
        assertThatThrownBy(() -> beyond.read(folder))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("has no position 5");
    }
}
