package org.clinfer.importer.onnx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.onnx.proto.SparseTensorProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Tensors from any encoding of the format; what a tensor claims is compared with its data before memory is taken. */
final class OnnxTensorReader {

    private final ExternalData external;

    OnnxTensorReader(ExternalData external) {
        this.external = external;
    }

    /**
     * The tensor.
     *
     * @throws UnsupportedException for a data type Clinfer does not have, or a segment of a larger tensor
     * @throws GraphException if dims and data do not agree; {@code source} names the tensor
     */
    Tensor read(TensorProto proto, SourceRef source) {
        if (proto.hasSegment()) {
            throw new UnsupportedException(source, "segmented tensor", "it is a segment of a larger tensor");
        }
        TensorType type = type(proto, source);
        if (proto.getDataLocation() == TensorProto.DataLocation.EXTERNAL) {
            return external(proto, type, source);
        }
        int typed = typedElements(proto);
        if (proto.hasRawData() && (typed == 0 || !proto.getRawData().isEmpty())) {
            if (typed > 0) {
                throw new GraphException(source, "it has raw data and " + typed + " elements beside it");
            }
            return raw(proto, type, source);
        }
        return typed(proto, type, source);
    }

    /**
     * The tensor of which only some elements are given, with zeros elsewhere.
     *
     * @throws UnsupportedException as for one that is given whole
     * @throws GraphException if its indices are none of the tensor's; {@code source} names the tensor
     */
    Tensor read(SparseTensorProto proto, SourceRef source) {
        Tensor values = read(proto.getValues(), source);
        Tensor indices = read(proto.getIndices(), source);
        long[] sizes = type(values.dtype(), proto.getDimsList(), source).shape().sizes();
        long count = values.elements();
        boolean isLinear = indices.shape().rank() == 1;
        if (values.shape().rank() != 1
                || indices.dtype() != DType.INT64
                || indices.elements() != (isLinear ? count : count * sizes.length)) {
            throw new GraphException(
                    source, "its indices " + indices.type() + " do not fit its values " + values.type());
        }
        if (values.dtype().isPacked()) {
            throw new UnsupportedException(source, "sparse tensor", "it is a sparse tensor of " + values.dtype());
        }
        Tensor whole = allocate(TensorType.of(values.dtype(), sizes), source);
        int width = Math.toIntExact(values.dtype().bytes(1));
        for (long i = 0; i < count; i++) {
            long at = isLinear ? indexAt(indices, i, whole.elements(), source) : 0;
            for (int axis = 0; axis < sizes.length && !isLinear; axis++) {
                at = at * sizes[axis] + indexAt(indices, i * sizes.length + axis, sizes[axis], source);
            }
            whole.bytes().put(Math.toIntExact(at * width), values.bytes(), Math.toIntExact(i * width), width);
        }
        return whole;
    }

    private static long indexAt(Tensor indices, long position, long size, SourceRef source) {
        long index = indices.getLong(position);
        if (index < 0 || index >= size) {
            throw new GraphException(source, "its index " + index + " is not below " + size);
        }
        return index;
    }

    /** The type of a tensor, whether or not its elements are there. */
    static TensorType type(TensorProto proto, SourceRef source) {
        return type(OnnxElementTypes.require(proto.getDataType(), source, "it"), proto.getDimsList(), source);
    }

    private static TensorType type(DType dtype, List<Long> dims, SourceRef source) {
        for (long dim : dims) {
            if (dim < 0) {
                throw new GraphException(source, "its dims " + dims + " must be >= 0");
            }
        }
        TensorType type = new TensorType(dtype, Shape.of(dims));
        if (!type.fits()) {
            throw new GraphException(source, "its dims " + dims + " are too large");
        }
        return type;
    }

    private Tensor external(TensorProto proto, TensorType type, SourceRef source) {
        if (proto.hasRawData() || typedElements(proto) > 0) {
            throw new GraphException(source, "it has external data and data in the model");
        }
        if (type.bytes() == 0) {
            return allocate(type, source);
        }
        ByteBuffer bytes = external.bytes(proto, type.bytes(), source);
        requireSize(type, source);
        if (type.dtype() != DType.BOOL) {
            return Tensor.wrap(type, bytes);
        }
        Tensor tensor = allocate(type, source);
        tensor.bytes().put(bytes);
        return zeroOrOne(tensor);
    }

    private static Tensor raw(TensorProto proto, TensorType type, SourceRef source) {
        int found = proto.getRawData().size();
        if (found != type.bytes()) {
            throw new GraphException(
                    source, "its type " + type + " needs " + type.bytes() + " bytes, but it has " + found);
        }
        Tensor tensor = allocate(type, source);
        proto.getRawData().copyTo(tensor.bytes());
        return type.dtype() == DType.BOOL ? zeroOrOne(tensor) : tensor;
    }

    private static Tensor zeroOrOne(Tensor tensor) {
        ByteBuffer bytes = tensor.bytes();
        for (int i = 0; i < bytes.limit(); i++) {
            bytes.put(i, (byte) (bytes.get(i) == 0 ? 0 : 1));
        }
        return tensor;
    }

    private static int typedElements(TensorProto proto) {
        return Math.max(
                Math.max(proto.getFloatDataCount(), proto.getInt32DataCount()),
                Math.max(
                        Math.max(proto.getInt64DataCount(), proto.getDoubleDataCount()),
                        Math.max(proto.getStringDataCount(), proto.getUint64DataCount())));
    }

    private static Tensor typed(TensorProto proto, TensorType type, SourceRef source) {
        int found = switch (type.dtype()) {
            case FLOAT32 -> proto.getFloatDataCount();
            case FLOAT64 -> proto.getDoubleDataCount();
            case INT64 -> proto.getInt64DataCount();
            case UINT32, UINT64 -> proto.getUint64DataCount();
            default -> proto.getInt32DataCount();
        };
        long wanted = type.dtype().isPacked() ? type.bytes() : type.shape().elements();
        if (found != wanted || typedElements(proto) != found) {
            String where = typedElements(proto) == found ? "" : " in the field of that type";
            throw new GraphException(
                    source, "its type " + type + " needs " + wanted + " elements, but it has " + found + where);
        }
        Tensor tensor = allocate(type, source);
        fill(proto, type.dtype(), tensor.bytes().order(ByteOrder.LITTLE_ENDIAN), found);
        return tensor;
    }

    private static void fill(TensorProto proto, DType dtype, ByteBuffer to, int count) {
        for (int i = 0; i < count; i++) {
            switch (dtype) {
                case FLOAT32 -> to.putFloat(proto.getFloatData(i));
                case FLOAT64 -> to.putDouble(proto.getDoubleData(i));
                case INT64 -> to.putLong(proto.getInt64Data(i));
                case INT32 -> to.putInt(proto.getInt32Data(i));
                case UINT64 -> to.putLong(proto.getUint64Data(i));
                case UINT32 -> to.putInt((int) proto.getUint64Data(i));
                case INT16, UINT16, FLOAT16, BFLOAT16 -> to.putShort((short) proto.getInt32Data(i));
                case INT8, UINT8, INT4, UINT4, INT2, UINT2 -> to.put((byte) proto.getInt32Data(i));
                case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0, FLOAT4E2M1 ->
                    to.put((byte) proto.getInt32Data(i));
                case BOOL -> to.put((byte) (proto.getInt32Data(i) == 0 ? 0 : 1));
                case U1 -> throw new IllegalStateException("ONNX has no data type u1");
            }
        }
    }

    private static Tensor allocate(TensorType type, SourceRef source) {
        requireSize(type, source);
        return Tensor.allocate(type);
    }

    private static void requireSize(TensorType type, SourceRef source) {
        if (type.bytes() > Tensor.MAX_BYTES) {
            throw new UnsupportedException(
                    source, "tensor over 2 GB", "its type " + type + " needs " + type.bytes() + " bytes");
        }
    }
}
