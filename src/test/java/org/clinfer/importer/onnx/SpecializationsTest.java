package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.BOOL;
import static org.clinfer.importer.onnx.TestModel.FLOAT;
import static org.clinfer.importer.onnx.TestModel.INT64;
import static org.clinfer.importer.onnx.TestModel.graph;
import static org.clinfer.importer.onnx.TestModel.integer;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.ModelFormat;
import org.clinfer.PoolOptions;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.errors.InputException;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.onnx.proto.TypeProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sequences that a run is given value by value, optional values, and models of which only a run tells what they mean. */
class SpecializationsTest {

    private static final Engine ENGINE = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));

    @TempDir
    private Path folder;

    @AfterAll
    static void close() {
        ENGINE.close();
    }

    private static TypeProto sequence(TypeProto values) {
        return TypeProto.newBuilder()
                .setSequenceType(TypeProto.Sequence.newBuilder().setElemType(values))
                .build();
    }

    private static TypeProto optional(TypeProto held) {
        return TypeProto.newBuilder()
                .setOptionalType(TypeProto.Optional.newBuilder().setElemType(held))
                .build();
    }

    /** Tensors whose number of axes is not said. */
    private static TypeProto tensors(int type) {
        return TypeProto.newBuilder()
                .setTensorType(TypeProto.Tensor.newBuilder().setElemType(type))
                .build();
    }

    private static ValueInfoProto value(String name, TypeProto type) {
        return ValueInfoProto.newBuilder().setName(name).setType(type).build();
    }

    private static TestModel with(String name, TypeProto type) {
        TestModel model = TestModel.opset(18);
        model.graph().addInput(value(name, type));
        return model;
    }

    private static TestModel ofSequence() {
        return with("s", sequence(tensors(FLOAT)));
    }

    private static Tensor vector(float... values) {
        return Tensor.of(values, values.length);
    }

    private Map<String, Tensor> run(TestModel test, Map<String, Tensor> inputs) {
        try (Model model = ENGINE.load(test.write(folder));
                Session session = model.session()) {
            return run(session, inputs);
        }
    }

    private static Map<String, Tensor> run(Session session, Map<String, Tensor> inputs) {
        try (Result result = session.run(inputs)) {
            Map<String, Tensor> outputs = new LinkedHashMap<>();
            result.outputs().forEach((name, tensor) -> outputs.put(name, tensor.copy()));
            return outputs;
        }
    }

    private static float[] floats(Map<String, Tensor> outputs, String name) {
        return Objects.requireNonNull(outputs.get(name), name).toFloatArray();
    }

    private static long whole(Map<String, Tensor> outputs, String name) {
        return Objects.requireNonNull(outputs.get(name), name).getLong(0);
    }

    @Test
    void valuesOfASequenceMayHaveDifferentShapes() {
        TestModel model = ofSequence()
                .input("v", 2)
                .typed("at", INT64)
                .node("SequenceInsert", "s,v,at", "more")
                .node("SequenceLength", "more", "n")
                .node("ConcatFromSequence", "more", "joined", integer("axis", 0))
                .node("SequenceErase", "more,at", "y")
                .output("s", "more", "n", "joined", "y");
        Map<String, Tensor> given =
                Map.of("s[0]", vector(1), "s[1]", vector(2, 3, 4), "v", vector(8, 9), "at", Tensor.scalar(-1L));
        Map<String, Tensor> outputs = run(model, given);
        assertThat(outputs.keySet())
                .containsExactly("s[0]", "s[1]", "more[0]", "more[1]", "more[2]", "n", "joined", "y[0]", "y[1]");
        assertThat(whole(outputs, "n")).isEqualTo(3);
        assertThat(floats(outputs, "joined")).containsExactly(1, 8, 9, 2, 3, 4);
        assertThat(floats(outputs, "y[1]")).containsExactly(8, 9);
    }

    @Test
    void aSequenceWithoutValuesIsATensorWithoutThem() {
        TestModel model = ofSequence()
                .input("v", 2)
                .node("SequenceInsert", "s,v", "one")
                .node("SequenceLength", "s", "n")
                .output("s", "one", "n");
        Map<String, Tensor> outputs = run(model, Map.of("s", Tensor.allocate(DType.FLOAT32, 0, 7), "v", vector(8, 9)));
        assertThat(outputs.keySet()).containsExactly("s", "one[0]", "n");
        assertThat(Objects.requireNonNull(outputs.get("s")).elements()).isZero();
        assertThat(whole(outputs, "n")).isZero();
    }

    private static TestModel doubled() {
        TestModel body = TestModel.opset(18);
        body.graph().addInput(value("v", tensors(FLOAT)));
        body.node("Add", "v,v", "w").output("w");
        return ofSequence().node("SequenceMap", "s", "y", graph("body", body)).output("y");
    }

    @Test
    void aBodyForEachValueIsWrittenOutForAsManyAsThereAre() {
        Map<String, Tensor> listed = run(doubled(), Map.of("s[0]", vector(1), "s[1]", vector(2, 3)));
        assertThat(listed.keySet()).containsExactly("y[0]", "y[1]");
        assertThat(floats(listed, "y[1]")).containsExactly(4, 6);
        Map<String, Tensor> stacked = run(doubled(), Map.of("s", Tensor.of(new float[] {1, 2, 3, 4}, 2, 2)));
        assertThat(floats(stacked, "y[1]")).containsExactly(6, 8);
    }

    @Test
    void theBytesOfAModelAreNotNeededAfterLoading() {
        TestModel test = ofSequence()
                .reals("w", 3, 4)
                .node("SequenceInsert", "s,w", "more")
                .node("ConcatFromSequence", "more", "y", integer("axis", 0))
                .output("y");
        byte[] bytes = test.build().toByteArray();
        try (Model model = ENGINE.load(bytes, ModelFormat.ONNX);
                Session session = model.session()) {
            Arrays.fill(bytes, (byte) 0);
            assertThat(floats(run(session, Map.of("s[0]", vector(1))), "y")).containsExactly(1, 3, 4);
        }
    }

    @Test
    void manySpecializationsAreRunOneAfterTheOther() {
        try (Model model = ENGINE.load(doubled().write(folder));
                Session session = model.session()) {
            for (int round = 0; round < 2; round++) {
                for (int count = 1; count <= 12; count++) {
                    Map<String, Tensor> given = new HashMap<>();
                    for (int i = 0; i < count; i++) {
                        given.put("s[" + i + "]", vector(i));
                    }
                    Map<String, Tensor> outputs = run(session, given);
                    assertThat(outputs).hasSize(count);
                    assertThat(floats(outputs, "y[" + (count - 1) + "]")).containsExactly(2 * (count - 1));
                }
            }
        }
    }

    /** The same session, with other elements of the same type. */
    @Test
    void sizesOfPartsComeFromARun() {
        TestModel model = TestModel.opset(18).input("x", 5).typed("size", INT64).node("SplitToSequence", "x,size", "y");
        model.graph().addOutput(value("y", sequence(tensors(FLOAT))));
        Tensor x = vector(1, 2, 3, 4, 5);
        try (Model loaded = ENGINE.load(model.write(folder));
                Session session = loaded.session()) {
            assertThat(run(session, Map.of("x", x, "size", Tensor.scalar(2L)))).hasSize(3);
            assertThat(floats(run(session, Map.of("x", x, "size", Tensor.scalar(3L))), "y[1]"))
                    .containsExactly(4, 5);
            assertThatThrownBy(() -> session.run(Map.of("x", x, "size", Tensor.scalar(0L))))
                    .isInstanceOf(GraphException.class)
                    .hasMessageContaining("parts of 0");
            assertThatThrownBy(() -> session.run(Map.of("x", x)))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("input 'size'");
            assertThatThrownBy(() -> session.run(Map.of("x", vector(1), "size", Tensor.scalar(1L))))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("input 'x' must be 5:float32");
            assertThatThrownBy(() -> session.placement(Map.of())).isInstanceOf(UnsupportedException.class);
        }
    }

    private static TestModel ofOptional(TypeProto held) {
        TestModel none = TestModel.opset(18)
                .reals("zero", -1)
                .node("Identity", "zero", "z")
                .output("z");
        TestModel some =
                TestModel.opset(18).node("OptionalGetElement", "o", "e").output("e");
        return with("o", optional(held))
                .node("OptionalHasElement", "o", "has")
                .node("If", "has", "y", graph("then_branch", some), graph("else_branch", none))
                .output("has", "y");
    }

    @Test
    void anOptionalTensorIsThereOrNot() {
        TestModel model = ofOptional(tensors(FLOAT));
        Map<String, Tensor> some = run(model, Map.of("o", vector(3, 4)));
        assertThat(whole(some, "has")).isOne();
        assertThat(floats(some, "y")).containsExactly(3, 4);
        Map<String, Tensor> none = run(model, Map.of());
        assertThat(whole(none, "has")).isZero();
        assertThat(floats(none, "y")).containsExactly(-1);
    }

    @Test
    void anOptionalSequenceIsThereOrNotOrHasNoValues() {
        TestModel model = with("o", optional(sequence(tensors(FLOAT))))
                .node("OptionalHasElement", "o", "has")
                .node("Identity", "o", "y")
                .output("has");
        model.graph().addOutput(value("y", optional(sequence(tensors(FLOAT)))));
        assertThat(run(model, Map.of("o[0]", vector(1), "o[1]", vector(2, 3))).keySet())
                .containsExactly("has", "y[0]", "y[1]");
        assertThat(run(model, Map.of("o", Tensor.of(new float[] {1, 2}, 2, 1))).keySet())
                .containsExactly("has", "y");
        Map<String, Tensor> empty = run(model, Map.of("o", Tensor.allocate(DType.FLOAT32, 0)));
        assertThat(whole(empty, "has")).isOne();
        assertThat(Objects.requireNonNull(empty.get("y")).elements()).isZero();
        Map<String, Tensor> none = run(model, Map.of());
        assertThat(whole(none, "has")).isZero();
        assertThat(none.keySet()).containsExactly("has");
    }

    @Test
    void aConditionThatARunGivesDecidesWhetherThereIsAValue() {
        TestModel some = TestModel.opset(18).node("Optional", "x", "a").output("a");
        TestModel none = TestModel.opset(18).node("Optional", "", "b").output("b");
        TestModel model = TestModel.opset(18)
                .input("x", 2)
                .typed("c", BOOL)
                .node("If", "c", "o", graph("then_branch", some), graph("else_branch", none))
                .node("OptionalHasElement", "o", "has")
                .output("has");
        model.graph().addOutput(value("o", optional(tensors(FLOAT))));
        Tensor no = Tensor.allocate(DType.BOOL);
        Tensor yes = no.copy();
        yes.setLong(0, 1);
        assertThat(floats(run(model, Map.of("x", vector(1, 2), "c", yes)), "o")).containsExactly(1, 2);
        assertThat(whole(run(model, Map.of("x", vector(1, 2), "c", no)), "has")).isZero();
    }

    @Test
    void anOptionalValueThatIsNotThereCannotBeRead() {
        TestModel model = with("o", optional(tensors(FLOAT)))
                .node("OptionalGetElement", "o", "y")
                .output("y");
        assertThatThrownBy(() -> run(model, Map.of()))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("its optional value holds nothing");
        assertThatThrownBy(() -> run(model, Map.of("o", Tensor.scalar(1L))))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("input 'o' must be");
    }

    @Test
    void whatIsGivenMustBeASequenceOfTheModel() {
        TestModel model = with("s", sequence(TestModel.info("", FLOAT, 2).getType()))
                .node("ConcatFromSequence", "s", "y", integer("axis", 0))
                .output("y");
        assertThat(floats(run(model, Map.of("s[0]", vector(1, 2))), "y")).containsExactly(1, 2);
        assertThatThrownBy(() -> run(model, Map.of()))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("input 's' (?x2:float32) is missing");
        assertThatThrownBy(() -> run(model, Map.of("s[0]", vector(1, 2), "s[1]", vector(1))))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("input 's[1]' must be 2:float32");
        assertThatThrownBy(() -> run(model, Map.of("s[0]", vector(1, 2), "s[2]", vector(1, 2))))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("no input 's[2]'");
        TestModel length = ofSequence().node("SequenceLength", "s", "n").output("n");
        assertThatThrownBy(() -> run(length, Map.of("s", Tensor.of(new long[0], 0))))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("input 's' must be 0:float32, but is 0:int64");
        assertThatThrownBy(() -> run(model, Map.of("s[0]", Tensor.scalar(1L)))).isInstanceOf(InputException.class);
    }

    @Test
    void aSequenceOfVeryManyValuesIsRefusedUnlessItIsOneTensor() {
        TestModel model = ofSequence().node("SequenceLength", "s", "n").output("n");
        Tensor value = vector(1);
        Map<String, Tensor> many = new HashMap<>();
        for (int i = 0; i < 100_000; i++) {
            many.put("s[" + i + "]", value);
        }
        assertThatThrownBy(() -> run(model, many))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("more than 10000 tensors");
        assertThat(whole(run(model, Map.of("s", Tensor.allocate(DType.FLOAT32, 100_000, 1))), "n"))
                .isEqualTo(100_000);
        assertThatThrownBy(() -> run(doubled(), Map.of("s", Tensor.allocate(DType.FLOAT32, 100_000, 1))))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("how many values it has");
    }

    @Test
    void whatNoRunCanTellIsRefusedAtOnce() {
        TestModel unknown = ofSequence().node("SequenceSort", "s", "y").output("y");
        assertThatThrownBy(() -> ENGINE.load(unknown.write(folder)))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("SequenceSort");
    }

    @Test
    void requestsWithSequencesAreNotJoined() {
        TestModel model = ofSequence()
                .node("ConcatFromSequence", "s", "y", integer("axis", 0))
                .output("y");
        try (Model loaded = ENGINE.load(model.write(folder))) {
            assertThatThrownBy(() -> loaded.pool(PoolOptions.defaults().withBatches(4, Duration.ZERO)))
                    .isInstanceOf(InputException.class);
        }
    }
}
