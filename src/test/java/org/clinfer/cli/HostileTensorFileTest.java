package org.clinfer.cli;

import static org.clinfer.cli.Ran.clinfer;
import static org.clinfer.robustness.OnnxModel.text;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.robustness.OnnxModel;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Input tensors, arrays and pictures that do not fit the model or are damaged. */
final class HostileTensorFileTest extends HostileInput {

    @Test
    void inputsThatDoNotFit() throws IOException {
        Path model = write(oneByFour("Relu").bytes());
        assertRefused(clinfer("run", model, "--device", "cpu"), "x (1x4:float32)");
        assertRefused(clinfer("run", model, "--device", "cpu", "--input", "z=zeros"), "no input 'z'");
        Path five = npy("five.npy", Tensor.of(new float[5], 1, 5));
        assertRefused(clinfer("run", model, "--device", "cpu", "--input", five), "1x4:float32", "1x5:float32");
        Path flat = npy("flat.npy", Tensor.of(new float[4], 4));
        assertRefused(clinfer("run", model, "--device", "cpu", "--input", flat), "1x4:float32", "4:float32");
        Path longs = npy("longs.npy", Tensor.of(new long[4], 1, 4));
        assertRefused(clinfer("run", model, "--device", "cpu", "--input", longs), "1x4:float32", "1x4:int64");
        assertRefused(
                clinfer("run", model, "--device", "cpu", "--input", "x=100000x100000x100000x100000x10000:zeros"),
                "too large");
        assertRefused(clinfer("check", model, "--device", "cpu", "--input", "x=1x5"), "1x5");
        assertRefused(clinfer("check", model, "--device", "cpu", "--input", "x=-1x5"), "-1x5");
    }

    @Test
    void aFolderAsInput() throws IOException {
        Path model = write(oneByFour("Relu").bytes());
        Path npy = Files.createDirectory(folder.resolve("folder.npy"));
        assertRefused(clinfer("run", model, "--device", "cpu", "--input", npy), "folder.npy", "it is a folder");
    }

    private void assertInputRefused(String name, byte[] content, String reason) throws IOException {
        Path model = write(
                new OnnxModel().input("x", 1, 3, 8, 8).node("Relu", "x", "y").bytes());
        Path file = Files.write(folder.resolve(name), content);
        assertRefused(clinfer("run", model, "--device", "cpu", "--input", file), name, reason);
    }

    @Test
    void arraysThatAreNone() throws IOException {
        assertInputRefused("a.npy", new byte[0], "ends early");
        assertInputRefused("a.npy", new byte[100], "NUMPY");
        assertInputRefused("a.npy", npyHeader("'descr': '|O', 'fortran_order': False, 'shape': (4,)"), "|O");
        assertInputRefused("a.npy", npyHeader("'descr': '<f4', 'fortran_order': False, 'shape': (-4,)"), "shape");
        assertInputRefused(
                "a.npy",
                npyHeader("'descr': '<f4', 'fortran_order': False, 'shape': (4000000000, 4000000000, 9)"),
                "overflows");
        assertInputRefused(
                "a.npy", npyHeader("'descr': '<f4', 'fortran_order': False, 'shape': (100000000000,)"), "bytes");
        byte[] header = npyHeader("'descr': '<f4', 'fortran_order': False, 'shape': (4,)");
        assertInputRefused("a.npy", Arrays.copyOf(header, header.length - 3), "ends early");
        assertInputRefused("a.npy", header, "bytes");
        assertInputRefused("a.npy", npyHeader("'shape': " + "(".repeat(2000)), "descr");
    }

    private static byte[] npyHeader(String entries) {
        byte[] text = ("{" + entries + "}\n").getBytes(StandardCharsets.US_ASCII);
        byte[] file = new byte[10 + text.length];
        System.arraycopy(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0}, 0, file, 0, 8);
        file[8] = (byte) text.length;
        file[9] = (byte) (text.length >> 8);
        System.arraycopy(text, 0, file, 10, text.length);
        return file;
    }

    @Test
    void tensorFilesThatAreNone() throws IOException {
        assertInputRefused("a.pb", new byte[0], "empty");
        assertInputRefused("a.pb", new byte[] {8, 1, 8}, "a.pb");
        TensorProto claim =
                TensorProto.newBuilder().setDataType(1).addDims(1L << 40).build();
        assertInputRefused("a.pb", claim.toByteArray(), "it has 0");
        TensorProto other = TensorProto.newBuilder()
                .setDataType(1)
                .addDims(2)
                .addFloatData(1)
                .addFloatData(2)
                .build();
        Path model = write(oneByFour("Relu").bytes());
        Path file = Files.write(folder.resolve("b.pb"), other.toByteArray());
        assertRefused(clinfer("run", model, "--device", "cpu", "--input", file), "1x4:float32", "2:float32");
    }

    @Test
    void picturesThatAreNone() throws IOException {
        assertInputRefused("a.png", "no picture".getBytes(StandardCharsets.UTF_8), "not a PNG");
        byte[] bomb = pngHeader(100_000, 100_000);
        assertInputRefused("a.png", bomb, "100000x100000");
        assertInputRefused("a.png", pngHeader(8, 8), "a.png");
        assertInputRefused("a.png", Arrays.copyOf(bomb, 20), "a.png");
        assertInputRefused("a.png", pngHeader(-5, 7), "a.png");
        assertInputRefused("a.jpg", new byte[] {(byte) 0xff, (byte) 0xd8, (byte) 0xff, (byte) 0xe0, 0}, "a.jpg");
        assertInputRefused("a.gif", "GIF89a".getBytes(StandardCharsets.US_ASCII), "a.gif");
        assertInputRefused("a.bmp", new byte[] {'B', 'M', 0, 0, 0, 0}, "a.bmp");
        assertInputRefused("a.ppm", "P6 99999999 99999999 255 ".getBytes(StandardCharsets.US_ASCII), "pixels");
        assertInputRefused("a.pgm", "P5 4 4 255 ab".getBytes(StandardCharsets.US_ASCII), "ends early");
    }

    /** A PNG file of a header and nothing else. */
    private static byte[] pngHeader(int width, int height) {
        ByteBuffer file = ByteBuffer.allocate(33);
        file.put(new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10});
        file.putInt(13).put("IHDR".getBytes(StandardCharsets.US_ASCII));
        file.putInt(width).putInt(height).put(new byte[] {8, 2, 0, 0, 0});
        CRC32 crc = new CRC32();
        crc.update(file.array(), 12, 17);
        file.putInt((int) crc.getValue());
        return file.array();
    }
}
