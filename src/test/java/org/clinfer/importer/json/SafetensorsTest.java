package org.clinfer.importer.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Importers;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Weights beside a model: what stands in the file, and files that are not what they should be. */
class SafetensorsTest {

    @TempDir
    Path folder;

    /** The constant w of a model that says its type and the file it stands in. */
    private Tensor read(String type, String dims, String file) throws IOException {
        String json = ("{'ops':[{'name':'w','optype':'Const','tensors_out':[{'arg_name':'y','name':'w'}],'params':["
                        + "{'arg_name':'dtype','value':'" + type + "'},{'arg_name':'dims','value':" + dims
                        + "},{'arg_name':'from_file','value':'" + file + "'}]},"
                        + "{'name':'o','optype':'Output','tensors_in':[{'arg_name':'x','name':'w'}]}]}")
                .replace('\'', '"');
        Path models = Files.createDirectories(folder.resolve("models"));
        return Objects.requireNonNull(Importers.builtIn()
                .read(Files.writeString(models.resolve("m.json"), json))
                .constants()
                .get("w"));
    }

    private void file(String header, int dataBytes) throws IOException {
        byte[] text = header.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(8 + text.length + dataBytes).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(text.length).put(text);
        for (int i = 0; i < dataBytes; i++) {
            bytes.put((byte) i);
        }
        Files.write(Files.createDirectories(folder.resolve("models")).resolve("w.safetensors"), bytes.array());
    }

    private static String entry(String name, String dtype, String shape, long begin, long end) {
        return "'" + name + "':{'dtype':'" + dtype + "','shape':" + shape + ",'data_offsets':[" + begin + "," + end
                + "]}";
    }

    @Test
    void everyTypeIsReadWhereItStands() throws IOException {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        for (DType dtype : DType.values()) {
            Tensor tensor = Tensor.allocate(dtype, 3);
            tensor.setLong(1, 1);
            tensors.put(dtype.label(), tensor);
        }
        tensors.put("w", Tensor.of(new long[] {5, -6}, 2, 1));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        SafetensorsWriter.write(tensors, bytes);
        Files.write(Files.createDirectories(folder.resolve("models")).resolve("w.safetensors"), bytes.toByteArray());

        assertThat(ByteBuffer.wrap(bytes.toByteArray())
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .getLong()
                        % 8)
                .isZero();
        Tensor read = read("int64", "[2,1]", "w.safetensors");
        assertThat(read.toLongArray()).containsExactly(5, -6);
        assertThat(read.bytes().isReadOnly()).as("mapped").isTrue();
    }

    @Test
    void filesOfOtherProgramsNeedNotAlign() throws IOException {
        file(
                "{" + entry("b", "U8", "[3]", 0, 3) + "," + entry("w", "F32", "[1]", 3, 7)
                        + ",'__metadata__':{'a':'b'}}",
                7);

        assertThat(read("float32", "[1]", "w.safetensors").bytes().getInt(0)).isEqualTo(0x06050403);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{'w':{'dtype':'F32','shape':[2],'data_offsets':[0,4]}}|4|needs 8 bytes, but has 4",
                "{'w':{'dtype':'F32','shape':[1],'data_offsets':[4,0]}}|4|data_offsets [4, 0]",
                "{'w':{'dtype':'F32','shape':[1],'data_offsets':[0]}}|4|data_offsets [0]",
                "{'w':{'dtype':'F32','shape':[1],'data_offsets':[-4,0]}}|4|expected a size, found -4",
                "{'w':{'dtype':'F32','shape':[1],'data_offsets':[0,4.0]}}|4|expected a size, found 4.0",
                "{'w':{'dtype':'F32','shape':[1],'data_offsets':[4,8]}}|8|leaves a gap at 0",
                "{'w':{'dtype':'F32','shape':[1],'data_offsets':[0,4]}}|3|ends at 4, but the file has 3",
                "{'w':{'dtype':'F32','shape':[1],'data_offsets':[0,4]}}|5|tensors end at 4, but it has 5",
                "{'w':{'dtype':'F32','shape':[9223372036854775807],'data_offsets':[0,4]}}|4|too large",
                "{'w':{'dtype':'F32','shape':[99223372036854775807],'data_offsets':[0,4]}}|4|does not fit 64 bits",
                "{'w':{'dtype':'F32','shape':[1],'data_offsets':[0,9223372036854775807]}}|4|needs 4 bytes",
                "{'w':{'dtype':'F32','shape':[1],'data_offsets':[0,4]},'v':{'dtype':'F32','shape':[1],'data_offsets':[2,6]}}|6|overlaps the tensor before it",
                "{'w':{'dtype':'F32','shape':[1],'data_offsets':[0,4]},'w':{'dtype':'F32','shape':[1],'data_offsets':[4,8]}}|8|Duplicate",
                "{'w':{'dtype':'F32','shape':[1]}}|4|needs dtype, shape, data_offsets",
                "{'w':{'dtype':'F32','shape':[1],'data_offsets':[0,4],'x':1}}|4|unknown field `x`",
                "{'w':3}|4|expected a tensor, found 3",
                "{'w':{'dtype':'F64','shape':[1],'data_offsets':[0,8]}}|8|it is 1:float64, but m.json says 1:float32",
                "{'w':{'dtype':'F32','shape':[1,1],'data_offsets':[0,4]}}|4|it is 1x1:float32",
                "{'v':{'dtype':'F32','shape':[1],'data_offsets':[0,4]}}|4|has no tensor `w`",
                "{'__metadata__':{'a':1}}|0|expected a string, found 1",
                "{}|0|has no tensor `w`",
                "[]|0|expected a table of tensors",
                "{|0|w.safetensors: line 1",
                "/**/{}|0|w.safetensors: line 1",
            })
    void malformedFiles(String header, int dataBytes, String message) throws IOException {
        file(header, dataBytes);
        assertThatThrownBy(() -> read("float32", "[1]", "w.safetensors"))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessageContaining("w.safetensors")
                .hasMessageContaining(message.replace('`', '\''));
    }

    @Test
    void typesThatAreNotOurs() throws IOException {
        file("{" + entry("w", "F8_E8M0", "[1]", 0, 1) + "}", 1);
        assertThatThrownBy(() -> read("float32", "[1]", "w.safetensors"))
                .isInstanceOf(UnsupportedException.class)
                .hasMessage("w.safetensors: tensor 'w': its data type F8_E8M0 is not supported");
        file("{" + entry("w", "BOOL", "[3]", 0, 3) + "}", 3);
        assertThatThrownBy(() -> read("bool", "[3]", "w.safetensors")).hasMessageContaining("element 2 is 2");
    }

    @Test
    void bitsAreARowOfBytes() throws IOException {
        Tensor bits = Tensor.allocate(DType.U1, 3, 7);
        for (long i = 0; i < bits.elements(); i++) {
            bits.setLong(i, i * i / 3 % 2);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        SafetensorsWriter.write(Map.of("w", bits), bytes);
        Files.write(Files.createDirectories(folder.resolve("models")).resolve("w.safetensors"), bytes.toByteArray());

        assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("{\"dtype\":\"U8\",\"shape\":[3],");
        assertThat(read("u1", "[3,7]", "w.safetensors").toLongArray()).isEqualTo(bits.toLongArray());
        assertThat(read("u1", "[24]", "w.safetensors").elements()).isEqualTo(24);
        assertThatThrownBy(() -> read("u1", "[25]", "w.safetensors"))
                .isExactlyInstanceOf(GraphException.class)
                .hasMessage("w.safetensors: tensor 'w': it is 3:uint8, but m.json says 25:u1");
        assertThatThrownBy(() -> read("int8", "[3]", "w.safetensors"))
                .hasMessage("w.safetensors: tensor 'w': it is 3:uint8, but m.json says 3:int8");
        assertThat(read("uint8", "[3]", "w.safetensors").bytes()).isEqualTo(bits.bytes());
        file("{" + entry("w", "BOOL", "[3]", 0, 3) + "}", 3);
        assertThatThrownBy(() -> read("u1", "[3]", "w.safetensors"))
                .hasMessage("w.safetensors: tensor 'w': it is 3:bool, but m.json says 3:u1");
        file("{'w':{'dtype':'U8','shape':[3],'data_offsets':[0,4]}}", 4);
        assertThatThrownBy(() -> read("u1", "[24]", "w.safetensors")).hasMessageContaining("needs 3 bytes, but has 4");
    }

    @Test
    void headersThatLie() throws IOException {
        Path file = Files.createDirectories(folder.resolve("models")).resolve("w.safetensors");
        for (long length : new long[] {17, 1L << 40, Long.MAX_VALUE, -1, Long.MIN_VALUE}) {
            ByteBuffer bytes = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
            Files.write(file, bytes.putLong(0, length).array());
            assertThatThrownBy(() -> read("float32", "[1]", "w.safetensors"))
                    .isExactlyInstanceOf(GraphException.class)
                    .hasMessageContaining("not a safetensors file");
        }
        Files.write(file, new byte[7]);
        assertThatThrownBy(() -> read("float32", "[1]", "w.safetensors")).hasMessageContaining("it has 7 bytes");
        file("{'w':" + "[".repeat(50_000), 0);
        assertThatThrownBy(() -> read("float32", "[1]", "w.safetensors")).isExactlyInstanceOf(GraphException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../w.safetensors",
                "a/../../w.safetensors",
                "/tmp/w.safetensors",
                "link.safetensors",
                "gone.safetensors",
                "w.bin",
                ""
            })
    void placesThatAreNotBesideTheModel(String location) throws IOException {
        file("{" + entry("w", "F32", "[1]", 0, 4) + "}", 4);
        Path models = folder.resolve("models");
        Files.copy(models.resolve("w.safetensors"), folder.resolve("w.safetensors"));
        Files.createSymbolicLink(models.resolve("link.safetensors"), folder.resolve("w.safetensors"));
        assertThat(read("float32", "[1]", "w.safetensors").elements()).isEqualTo(1);
        assertThatThrownBy(() -> read("float32", "[1]", location))
                .isInstanceOf(GraphException.class)
                .isNotInstanceOf(UnsupportedException.class)
                .hasMessageStartingWith("m.json: node 0 'w' (Const): ");
    }
}
