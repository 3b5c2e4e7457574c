package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.FLOAT;

import com.google.protobuf.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Specializations.Kind;
import org.clinfer.importer.onnx.proto.OptionalProto;
import org.clinfer.importer.onnx.proto.SequenceProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files of sequences and optional values. */
class SequenceProtoFileTest {

    private static final Graph.Input INPUT = new Graph.Input("x", TensorType.of(DType.FLOAT32));

    @TempDir
    private Path folder;

    private Path file(Message message) throws IOException {
        return Files.write(folder.resolve("s.pb"), message.toByteArray());
    }

    private static TensorProto vector(float... values) {
        TensorProto.Builder tensor = TestModel.tensor("", FLOAT, values.length);
        for (float value : values) {
            tensor.addFloatData(value);
        }
        return tensor.build();
    }

    private static SequenceProto sequence(TensorProto... values) {
        SequenceProto.Builder sequence = SequenceProto.newBuilder().setName("s").setElemType(1);
        for (TensorProto value : values) {
            sequence.addTensorValues(value);
        }
        return sequence.build();
    }

    private static OptionalProto.Builder optional(int type) {
        return OptionalProto.newBuilder().setName("o").setElemType(type);
    }

    private Map<String, Tensor> given(Message message, Kind kind) throws IOException {
        return SequenceProtoFile.of(file(message), kind).given(INPUT);
    }

    @Test
    void aSequenceIsATensorForEachValue() throws IOException {
        Map<String, Tensor> given = given(sequence(vector(1), vector(2, 3)), Kind.SEQUENCE);
        assertThat(given.keySet()).containsExactly("x[0]", "x[1]");
        assertThat(Objects.requireNonNull(given.get("x[1]")).toFloatArray()).containsExactly(2, 3);
    }

    /** Its name is where a tensor has its shape. */
    @Test
    void aSequenceWithoutValuesIsOneTensorWithoutThem() throws IOException {
        Map<String, Tensor> given = given(sequence(), Kind.SEQUENCE);
        assertThat(given.keySet()).containsExactly("x");
        assertThat(Objects.requireNonNull(given.get("x")).type()).isEqualTo(TensorType.of(DType.FLOAT32, 0));
    }

    @Test
    void aLongSequenceIsOneTensor() throws IOException {
        SequenceProto.Builder many = SequenceProto.newBuilder();
        for (int i = 0; i < 100_000; i++) {
            many.addTensorValues(vector(i));
        }
        Map<String, Tensor> given = given(many.build(), Kind.SEQUENCE);
        assertThat(Objects.requireNonNull(given.get("x")).type()).isEqualTo(TensorType.of(DType.FLOAT32, 100_000, 1));
    }

    @Test
    void anOptionalValueHoldsATensorOrASequenceOrNothing() throws IOException {
        OptionalProto tensor = optional(1).setTensorValue(vector(5)).build();
        assertThat(Objects.requireNonNull(given(tensor, Kind.OPTIONAL).get("x")).toFloatArray())
                .containsExactly(5);
        OptionalProto values = optional(3).setSequenceValue(sequence(vector(1))).build();
        assertThat(given(values, Kind.OPTIONAL_SEQUENCE).keySet()).containsExactly("x[0]");
        assertThat(given(optional(0).build(), Kind.OPTIONAL)).isEmpty();
        assertThat(given(optional(0).build(), Kind.OPTIONAL_SEQUENCE)).isEmpty();
    }

    @Test
    void outputsAreComparedAsTheyCameOut() throws IOException {
        SequenceProtoFile two = SequenceProtoFile.of(file(sequence(vector(1), vector(2))), Kind.SEQUENCE);
        assertThat(two.expected(Map.of()).keySet()).containsExactly("s[0]", "s[1]");
        Tensor whole = Tensor.allocate(DType.FLOAT32, 2, 1);
        assertThat(two.expected(Map.of("s", whole)).keySet()).containsExactly("s");
        SequenceProtoFile none = SequenceProtoFile.of(file(sequence()), Kind.SEQUENCE);
        assertThat(none.expected(Map.of("s", Tensor.allocate(DType.INT64, 0))).keySet())
                .containsExactly("s");
        assertThat(none.expected(Map.of("s[0]", whole))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aFileOfAnotherKindIsRefused(Kind kind) throws IOException {
        TensorProto tensor = vector(1, 2);
        OptionalProto otherOptional = kind == Kind.OPTIONAL_SEQUENCE
                ? optional(1).setTensorValue(tensor).build()
                : optional(3).setSequenceValue(sequence(vector(1))).build();
        for (Message other : new Message[] {tensor, otherOptional}) {
            assertThatThrownBy(() -> given(other, kind))
                    .isInstanceOf(GraphException.class)
                    .hasMessageStartingWith("s.pb: ");
        }
    }

    @Test
    void aSequenceIsNoTensor() throws IOException {
        Path file = file(sequence(vector(1)));
        assertThatThrownBy(() -> TensorProtoFile.read(file)).isInstanceOf(GraphException.class);
    }

    @Test
    void aMalformedValueIsNamed() throws IOException {
        TensorProto wrong = TestModel.tensor("", FLOAT, 7).addFloatData(1).build();
        assertThatThrownBy(() -> given(sequence(vector(1), wrong), Kind.SEQUENCE))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("value 1 of 's'");
    }
}
