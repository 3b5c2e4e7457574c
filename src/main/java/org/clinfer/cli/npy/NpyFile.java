package org.clinfer.cli.npy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.clinfer.cli.io.AtomicFile;
import org.clinfer.cli.io.BadFileException;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Reads and writes {@code .npy} files: format versions 1 to 3, any byte order, row- or column-major. */
public final class NpyFile {

    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int MAX_HEADER_BYTES = 1 << 16;
    private static final int ALIGNMENT = 64;

    private NpyFile() {}

    /**
     * The array in {@code file}.
     *
     * @throws BadFileException if the file is no {@code .npy} file, has elements of another type, or is shorter or
     *     longer than its header says
     * @throws IOException if it cannot be read
     */
    public static Tensor read(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            NpyHeader header = NpyHeader.parse(headerText(channel));
            Tensor tensor = Tensor.allocate(requireFileSize(header, channel).type());
            readFully(channel, tensor.bytes());
            toLittleEndian(tensor, header.order());
            return header.columnMajor() ? ColumnMajor.toRowMajor(tensor) : tensor;
        } catch (IllegalArgumentException malformed) {
            throw new BadFileException(file, "not a usable .npy file: " + malformed.getMessage(), malformed);
        }
    }

    private static String headerText(FileChannel channel) throws IOException {
        ByteBuffer start = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        readFully(channel, start);
        for (int i = 0; i < MAGIC.length; i++) {
            if (start.get(i) != MAGIC[i]) {
                throw new IllegalArgumentException("it does not start with \\x93NUMPY");
            }
        }
        int version = start.get(6);
        if (version < 1 || version > 3) {
            throw new IllegalArgumentException("format version " + version + " is none of 1, 2, 3");
        }
        ByteBuffer length = ByteBuffer.allocate(version == 1 ? 2 : 4).order(ByteOrder.LITTLE_ENDIAN);
        readFully(channel, length);
        long bytes = version == 1 ? length.getShort(0) & 0xffffL : length.getInt(0) & 0xffffffffL;
        if (bytes > MAX_HEADER_BYTES) {
            throw new IllegalArgumentException("a header of " + bytes + " bytes is longer than " + MAX_HEADER_BYTES);
        }
        ByteBuffer header = ByteBuffer.allocate((int) bytes);
        readFully(channel, header);
        return new String(header.array(), version == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    }

    private static NpyHeader requireFileSize(NpyHeader header, FileChannel channel) throws IOException {
        long expected;
        try {
            expected = header.type().bytes();
        } catch (ArithmeticException overflow) {
            throw new IllegalArgumentException(overflow.getMessage(), overflow);
        }
        long found = channel.size() - channel.position();
        if (found != expected) {
            throw new IllegalArgumentException(
                    header.type() + " needs " + expected + " bytes, but " + found + " follow the header");
        }
        return header;
    }

    private static void readFully(FileChannel channel, ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            if (channel.read(into) < 0) {
                throw new IllegalArgumentException("the file ends early");
            }
        }
    }

    private static void toLittleEndian(Tensor tensor, ByteOrder order) {
        int width = tensor.dtype().bits() / 8;
        if (order == ByteOrder.LITTLE_ENDIAN || width == 1) {
            return;
        }
        ByteBuffer little = tensor.bytes();
        ByteBuffer big = tensor.bytes().order(ByteOrder.BIG_ENDIAN);
        for (int at = 0; at < little.capacity(); at += width) {
            switch (width) {
                case 2 -> little.putShort(at, big.getShort(at));
                case 4 -> little.putInt(at, big.getInt(at));
                default -> little.putLong(at, big.getLong(at));
            }
        }
    }

    /**
     * Writes a tensor, whole or not at all. NumPy has no bfloat16, no floats of 8 and 4 bits and no packed elements: those become float32, and
     * the next wider integers or bool.
     *
     * @throws IOException if it cannot be written
     */
    public static void write(Path file, Tensor tensor) throws IOException {
        Tensor storable = switch (tensor.dtype()) {
            case BFLOAT16, FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0, FLOAT4E2M1 ->
                tensor.to(DType.FLOAT32);
            case INT4, INT2 -> tensor.to(DType.INT8);
            case UINT4, UINT2 -> tensor.to(DType.UINT8);
            case U1 -> tensor.to(DType.BOOL);
            default -> tensor;
        };
        AtomicFile.write(file, out -> write(out, storable));
    }

    private static void write(OutputStream out, Tensor tensor) throws IOException {
        long[] sizes = tensor.shape().sizes();
        String tuple = LongStream.of(sizes).mapToObj(Long::toString).collect(Collectors.joining(", "))
                + (sizes.length == 1 ? "," : "");
        String dictionary = "{'descr': '" + NpyHeader.descr(tensor.dtype()) + "', 'fortran_order': False, 'shape': ("
                + tuple + "), }";
        int unpadded = MAGIC.length + 4 + dictionary.length() + 1;
        int padding = (ALIGNMENT - unpadded % ALIGNMENT) % ALIGNMENT;
        byte[] header = (dictionary + " ".repeat(padding) + "\n").getBytes(StandardCharsets.US_ASCII);
        out.write(MAGIC);
        out.write(new byte[] {1, 0, (byte) header.length, (byte) (header.length >> 8)});
        out.write(header);
        WritableByteChannel channel = Channels.newChannel(out);
        ByteBuffer data = tensor.bytes();
        while (data.hasRemaining()) {
            channel.write(data);
        }
    }
}
