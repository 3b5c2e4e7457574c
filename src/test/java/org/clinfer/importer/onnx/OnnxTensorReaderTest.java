package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.tensor;

import com.google.protobuf.ByteString;
import java.nio.file.Files;
import java.nio.file.Path;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OnnxTensorReaderTest {

    private static final SourceRef SOURCE = new SourceRef("test.onnx", "initializer 'w'");

    private static Tensor read(TensorProto.Builder proto) {
        return new OnnxTensorReader(new ExternalData(Path.of("test.onnx"))).read(proto.build(), SOURCE);
    }

    private static void assertMalformed(TensorProto.Builder proto, String message) {
        assertThatThrownBy(() -> read(proto))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageStartingWith("test.onnx: initializer 'w': ")
                .hasMessageContaining(message);
    }

    private static ByteString bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return ByteString.copyFrom(bytes);
    }

    @Test
    void typedFields() {
        assertThat(read(tensor("w", 1, 2).addFloatData(0.5f).addFloatData(-1)).toFloatArray())
                .containsExactly(0.5f, -1);
        assertThat(read(tensor("w", 11, 1).addDoubleData(1e300)).getDouble(0)).isEqualTo(1e300);
        assertThat(read(tensor("w", 7, 1).addInt64Data(Long.MIN_VALUE)).getLong(0))
                .isEqualTo(Long.MIN_VALUE);
    }

    @ParameterizedTest
    @CsvSource({
        "3,-5,int8,-5",
        "5,-300,int16,-300",
        "6,70000,int32,70000",
        "9,1,bool,1",
        "9,7,bool,1",
        "2,255,uint8,255",
        "4,65535,uint16,65535",
        "9,0,bool,0",
        "10,15360,float16,1",
        "16,16256,bfloat16,1"
    })
    void int32FieldHoldsNarrowTypes(int type, int stored, String label, long value) {
        Tensor tensor = read(tensor("w", type, 1).addInt32Data(stored));

        assertThat(tensor.dtype().label()).isEqualTo(label);
        assertThat(tensor.getLong(0)).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({
        "1,float32",
        "2,uint8",
        "3,int8",
        "4,uint16",
        "5,int16",
        "6,int32",
        "7,int64",
        "9,bool",
        "10,float16",
        "11,float64",
        "12,uint32",
        "13,uint64",
        "16,bfloat16"
    })
    void rawDataOfEveryType(int type, String label) {
        DType dtype = DType.of(label).orElseThrow();
        try (Tensor expected = Tensor.allocate(dtype, 1, 3)) {
            for (int i = 0; i < 3; i++) {
                expected.setLong(i, i % 2);
            }
            Tensor found = read(tensor("w", type, 1, 3).setRawData(ByteString.copyFrom(expected.bytes())));

            assertThat(found.type()).isEqualTo(expected.type());
            assertThat(found.bytes()).isEqualTo(expected.bytes());
        }
    }

    @Test
    void unsignedIntsOf32BitsStandInTheFieldOf64() {
        Tensor tensor = read(tensor("w", 12, 1).addUint64Data(4294967295L));

        assertThat(tensor.getLong(0)).isEqualTo(4294967295L);
        assertMalformed(tensor("w", 12, 1).addInt32Data(1), "it has 0 in the field of that type");
    }

    @Test
    void rawBooleansBecomeZeroOrOne() {
        Tensor tensor = read(tensor("w", 9, 3).setRawData(bytes(0, 255, 1)));

        assertThat(tensor.bytes()).isEqualTo(bytes(0, 1, 1).asReadOnlyByteBuffer());
    }

    @Test
    void scalarsAndEmptyTensors() {
        assertThat(read(tensor("w", 7).addInt64Data(4)).shape().rank()).isZero();
        assertThat(read(tensor("w", 1, 0, 5)).elements()).isZero();
        assertThat(read(tensor("w", 1, 0).setRawData(ByteString.EMPTY)).elements())
                .isZero();
        assertThat(read(tensor("w", 1, 1).setRawData(ByteString.EMPTY).addFloatData(2))
                        .getDouble(0))
                .isEqualTo(2);
    }

    @Test
    void countsMustAgree() {
        assertMalformed(tensor("w", 1, 3).addFloatData(1), "its type 3:float32 needs 3 elements, but it has 1");
        assertMalformed(tensor("w", 1, 3), "needs 3 elements, but it has 0");
        assertMalformed(tensor("w", 1, 1).addInt64Data(1), "it has 0 in the field of that type");
        assertMalformed(tensor("w", 1, 2).setRawData(bytes(0, 0, 0, 0)), "needs 8 bytes, but it has 4");
        assertMalformed(tensor("w", 1).setRawData(bytes(0, 0, 0, 0)).addFloatData(1), "raw data and 1 elements");
    }

    @Test
    void claimsAreRefusedBeforeMemoryIsTaken() {
        assertMalformed(tensor("w", 1, 2_500_000_000L).addFloatData(1), "needs 2500000000 elements");
        assertMalformed(tensor("w", 1, 100_000, 25_000).setRawData(bytes(1)), "needs 10000000000 bytes");
        assertMalformed(tensor("w", 1, Long.MAX_VALUE, 4), "are too large");
        assertMalformed(tensor("w", 1, Long.MAX_VALUE / 2), "are too large");
        assertMalformed(tensor("w", 1, 2, -3).addFloatData(1), "dims [2, -3] must be >= 0");
    }

    @ParameterizedTest
    @CsvSource({"8,string", "14,complex64", "15,complex128", "99,number 99"})
    void otherTypesAreRefusedByName(int type, String name) {
        assertThatThrownBy(() -> read(tensor("w", type, 1)))
                .isInstanceOfSatisfying(
                        UnsupportedException.class,
                        refused -> assertThat(refused.feature()).isEqualTo("data type " + name));
    }

    @Test
    void noTypeAndSegments() {
        assertMalformed(tensor("w", 0, 1), "has no element type");
        assertThatThrownBy(() -> read(tensor("w", 1, 1).setSegment(TensorProto.Segment.newBuilder())))
                .isInstanceOf(UnsupportedException.class);
    }

    /** Several elements of less than a byte share an element of int32_data, low bits first. */
    @Test
    void elementsThatShareBytes() {
        Tensor fours =
                read(tensor("w", 22, 5).addInt32Data(0x10).addInt32Data(0xc7).addInt32Data(0x08));
        assertThat(fours.toLongArray()).containsExactly(0, 1, 7, -4, -8);
        Tensor unsigned = read(tensor("w", 21, 3).setRawData(bytes(0x2f, 0x01)));
        assertThat(unsigned.toLongArray()).containsExactly(15, 2, 1);
        Tensor twos = read(tensor("w", 26, 5).addInt32Data(0xb4).addInt32Data(3));
        assertThat(twos.toLongArray()).containsExactly(0, 1, -1, -2, -1);
        Tensor reals = read(tensor("w", 23, 3).addInt32Data(0x7f).addInt32Data(0x09));
        assertThat(reals.toFloatArray()).containsExactly(-6, 6, -0.5f);
        Tensor bytes = read(tensor("w", 17, 2).addInt32Data(0x7e).addInt32Data(0xb8));
        assertThat(bytes.toFloatArray()).containsExactly(448, -1);
        assertMalformed(tensor("w", 22, 5).addInt32Data(1), "needs 3 elements, but it has 1");
    }

    @Test
    void fileRoundTrip(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("t.pb");
        for (DType dtype : DType.values()) {
            if (dtype == DType.U1) {
                continue;
            }
            try (Tensor tensor = Tensor.allocate(dtype, 2, 3)) {
                tensor.setLong(4, 1);
                TensorProtoFile.write(file, "name", tensor);
                TensorProtoFile.Named read = TensorProtoFile.readNamed(file);

                assertThat(read.name()).isEqualTo("name");
                assertThat(read.tensor().type()).isEqualTo(tensor.type());
                assertThat(read.tensor().bytes()).isEqualTo(tensor.bytes());
                assertThat(TensorProtoFile.read(file).type()).isEqualTo(tensor.type());
            }
        }
        assertThatThrownBy(() -> TensorProtoFile.write(file, "u", Tensor.allocate(DType.U1, 8)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void filesThatAreNoTensors(@TempDir Path folder) throws Exception {
        Path missing = folder.resolve("none.pb");
        Path empty = Files.createFile(folder.resolve("empty.pb"));
        Path text = Files.writeString(folder.resolve("text.pb"), "no tensor at all");

        assertThatThrownBy(() -> TensorProtoFile.read(missing)).hasMessageContaining("no such file");
        assertThatThrownBy(() -> TensorProtoFile.read(empty)).hasMessageContaining("the file is empty");
        assertThatThrownBy(() -> TensorProtoFile.read(text))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("not a valid tensor file");
    }
}
