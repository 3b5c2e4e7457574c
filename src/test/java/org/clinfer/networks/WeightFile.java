package org.clinfer.networks;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.function.IntToDoubleFunction;
import org.clinfer.importer.onnx.proto.StringStringEntryProto;
import org.clinfer.importer.onnx.proto.TensorProto;

/** The weights of one network, in a file beside it. */
final class WeightFile implements AutoCloseable {

    private static final int FLOAT = 1;
    private static final int ALIGNMENT = 64;
    private static final int BUFFER_BYTES = 1 << 20;

    private final RandomAccessFile file;
    private final String name;
    private final boolean zeros;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private long end;

    WeightFile(Path path, boolean zeros) throws IOException {
        this.file = new RandomAccessFile(path.toFile(), "rw");
        file.setLength(0);
        this.name = path.getFileName().toString();
        this.zeros = zeros;
    }

    /** Writes a float32 tensor, element by element in row-major order; the elements are not asked for where all are 0. */
    TensorProto tensor(String tensorName, IntToDoubleFunction elements, int... sizes) {
        int count = 1;
        TensorProto.Builder tensor = TensorProto.newBuilder()
                .setName(tensorName)
                .setDataType(FLOAT)
                .setDataLocation(TensorProto.DataLocation.EXTERNAL);
        for (int size : sizes) {
            tensor.addDims(size);
            count = Math.multiplyExact(count, size);
        }
        long offset = (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        end = offset + (long) count * Float.BYTES;
        try {
            file.setLength(end);
            if (!zeros) {
                file.seek(offset);
                write(elements, count);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return tensor.addExternalData(entry("location", name))
                .addExternalData(entry("offset", Long.toString(offset)))
                .addExternalData(entry("length", Long.toString(end - offset)))
                .build();
    }

    private void write(IntToDoubleFunction elements, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            buffer.putFloat((float) elements.applyAsDouble(i));
            if (!buffer.hasRemaining() || i == count - 1) {
                file.write(buffer.array(), 0, buffer.position());
                buffer.clear();
            }
        }
    }

    private static StringStringEntryProto entry(String key, String value) {
        return StringStringEntryProto.newBuilder().setKey(key).setValue(value).build();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
