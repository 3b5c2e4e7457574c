package org.clinfer.cli.npy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.clinfer.cli.io.BadFileException;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files written here and files as NumPy and others write them, sound and broken. */
class NpyFileTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            mode = EnumSource.Mode.MATCH_NONE,
            names = {"BFLOAT16", "FLOAT8.*", "FLOAT4E2M1", "U?INT[24]", "U1"})
    void writtenTensorIsReadBack(DType dtype) throws IOException {
        Tensor tensor = Tensor.allocate(dtype, 2, 3, 5);
        for (int i = 0; i < 30; i++) {
            tensor.setLong(i, i % 7 - (dtype == DType.BOOL ? 0 : 3));
        }
        Path file = folder.resolve("t.npy");
        NpyFile.write(file, tensor);

        Tensor read = NpyFile.read(file);

        assertThat(read.type()).isEqualTo(tensor.type());
        assertThat(read.bytes()).isEqualTo(tensor.bytes());
        try (var entries = Files.list(folder)) {
            assertThat(entries).containsExactly(file);
        }
    }

    @Test
    void scalarAndEmptyShapesSurvive() throws IOException {
        for (Tensor tensor :
                new Tensor[] {Tensor.scalar(2.5f), Tensor.of(new long[] {4}, 1), Tensor.of(new float[0], 0, 3)}) {
            Path file = folder.resolve("s.npy");
            NpyFile.write(file, tensor);
            assertThat(NpyFile.read(file).type()).isEqualTo(tensor.type());
        }
    }

    @Test
    void headerIsAlignedAsTheFormatAsks() throws IOException {
        Path file = folder.resolve("a.npy");
        NpyFile.write(file, Tensor.of(new float[] {1, 2, 3}, 3));

        byte[] bytes = Files.readAllBytes(file);

        assertThat((bytes.length - 12) % 64).isZero();
        assertThat(bytes[bytes.length - 13]).isEqualTo((byte) '\n');
    }

    @Test
    void bfloat16BecomesFloat32AndBitsBecomeBool() throws IOException {
        Tensor bfloat = Tensor.of(new float[] {1.5f, -2}, 2).to(DType.BFLOAT16);
        Path file = folder.resolve("b.npy");
        NpyFile.write(file, bfloat);
        assertThat(NpyFile.read(file).toFloatArray()).containsExactly(1.5f, -2);

        Tensor bits = Tensor.allocate(DType.U1, 3);
        bits.setLong(1, 1);
        NpyFile.write(file, bits);
        assertThat(NpyFile.read(file).dtype()).isEqualTo(DType.BOOL);
        assertThat(NpyFile.read(file).toLongArray()).containsExactly(0, 1, 0);
    }

    @Test
    void whatNumpyDoesNotHaveBecomesWider() throws IOException {
        Path file = folder.resolve("c.npy");
        NpyFile.write(file, Tensor.of(new float[] {0.75f, -448}, 2).to(DType.FLOAT8E4M3FN));
        assertThat(NpyFile.read(file).toFloatArray()).containsExactly(0.75f, -448);
        NpyFile.write(file, Tensor.of(new long[] {-8, 7, 3}, 3).to(DType.INT4));
        assertThat(NpyFile.read(file).dtype()).isEqualTo(DType.INT8);
        assertThat(NpyFile.read(file).toLongArray()).containsExactly(-8, 7, 3);
        NpyFile.write(file, Tensor.of(new long[] {3, 1}, 2).to(DType.UINT2));
        assertThat(NpyFile.read(file).dtype()).isEqualTo(DType.UINT8);
        assertThat(NpyFile.read(file).toLongArray()).containsExactly(3, 1);
    }

    @Test
    void bigEndianElementsAreTurned() throws IOException {
        byte[] data = ByteBuffer.allocate(8).putFloat(1.25f).putFloat(-3).array();

        Tensor read = read(1, "{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }", data);

        assertThat(read.toFloatArray()).containsExactly(1.25f, -3);
    }

    @Test
    void columnMajorArrayIsReordered() throws IOException {
        // [[0, 1, 2], [3, 4, 5]] by columns
        byte[] data = {0, 3, 1, 4, 2, 5};

        Tensor read = read(2, "{'shape': (2, 3), 'fortran_order': True, 'descr': '|i1'}", data);

        assertThat(read.toLongArray()).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void columnMajorArrayOfThreeDimensionsIsReordered() throws IOException {
        byte[] data = new byte[24];
        for (int a = 0; a < 2; a++) {
            for (int b = 0; b < 3; b++) {
                for (int c = 0; c < 4; c++) {
                    data[a + 2 * b + 6 * c] = (byte) (100 * a + 10 * b + c);
                }
            }
        }

        Tensor read = read(3, "{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3, 4), }", data);

        assertThat(read.getLong((1 * 3 + 2) * 4 + 3)).isEqualTo(123);
        assertThat(read.getLong((0 * 3 + 1) * 4 + 2)).isEqualTo(12);
    }

    @Test
    void brokenHeadersAreRefusedWithTheirReason() {
        refused("{'descr': '<c8', 'fortran_order': False, 'shape': (4,), }", "'<c8' are not supported");
        refused("{'descr': '<c8', 'fortran_order': False, 'shape': (4,), }", "not supported");
        refused("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "needs 8 bytes, but 4 follow");
        refused("{'descr': '|i1', 'fortran_order': False, 'shape': (3,), }", "needs 3 bytes, but 4 follow");
        refused("{'descr': '|i1', 'fortran_order': False, 'shape': (-4,), }", "no valid 'shape'");
        refused("{'descr': '|i1', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4), }", "overflows");
        refused("{'descr': '<f8', 'fortran_order': False, 'shape': (999999999999,), }", "but 4 follow");
        refused("{'descr': '|i1', 'fortran_order': Maybe, 'shape': (4,), }", "no valid 'fortran_order'");
        refused("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (4,), }", "no valid 'descr'");
        refused("{'descr': '|i1', 'descr': '|i1', 'fortran_order': False, 'shape': (4,), }", "two 'descr'");
        refused("hello", "not a dictionary");
    }

    private void refused(String header, String reason) {
        assertThatThrownBy(() -> read(1, header, new byte[4]))
                .isInstanceOf(BadFileException.class)
                .hasMessageContaining("made.npy")
                .hasMessageContaining(reason);
    }

    @Test
    void otherFilesAreRefused() throws IOException {
        Path file = folder.resolve("x.npy");
        for (byte[] bytes : new byte[][] {
            {},
            "PK\3\4 not numpy".getBytes(StandardCharsets.ISO_8859_1),
            {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1},
            {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 9, 0, 10, 0},
            {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 2, 0, -1, -1, -1, -1},
            {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 100, 0, '{'}
        }) {
            Files.write(file, bytes);
            assertThatThrownBy(() -> NpyFile.read(file))
                    .isInstanceOf(BadFileException.class)
                    .hasMessageContaining("not a usable .npy file");
        }
    }

    private Tensor read(int version, String header, byte[] data) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', (byte) version, 0});
        ByteBuffer length = ByteBuffer.allocate(version == 1 ? 2 : 4).order(ByteOrder.LITTLE_ENDIAN);
        if (version == 1) {
            length.putShort((short) header.length());
        } else {
            length.putInt(header.length());
        }
        out.write(length.array());
        out.write(header.getBytes(StandardCharsets.UTF_8));
        out.write(data);
        Path file = folder.resolve("made.npy");
        Files.write(file, out.toByteArray());
        return NpyFile.read(file);
    }
}
