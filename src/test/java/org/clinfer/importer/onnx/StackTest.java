package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.BOOL;
import static org.clinfer.importer.onnx.TestModel.FLOAT;
import static org.clinfer.importer.onnx.TestModel.INT64;
import static org.clinfer.importer.onnx.TestModel.graph;
import static org.clinfer.importer.onnx.TestModel.integer;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.errors.InputException;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.TypeProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sequences of which only a run knows how many values they have. */
class StackTest {

    private static final Engine ENGINE = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));

    /** Three values of shape [2, 3], 0 to 17. */
    private static final Tensor VALUES = Tensor.of(count(18), 3, 2, 3);

    @TempDir
    private Path folder;

    @AfterAll
    static void close() {
        ENGINE.close();
    }

    private static float[] count(int elements) {
        float[] values = new float[elements];
        for (int i = 0; i < elements; i++) {
            values[i] = i;
        }
        return values;
    }

    private static ValueInfoProto sequence(String name, long... dims) {
        TypeProto values = TestModel.info("", FLOAT, dims).getType();
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder()
                        .setSequenceType(TypeProto.Sequence.newBuilder().setElemType(values)))
                .build();
    }

    private static TestModel constants(TestModel model) {
        return model.longs("zero", 0)
                .longs("one", 1)
                .longs("two", 2)
                .longs("three", 3)
                .longs("last", -1)
                .longs("first", -3);
    }

    /** A model of a sequence with values whose shape is declared or not. */
    private static TestModel open(long... dims) {
        TestModel model = constants(TestModel.opset(18));
        model.graph().addInput(sequence("s", dims));
        return model;
    }

    /** The outputs of a run by their names. */
    private record Outputs(Map<String, Tensor> tensors) {
        Tensor get(String name) {
            return Objects.requireNonNull(tensors.get(name), name);
        }
    }

    private Outputs run(TestModel test, Map<String, Tensor> inputs) {
        try (Model model = ENGINE.load(test.write(folder));
                Session session = model.session();
                Result result = session.run(inputs)) {
            Map<String, Tensor> outputs = new LinkedHashMap<>();
            result.outputs().forEach((name, tensor) -> outputs.put(name, tensor.copy()));
            return new Outputs(outputs);
        }
    }

    private void assertSame(Tensor actual, Tensor expected) {
        assertThat(actual.type()).isEqualTo(expected.type());
        assertThat(actual.bytes()).isEqualTo(expected.bytes());
    }

    /** The same nodes give the same whether the length of a sequence is known beforehand or not. */
    private void assertLikeAList(String op, String inputs, AttributeProto... attributes) {
        TestModel list = constants(TestModel.opset(18))
                .input("x", 3, 2, 3)
                .input("v", 2, 3)
                .node("SplitToSequence", "x", "s", integer("keepdims", 0))
                .node(op, inputs, "y", attributes)
                .output("y");
        Tensor v = Tensor.of(new float[] {9, 8, 7, 6, 5, 4}, 2, 3);
        Outputs values = run(list, Map.of("x", VALUES, "v", v));
        Tensor expected = values.tensors().containsKey("y")
                ? values.get("y")
                : Tensor.joined(
                        TensorType.of(DType.FLOAT32, values.tensors().size(), 2, 3),
                        List.copyOf(values.tensors().values()));
        for (TestModel open : List.of(open(2, 3), open())) {
            open.input("v", 2, 3).node(op, inputs, "y", attributes).output("y");
            assertSame(run(open, Map.of("s", VALUES, "v", v)).get("y"), expected);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "SequenceAt;s,zero",
                "SequenceAt;s,last",
                "SequenceAt;s,first",
                "SequenceLength;s",
                "SequenceInsert;s,v",
                "SequenceInsert;s,v,zero",
                "SequenceInsert;s,v,one",
                "SequenceInsert;s,v,three",
                "SequenceInsert;s,v,last",
                "SequenceInsert;s,v,first",
                "SequenceErase;s",
                "SequenceErase;s,zero",
                "SequenceErase;s,one",
                "SequenceErase;s,last",
                "Identity;s",
                "Optional;s",
                "OptionalHasElement;s"
            })
    void operatorsAreThoseOfLists(String op, String inputs) {
        assertLikeAList(op, inputs);
    }

    @Test
    void valuesAreJoined() {
        assertLikeAList("ConcatFromSequence", "s", integer("axis", 0));
        assertLikeAList("ConcatFromSequence", "s", integer("axis", 0), integer("new_axis", 1));
        TestModel model = open(2, 3);
        TestModel list = constants(TestModel.opset(18))
                .input("x", 3, 2, 3)
                .node("SplitToSequence", "x", "s", integer("keepdims", 0));
        for (long isNew = 0; isNew < 2; isNew++) {
            for (long axis = -2 - isNew; axis < 2 + isNew; axis++) {
                String name = "y" + isNew + axis;
                AttributeProto[] attributes = {integer("axis", axis), integer("new_axis", isNew)};
                model.node("ConcatFromSequence", "s", name, attributes).output(name);
                list.node("ConcatFromSequence", "s", name, attributes).output(name);
            }
        }
        Outputs expected = run(list, Map.of("x", VALUES));
        Outputs actual = run(model, Map.of("s", VALUES));
        assertThat(actual.tensors()).hasSize(10);
        actual.tensors().forEach((name, tensor) -> assertSame(tensor, expected.get(name)));
    }

    @ParameterizedTest
    @ValueSource(longs = {-3, -2, -1, 0, 1, 2})
    void aPlaceThatDataDecide(long place) {
        TestModel model = open(2, 3)
                .input("v", 2, 3)
                .typed("p", INT64)
                .node("SequenceInsert", "s,v,p", "t")
                .node("SequenceErase", "t,p", "u")
                .node("SequenceAt", "s,p", "y")
                .output("u", "y");
        Tensor value = Tensor.of(new float[6], 2, 3);
        Outputs outputs = run(model, Map.of("s", VALUES, "v", value, "p", Tensor.scalar(place)));
        float first = 6 * Math.floorMod(place, 3);
        assertThat(outputs.get("y").toFloatArray()).startsWith(first, first + 1);
        assertThat(outputs.get("u").shape().sizes()).containsExactly(3, 2, 3);
        if (place >= 0) {
            assertSame(outputs.get("u"), VALUES);
        }
    }

    @ParameterizedTest
    @CsvSource({"SequenceInsert,4", "SequenceInsert,-4", "SequenceErase,3", "SequenceErase,-4", "SequenceAt,3"})
    void aPlaceThatThereIsNotIsRefused(String op, long place) {
        String inputs = op.equals("SequenceInsert") ? "s,v,p" : "s,p";
        TestModel model = open(2, 3).input("v", 2, 3).typed("p", INT64).node(op, inputs, "y");
        model.output("y");
        Tensor value = Tensor.of(new float[6], 2, 3);
        Map<String, Tensor> given = Map.of("s", VALUES, "v", value, "p", Tensor.scalar(place));
        assertThatThrownBy(() -> run(model, given))
                .isInstanceOfAny(GraphException.class, InputException.class)
                .hasMessageContaining("index");
    }

    @Test
    void anAxisOfUnknownSizeIsCutIntoSlices() {
        TestModel model = constants(TestModel.opset(18))
                .input("x", 2, -1)
                .node("SplitToSequence", "x", "kept", integer("axis", -1))
                .node("SplitToSequence", "x", "cut", integer("axis", 1), integer("keepdims", 0))
                .node("SequenceAt", "cut,last", "y")
                .output("kept", "cut", "y");
        Outputs outputs = run(model, Map.of("x", Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3)));
        assertThat(outputs.get("kept").shape().sizes()).containsExactly(3, 2, 1);
        assertThat(outputs.get("cut").shape().sizes()).containsExactly(3, 2);
        assertThat(outputs.get("cut").toFloatArray()).containsExactly(1, 4, 2, 5, 3, 6);
        assertThat(outputs.get("y").toFloatArray()).containsExactly(3, 6);
    }

    /** The size of the axis, that of the parts, or both are known in a run alone. */
    @ParameterizedTest
    @CsvSource({"6,false", "-1,true", "-1,false"})
    void anAxisIsCutIntoPartsOfWhichOnlyARunKnowsHowMany(long size, boolean known) {
        TestModel model = constants(TestModel.opset(18)).input("x", 2, size);
        Map<String, Tensor> given = new LinkedHashMap<>();
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 2, 6);
        given.put("x", x);
        if (known) {
            model.initializer(TestModel.tensor("each", INT64).addInt64Data(3));
        } else {
            model.typed("each", INT64);
            given.put("each", Tensor.scalar(3L));
        }
        model.node("SplitToSequence", "x,each", "s", integer("axis", -1))
                .node("SequenceAt", "s,last", "y")
                .output("s", "y");
        Outputs outputs = run(model, given);
        assertThat(outputs.get("s").shape().sizes()).containsExactly(2, 2, 3);
        assertThat(outputs.get("s").toFloatArray()).containsExactly(1, 2, 3, 7, 8, 9, 4, 5, 6, 10, 11, 12);
        assertThat(outputs.get("y").toFloatArray()).containsExactly(4, 5, 6, 10, 11, 12);
        given.put(known ? "x" : "each", known ? Tensor.of(new float[10], 2, 5) : Tensor.scalar(4L));
        assertThatThrownBy(() -> run(model, given)).hasMessageContaining("Reshape");
    }

    /** A loop that collects v + x, v + 2 x and so on in a sequence, as scripted loops do. */
    private static TestModel collecting(TestModel around, long... declared) {
        TestModel body = TestModel.opset(18);
        body.graph().addInput(TestModel.info("i", INT64));
        body.graph().addInput(TestModel.info("c", BOOL));
        body.graph().addInput(TestModel.info("v", FLOAT, 2));
        body.graph().addInput(sequence("seen", declared));
        body.node("Add", "v,x", "next")
                .node("SequenceInsert", "seen,next", "more")
                .node("Identity", "c", "d")
                .output("d", "next", "more");
        return around.node("Loop", "iterations,,x,none", "v,all", graph("body", body));
    }

    private static TestModel turning() {
        return TestModel.opset(18).input("x", 2).typed("iterations", INT64);
    }

    private static Map<String, Tensor> iterations(long count) {
        return Map.of("x", Tensor.of(new float[] {1, 10}, 2), "iterations", Tensor.scalar(count));
    }

    @Test
    void aLoopOfUnknownTurnsCollectsASequence() {
        for (long[] declared : new long[][] {{}, {2}}) {
            TestModel model = collecting(turning().node("SequenceEmpty", "", "none"), declared)
                    .node("SequenceLength", "all", "n")
                    .node("ConcatFromSequence", "all", "y", integer("axis", 0))
                    .output("n", "all", "y");
            Outputs outputs = run(model, iterations(3));
            assertThat(outputs.get("n").getLong(0)).isEqualTo(3);
            assertThat(outputs.get("all").shape().sizes()).containsExactly(3, 2);
            assertThat(outputs.get("y").toFloatArray()).containsExactly(2, 20, 3, 30, 4, 40);
        }
    }

    @Test
    void aLoopOfNoTurnLeavesASequenceAsItWas() {
        TestModel empty = collecting(turning().node("SequenceEmpty", "", "none"))
                .node("SequenceInsert", "all,x", "some")
                .node("SequenceLength", "all", "n")
                .output("n", "some");
        assertThat(run(empty, iterations(0)).get("n").getLong(0)).isZero();
        assertThat(run(empty, iterations(0)).get("some").toFloatArray()).containsExactly(1, 10);
        TestModel two = collecting(turning().node("SequenceConstruct", "x,x", "none"), 2)
                .output("all");
        assertThat(run(two, iterations(0)).get("all").toFloatArray()).containsExactly(1, 10, 1, 10);
        assertThat(run(two, iterations(1)).get("all").toFloatArray()).containsExactly(1, 10, 1, 10, 2, 20);
    }

    /** A branch that data decide: one value, or none. */
    @Test
    void aBranchGivesASequence() {
        TestModel some =
                TestModel.opset(18).node("SequenceConstruct", "x,x", "a").output("a");
        TestModel none = TestModel.opset(18).node("SequenceEmpty", "", "b").output("b");
        TestModel model = TestModel.opset(18)
                .input("x", 2)
                .typed("c", BOOL)
                .node("If", "c", "s", graph("then_branch", some), graph("else_branch", none))
                .node("SequenceInsert", "s,x", "y")
                .output("y");
        Tensor yes = Tensor.allocate(DType.BOOL);
        Tensor no = yes.copy();
        yes.setLong(0, 1);
        Tensor x = Tensor.of(new float[] {1, 2}, 2);
        assertThat(run(model, Map.of("x", x, "c", yes)).get("y").toFloatArray()).containsExactly(1, 2, 1, 2, 1, 2);
        assertThat(run(model, Map.of("x", x, "c", no)).get("y").toFloatArray()).containsExactly(1, 2);
    }

    @Test
    void aBodyReadsASequenceOfTheGraphAroundIt() {
        TestModel body = TestModel.opset(18);
        body.graph().addInput(TestModel.info("i", INT64));
        body.graph().addInput(TestModel.info("c", BOOL));
        body.graph().addInput(TestModel.info("v", FLOAT, 2, 3));
        body.node("SequenceAt", "s,i", "w")
                .node("Add", "v,w", "sum")
                .node("Identity", "c", "d")
                .output("d", "sum");
        TestModel model = open(2, 3)
                .input("x", 2, 3)
                .node("SequenceLength", "s", "n")
                .node("Loop", "n,,x", "y", graph("body", body))
                .output("y");
        Map<String, Tensor> given = Map.of("s", VALUES, "x", Tensor.of(new float[6], 2, 3));
        assertThat(run(model, given).get("y").toFloatArray()).containsExactly(18, 21, 24, 27, 30, 33);
    }

    @Test
    void aSequenceOfKnownLengthIsAnOutputForEachValue() {
        TestModel model = TestModel.opset(18)
                .input("x", 5)
                .initializer(TestModel.tensor("three", INT64).addInt64Data(3))
                .node("SplitToSequence", "x,three", "s")
                .output("s");
        Outputs outputs = run(model, Map.of("x", Tensor.of(new float[] {1, 2, 3, 4, 5}, 5)));
        assertThat(outputs.tensors().keySet()).containsExactly("s[0]", "s[1]");
        assertThat(outputs.get("s[0]").toFloatArray()).containsExactly(1, 2, 3);
        assertThat(outputs.get("s[1]").toFloatArray()).containsExactly(4, 5);
    }

    @Test
    void whatIsNoSuchSequenceIsRefused() {
        TestModel shapes =
                open().input("v", 3, 2).node("SequenceInsert", "s,v", "y").output("y");
        Map<String, Tensor> given = Map.of("s", VALUES, "v", Tensor.of(new float[6], 3, 2));
        assertThatThrownBy(() -> run(shapes, given)).isInstanceOfAny(GraphException.class, InputException.class);
        assertRefused(open(2, 3).node("Relu", "s", "y"), "Relu with a sequence");
        assertRefused(open(2, 3).input("y2").node("SequenceLength", "y2", "y"), "must be a sequence");
        TestModel step = TestModel.opset(18);
        step.graph().addInput(TestModel.info("i", INT64));
        step.graph().addInput(TestModel.info("c", BOOL));
        step.graph().addInput(sequence("t"));
        step.node("ConcatFromSequence", "t", "w", integer("axis", 0))
                .node("Identity", "c", "d")
                .output("d", "w");
        TestModel changing = open(2, 3).typed("n", INT64).node("Loop", "n,,s", "y", graph("body", step));
        assertRefused(changing, "is a sequence before a iteration and a tensor after it");
    }

    private void assertRefused(TestModel model, String message) {
        assertThatThrownBy(() -> model.output("y").read(folder))
                .isInstanceOfAny(GraphException.class, UnsupportedException.class)
                .hasMessageContaining(message);
    }
}
