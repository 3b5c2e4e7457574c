package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.onnx.proto.StringStringEntryProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExternalDataTest {

    @TempDir
    private Path outer;

    private Path folder = Path.of("");

    @BeforeEach
    void writeWeights() throws IOException {
        folder = Files.createDirectory(outer.resolve("model"));
        ByteBuffer bytes = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 8; i++) {
            bytes.putFloat(i + 0.5f);
        }
        Files.write(folder.resolve("weights.bin"), bytes.array());
        Files.write(outer.resolve("secret.bin"), bytes.array());
    }

    private static TensorProto.Builder external(String name, String location, String offset, String length) {
        TensorProto.Builder tensor =
                TestModel.tensor(name, TestModel.FLOAT, 2).setDataLocation(TensorProto.DataLocation.EXTERNAL);
        tensor.addExternalData(entry("location", location));
        if (!offset.isEmpty()) {
            tensor.addExternalData(entry("offset", offset));
        }
        if (!length.isEmpty()) {
            tensor.addExternalData(entry("length", length));
        }
        return tensor.addExternalData(entry("checksum", "0"));
    }

    private static StringStringEntryProto entry(String key, String value) {
        return StringStringEntryProto.newBuilder().setKey(key).setValue(value).build();
    }

    private Graph read(TensorProto.Builder... tensors) {
        TestModel model = TestModel.opset(13);
        for (TensorProto.Builder tensor : tensors) {
            model.initializer(tensor).output(tensor.getName());
        }
        return model.read(folder);
    }

    private static float[] values(Graph graph, String name) {
        return Objects.requireNonNull(graph.constants().get(name)).toFloatArray();
    }

    @Test
    void tensorsShareOneMappedFile() {
        Graph graph = read(
                external("a", "weights.bin", "", ""),
                external("b", "weights.bin", "8", "8"),
                external("c", "./sub/../weights.bin", "24", ""));

        assertThat(values(graph, "a")).containsExactly(0.5f, 1.5f);
        assertThat(values(graph, "b")).containsExactly(2.5f, 3.5f);
        assertThat(values(graph, "c")).containsExactly(6.5f, 7.5f);
        assertThat(Objects.requireNonNull(graph.constants().get("a")).bytes().isReadOnly())
                .isTrue();
    }

    @Test
    void weightsBeyondOneMappingAreReached() throws IOException {
        long end = 3L << 30;
        try (RandomAccessFile file =
                new RandomAccessFile(folder.resolve("large.bin").toFile(), "rw")) {
            file.setLength(end);
            file.seek(end - 8);
            file.writeInt(Integer.reverseBytes(Float.floatToIntBits(42)));
        }
        Graph graph = read(
                external("first", "large.bin", "0", ""),
                external("across", "large.bin", Long.toString((2L << 30) - 4), ""),
                external("last", "large.bin", Long.toString(end - 8), "8"));

        assertThat(values(graph, "first")).containsExactly(0, 0);
        assertThat(values(graph, "across")).containsExactly(0, 0);
        assertThat(values(graph, "last")).containsExactly(42, 0);
    }

    private void assertMalformed(TensorProto.Builder tensor, String message) {
        assertThatThrownBy(() -> read(tensor))
                .isInstanceOf(GraphException.class)
                .isNotInstanceOf(UnsupportedException.class)
                .hasMessageStartingWith("test.onnx: initializer '" + tensor.getName() + "': ")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../secret.bin", "sub/../../secret.bin", "/etc/passwd", ".."})
    void placesOutsideTheFolderAreRefused(String location) {
        assertMalformed(external("w", location, "", ""), "is outside the model's folder");
    }

    @Test
    void linksOutOfTheFolderAreRefused() throws IOException {
        Files.createSymbolicLink(folder.resolve("link.bin"), outer.resolve("secret.bin"));

        assertMalformed(external("w", "link.bin", "", ""), "is outside the model's folder");
    }

    @Test
    void filesThatAreNone() throws IOException {
        Files.createDirectory(folder.resolve("sub"));

        assertMalformed(external("w", "none.bin", "", ""), "'none.bin' is missing");
        assertMalformed(external("w", "sub", "", ""), "is not a regular file");
        assertMalformed(external("w", "a\0b", "", ""), "is not a file name");
        assertMalformed(external("w", "", "", ""), "has no location");
    }

    @ParameterizedTest
    @CsvSource({
        "28,'',has 32",
        "33,'',has 32",
        "9223372036854775807,'',has 32",
        "-1,'',must be a number >= 0",
        "x,'',must be a number >= 0",
        "0,4,but its external data has 4",
        "0,-8,must be a number >= 0",
        "99999999999999999999,'',must be a number >= 0"
    })
    void placesOutsideTheFileAreRefused(String offset, String length, String message) {
        assertMalformed(external("w", "weights.bin", offset, length), message);
    }

    @Test
    void hugeClaimsAreRefusedBeforeMemoryIsTaken() {
        assertMalformed(external("w", "weights.bin", "", "").setDims(0, 1L << 60), "but the external file");
    }

    @Test
    void dataBesideExternalDataIsRefused() {
        assertMalformed(external("w", "weights.bin", "", "").addFloatData(1), "external data and data in the model");
    }

    @Test
    void externalBooleansBecomeZeroOrOne() {
        TensorProto.Builder tensor = external("w", "weights.bin", "", "").setDataType(TestModel.BOOL);
        Tensor read = Objects.requireNonNull(read(tensor).constants().get("w"));

        assertThat(read.toLongArray()).containsExactly(0, 0);
        assertThat(read.bytes().isReadOnly()).isFalse();
    }
}
