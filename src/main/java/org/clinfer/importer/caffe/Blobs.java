package org.clinfer.importer.caffe;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.caffe.proto.BlobProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;

/** Tensors of a binary file. What a blob claims is compared with its data before memory is taken. */
final class Blobs {

    /** The most axes that Caffe's blobs have. */
    static final int MOST_DIMS = 32;

    private Blobs() {}

    /** The sizes that a blob states; those of four axes in files that know no others. */
    static long[] dims(BlobProto blob) {
        if (blob.hasShape()) {
            return blob.getShape().getDimList().stream()
                    .mapToLong(Long::longValue)
                    .toArray();
        }
        if (blob.hasNum() || blob.hasChannels() || blob.hasHeight() || blob.hasWidth()) {
            return new long[] {blob.getNum(), blob.getChannels(), blob.getHeight(), blob.getWidth()};
        }
        return new long[] {elements(blob)};
    }

    /** The number of elements of a blob. */
    static long elements(BlobProto blob) {
        long floats = bytes(blob.getDataList()) / Float.BYTES
                + single(blob, BlobProto.DATA_FIELD_NUMBER).getFixed32List().size();
        long doubles = bytes(blob.getDoubleDataList()) / Double.BYTES
                + single(blob, BlobProto.DOUBLE_DATA_FIELD_NUMBER)
                        .getFixed64List()
                        .size();
        return floats == 0 ? doubles : floats;
    }

    private static UnknownFieldSet.Field single(BlobProto blob, int number) {
        return blob.getUnknownFields().getField(number);
    }

    private static long bytes(List<ByteString> pieces) {
        return pieces.stream().mapToLong(ByteString::size).sum();
    }

    /**
     * The shape that a blob states.
     *
     * @throws GraphException if it does not have as many elements
     */
    static Shape shape(BlobProto blob, SourceRef source) {
        long[] dims = dims(blob);
        long found = elements(blob);
        if (product(dims) != found || dims.length > MOST_DIMS) {
            throw new GraphException(
                    source,
                    "its shape " + Printable.shortened(Arrays.toString(dims)) + " does not fit the " + found
                            + " elements it has");
        }
        return Shape.of(dims);
    }

    /**
     * The elements of a blob as a tensor of the shape they are needed in.
     *
     * @throws GraphException if there are others than the shape needs, or others than the blob states
     */
    static Tensor tensor(BlobProto blob, Shape shape, SourceRef source) {
        long found = shape(blob, source).elements();
        long needed = shape.elements();
        if (found != needed) {
            throw new GraphException(source, "it has " + found + " elements, but " + needed + " are needed: " + shape);
        }
        TensorType type = new TensorType(DType.FLOAT32, shape);
        if (type.bytes() > Tensor.MAX_BYTES) {
            throw new UnsupportedException(
                    source, "tensor over 2 GB", "its type " + type + " needs " + type.bytes() + " bytes");
        }
        Tensor tensor = Tensor.allocate(type);
        fill(blob, tensor.bytes().order(ByteOrder.LITTLE_ENDIAN), source);
        return tensor;
    }

    private static long product(long[] dims) {
        long product = 1;
        for (long dim : dims) {
            if (dim < 0 || dim > Integer.MAX_VALUE || product > Integer.MAX_VALUE) {
                return -1;
            }
            product *= dim;
        }
        return product;
    }

    private static void fill(BlobProto blob, ByteBuffer to, SourceRef source) {
        long floats = bytes(blob.getDataList());
        long doubles = bytes(blob.getDoubleDataList());
        if (floats % Float.BYTES != 0 || doubles % Double.BYTES != 0) {
            throw new GraphException(source, "its data ends within an element");
        }
        boolean single = floats > 0
                || !single(blob, BlobProto.DATA_FIELD_NUMBER).getFixed32List().isEmpty();
        if (single) {
            blob.getDataList().forEach(piece -> piece.copyTo(to));
            single(blob, BlobProto.DATA_FIELD_NUMBER).getFixed32List().forEach(to::putInt);
            return;
        }
        for (ByteString piece : blob.getDoubleDataList()) {
            ByteBuffer from = piece.asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
            while (from.remaining() >= Double.BYTES) {
                to.putFloat((float) from.getDouble());
            }
        }
        single(blob, BlobProto.DOUBLE_DATA_FIELD_NUMBER)
                .getFixed64List()
                .forEach(bits -> to.putFloat((float) Double.longBitsToDouble(bits)));
    }
}
