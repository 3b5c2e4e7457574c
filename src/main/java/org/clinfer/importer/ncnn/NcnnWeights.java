package org.clinfer.importer.ncnn;

import java.nio.ByteBuffer;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.NeighbourFiles;
import org.clinfer.importer.WeightFile;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The numbers of a weights file in the order of the layers; or that there is no file. */
final class NcnnWeights {

    private static final int FLOAT16 = 0x01306B47;
    private static final int BFLOAT16 = 0x01348B83;
    private static final int INT8 = 0x000D4B38;
    private static final int FLOAT32 = 0x0002C056;
    private static final int TABLE_BYTES = 256 * Float.BYTES;

    /** The form in which numbers are kept. */
    enum Kind {
        /** A tag says how. */
        TAGGED,
        /** As float32. */
        RAW
    }

    private final WeightFile file;

    private NcnnWeights(WeightFile file) {
        this.file = file;
    }

    /** A network's definition stands alone. */
    static NcnnWeights none() {
        return new NcnnWeights(WeightFile.none());
    }

    /** Opens a file beside the network; {@code files} is to be open as long as weights are read. */
    static NcnnWeights of(NeighbourFiles files, String location) {
        return new NcnnWeights(WeightFile.of(files, location));
    }

    boolean exist() {
        return file.exists();
    }

    private ByteBuffer bytes(long count, SourceRef source) {
        ByteBuffer bytes = file.next(count, source);
        file.skip(-count & 3); // each begins at a multiple of 4
        return bytes;
    }

    /**
     * The next numbers, in a shape.
     *
     * @throws GraphException if the file does not have them
     */
    Tensor next(Shape shape, Kind kind, SourceRef source) {
        TensorType type = WeightFile.type(shape, source);
        int tag = kind == Kind.RAW ? 0 : bytes(Integer.BYTES, source).getInt(0);
        long count = shape.elements();
        return switch (tag) {
            case 0, FLOAT32 -> {
                ByteBuffer bytes = bytes(type.bytes(), source);
                Tensor tensor = Tensor.allocate(type);
                tensor.bytes().put(bytes);
                yield tensor;
            }
            case FLOAT16 -> halves(DType.FLOAT16, bytes(Short.BYTES * count, source), type);
            case BFLOAT16 -> halves(DType.BFLOAT16, bytes(Short.BYTES * count, source), type);
            case INT8 -> throw new UnsupportedException(source, "weights as int8", "its weights are int8 codes");
            default -> fromTable(bytes(TABLE_BYTES, source), bytes(count, source), type);
        };
    }

    private static Tensor halves(DType dtype, ByteBuffer bytes, TensorType type) {
        Tensor stored = Tensor.allocate(new TensorType(dtype, type.shape()));
        stored.bytes().put(bytes);
        Tensor tensor = Tensor.allocate(type);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, stored.getDouble(i));
        }
        return tensor;
    }

    private static Tensor fromTable(ByteBuffer table, ByteBuffer indices, TensorType type) {
        Tensor tensor = Tensor.allocate(type);
        for (int i = 0; i < indices.limit(); i++) {
            tensor.setDouble(i, table.getFloat(Float.BYTES * (indices.get(i) & 0xff)));
        }
        return tensor;
    }

    /**
     * Checks that nothing is left.
     *
     * @throws GraphException if the file belongs to another network
     */
    void requireEnd(SourceRef source) {
        file.requireEnd(source);
    }
}
