package org.clinfer.demo.training;

import ai.djl.ndarray.NDArray;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Writes a float32 tensor as a NumPy file, version 1.0. */
final class NpyFile {

    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    private static final int ALIGNMENT = 64;

    private NpyFile() {}

    static void write(Path file, NDArray tensor) throws IOException {
        Files.write(file, bytes(tensor.getShape().getShape(), tensor.toFloatArray()));
    }

    /** The whole file for at least two dimensions. */
    static byte[] bytes(long[] dims, float[] values) {
        String shape = Arrays.stream(dims).mapToObj(Long::toString).collect(Collectors.joining(", "));
        String header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + "), }";
        int unpadded = MAGIC.length + Short.BYTES + header.length() + 1;
        header += " ".repeat((ALIGNMENT - unpadded % ALIGNMENT) % ALIGNMENT) + "\n";
        int length = MAGIC.length + Short.BYTES + header.length() + values.length * Float.BYTES;
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(MAGIC).putShort((short) header.length()).put(header.getBytes(StandardCharsets.US_ASCII));
        bytes.asFloatBuffer().put(values);
        return bytes.array();
    }
}
