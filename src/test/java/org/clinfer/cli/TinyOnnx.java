package org.clinfer.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes ONNX files of a single node, {@code y = op(x)} on {@code 1x4:float32}. */
final class TinyOnnx {

    private TinyOnnx() {}

    static Path write(Path file, String op) throws IOException {
        byte[] node = join(text(1, "x"), text(2, "y"), text(4, op));
        byte[] graph = join(message(1, node), text(2, "tiny"), message(11, value("x")), message(12, value("y")));
        byte[] opset = join(text(1, ""), number(2, 13));
        Files.createDirectories(file.toAbsolutePath().getParent());
        return Files.write(file, join(number(1, 8), message(7, graph), message(8, opset)));
    }

    private static byte[] value(String name) throws IOException {
        byte[] shape = join(message(1, number(1, 1)), message(1, number(1, 4)));
        byte[] tensorType = join(number(1, 1), message(2, shape));
        return join(text(1, name), message(2, message(1, tensorType)));
    }

    private static byte[] text(int field, String value) throws IOException {
        return message(field, value.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] message(int field, byte[] content) throws IOException {
        return join(new byte[] {(byte) ((field << 3) | 2), (byte) content.length}, content);
    }

    private static byte[] number(int field, int value) {
        return new byte[] {(byte) (field << 3), (byte) value};
    }

    private static byte[] join(byte[]... parts) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.write(part);
        }
        return out.toByteArray();
    }
}
