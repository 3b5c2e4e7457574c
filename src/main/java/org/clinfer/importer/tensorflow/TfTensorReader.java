package org.clinfer.importer.tensorflow;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.StoredBools;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.TensorProto;
import org.clinfer.importer.tensorflow.proto.TensorShapeProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Tensors in any encoding of the format; what a tensor claims is compared with its data before memory is taken. */
final class TfTensorReader {

    /** Elements at most of a tensor that is filled by repeating a value. */
    private static final long MOST_REPEATED = 1 << 24;

    private TfTensorReader() {}

    /**
     * The tensor.
     *
     * @throws UnsupportedException for a data type that Clinfer does not have
     * @throws GraphException if shape and data do not agree
     */
    static Tensor read(TensorProto proto, SourceRef source) {
        TensorType type = new TensorType(TfElementTypes.require(proto.getDtype(), source), shape(proto, source));
        return read(proto, type, source);
    }

    /** The value of a tensor that repeats one, if the tensor is too large to be filled with it; 0 where none is given. */
    static Optional<Tensor> repeated(TensorProto proto, SourceRef source) {
        boolean small = shape(proto, source).elements() <= MOST_REPEATED;
        if (small || !proto.getTensorContent().isEmpty() || given(proto) > 1) {
            return Optional.empty();
        }
        TensorType one = TensorType.of(TfElementTypes.require(proto.getDtype(), source));
        return Optional.of(read(proto, one, source));
    }

    /** Unsigned or signed values of a quantized tensor, one for each element. */
    static byte[] codes(TensorProto proto, SourceRef source) {
        Shape shape = shape(proto, source);
        ByteString content = proto.getTensorContent();
        if (content.isEmpty() && shape.elements() > 0) {
            throw new UnsupportedException(
                    source, "quantised tensor without tensor_content", "its codes are not in tensor_content");
        }
        requireBytes(content, new TensorType(DType.INT8, shape), source);
        return content.toByteArray();
    }

    /** The shape that a tensor claims, whose size can be computed with. */
    static Shape shape(TensorProto proto, SourceRef source) {
        List<Long> sizes = new ArrayList<>();
        for (TensorShapeProto.Dim dim : proto.getTensorShape().getDimList()) {
            sizes.add(dim.getSize());
        }
        if (proto.getTensorShape().getUnknownRank() || sizes.stream().anyMatch(size -> size < 0)) {
            throw new GraphException(source, "the sizes of its tensor " + sizes + " must be known");
        }
        Shape shape = Shape.of(sizes);
        if (!new TensorType(DType.FLOAT64, shape).fits()) {
            throw new GraphException(source, "the sizes of its tensor " + sizes + " are too large");
        }
        return shape;
    }

    private static Tensor read(TensorProto proto, TensorType type, SourceRef source) {
        if (type.bytes() > Tensor.MAX_BYTES) {
            throw new UnsupportedException(
                    source, "tensor over 2 GB", "its type " + type + " needs " + type.bytes() + " bytes");
        }
        int given = given(proto);
        if (!proto.getTensorContent().isEmpty()) {
            if (given > 0) {
                throw new GraphException(source, "it has tensor_content and " + given + " values beside it");
            }
            return content(proto, type, source);
        }
        int typed = typed(proto, type.dtype());
        if (given != typed || typed > type.shape().elements()) {
            throw new GraphException(
                    source,
                    "its type " + type + " takes at most " + type.shape().elements()
                            + " values of this type, but it has " + given);
        }
        return repeated(proto, type, typed, source);
    }

    private static void requireBytes(ByteString content, TensorType type, SourceRef source) {
        if (content.size() != type.bytes()) {
            throw new GraphException(
                    source, "its type " + type + " needs " + type.bytes() + " bytes, but it has " + content.size());
        }
    }

    private static Tensor content(TensorProto proto, TensorType type, SourceRef source) {
        requireBytes(proto.getTensorContent(), type, source);
        Tensor tensor = Tensor.allocate(type);
        proto.getTensorContent().copyTo(tensor.bytes());
        if (type.dtype() == DType.BOOL) {
            StoredBools.require(tensor.bytes(), source);
        }
        return tensor;
    }

    private static int given(TensorProto proto) {
        return proto.getFloatValCount()
                + proto.getDoubleValCount()
                + proto.getIntValCount()
                + proto.getInt64ValCount()
                + proto.getBoolValCount()
                + proto.getHalfValCount()
                + proto.getUint32ValCount()
                + proto.getUint64ValCount()
                + proto.getStringValCount();
    }

    private static int typed(TensorProto proto, DType dtype) {
        return switch (dtype) {
            case FLOAT32 -> proto.getFloatValCount();
            case FLOAT64 -> proto.getDoubleValCount();
            case FLOAT16, BFLOAT16 -> proto.getHalfValCount();
            case INT64 -> proto.getInt64ValCount();
            case UINT32 -> proto.getUint32ValCount();
            case UINT64 -> proto.getUint64ValCount();
            case BOOL -> proto.getBoolValCount();
            default -> proto.getIntValCount();
        };
    }

    /** The last value stands for all that follow; without any value all are 0. */
    private static Tensor repeated(TensorProto proto, TensorType type, int given, SourceRef source) {
        long elements = type.shape().elements();
        if (elements > Math.max(given, MOST_REPEATED)) {
            throw new UnsupportedException(
                    source,
                    "large constant that repeats the last of its values",
                    "its type " + type + " has more elements than the " + MOST_REPEATED
                            + " that may repeat a value, and only " + given + " are given");
        }
        Tensor tensor = Tensor.allocate(type);
        ByteBuffer to = tensor.bytes().order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < elements && given > 0; i++) {
            put(proto, type.dtype(), to, Math.min(i, given - 1));
        }
        return tensor;
    }

    private static void put(TensorProto proto, DType dtype, ByteBuffer to, int i) {
        switch (dtype) {
            case FLOAT32 -> to.putFloat(proto.getFloatVal(i));
            case FLOAT64 -> to.putDouble(proto.getDoubleVal(i));
            case FLOAT16, BFLOAT16 -> to.putShort((short) proto.getHalfVal(i));
            case INT64 -> to.putLong(proto.getInt64Val(i));
            case UINT64 -> to.putLong(proto.getUint64Val(i));
            case UINT32 -> to.putInt(proto.getUint32Val(i));
            case INT32 -> to.putInt(proto.getIntVal(i));
            case INT16, UINT16 -> to.putShort((short) proto.getIntVal(i));
            case INT8, UINT8 -> to.put((byte) proto.getIntVal(i));
            case BOOL -> to.put((byte) (proto.getBoolVal(i) ? 1 : 0));
            default -> throw new IllegalStateException("the data type " + dtype + " is not read");
        }
    }

    /** {@return whether the type is one of unsigned or signed quantized values of 8 bits} */
    static boolean isCode(DataType type) {
        return type == DataType.DT_QUINT8 || type == DataType.DT_QINT8;
    }
}
