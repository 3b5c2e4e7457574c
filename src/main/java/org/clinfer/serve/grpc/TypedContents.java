package org.clinfer.serve.grpc;

import java.nio.ByteBuffer;
import java.util.List;
import org.clinfer.serve.Datatype;
import org.clinfer.serve.ServiceError;
import org.clinfer.serve.ServiceException;
import org.clinfer.serve.grpc.proto.InferTensorContents;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Tensors from {@code contents}: elements in the one field that belongs to the type. */
final class TypedContents {

    private final String input;
    private final TensorType type;
    private final InferTensorContents contents;

    private TypedContents(String input, TensorType type, InferTensorContents contents) {
        this.input = input;
        this.type = type;
        this.contents = contents;
    }

    /**
     * A tensor of its own memory.
     *
     * @param input the input, as messages name it
     * @param type of known sizes
     * @throws ServiceException if the elements are in another field, are not as many as the shape has, or do not fit the type
     */
    static Tensor tensor(String input, TensorType type, InferTensorContents contents) {
        return new TypedContents(input, type, contents).tensor();
    }

    /** Bytes of the elements in memory. */
    static long bytes(InferTensorContents contents) {
        return contents.getBoolContentsCount()
                + 4L * contents.getIntContentsCount()
                + 4L * contents.getUintContentsCount()
                + 4L * contents.getFp32ContentsCount()
                + 8L * contents.getInt64ContentsCount()
                + 8L * contents.getUint64ContentsCount()
                + 8L * contents.getFp64ContentsCount();
    }

    private Tensor tensor() {
        List<?> elements = elements();
        int others = contents.getBoolContentsCount()
                + contents.getIntContentsCount()
                + contents.getInt64ContentsCount()
                + contents.getUintContentsCount()
                + contents.getUint64ContentsCount()
                + contents.getFp32ContentsCount()
                + contents.getFp64ContentsCount()
                + contents.getBytesContentsCount()
                - elements.size();
        if (others > 0) {
            throw invalid("has contents in another field than that of its datatype " + Datatype.name(type.dtype()));
        }
        if (elements.size() != type.shape().elements()) {
            throw invalid("has " + elements.size() + " elements, but its shape " + type.shape() + " has "
                    + type.shape().elements());
        }
        Tensor tensor = Tensor.allocate(type);
        try {
            fill(tensor.bytes());
            return tensor;
        } catch (ServiceException wrong) {
            tensor.close();
            throw wrong;
        }
    }

    private List<?> elements() {
        return switch (type.dtype()) {
            case BOOL -> contents.getBoolContentsList();
            case INT8, INT16, INT32 -> contents.getIntContentsList();
            case INT64 -> contents.getInt64ContentsList();
            case UINT8, UINT16, UINT32 -> contents.getUintContentsList();
            case UINT64 -> contents.getUint64ContentsList();
            case FLOAT32 -> contents.getFp32ContentsList();
            case FLOAT64 -> contents.getFp64ContentsList();
            default -> throw invalid("of " + Datatype.name(type.dtype()) + " can only be sent in raw_input_contents");
        };
    }

    private void fill(ByteBuffer to) {
        int count = (int) type.shape().elements();
        switch (type.dtype()) {
            case BOOL -> each(count, at -> to.put((byte) (contents.getBoolContents(at) ? 1 : 0)));
            case INT8 -> each(count, at -> to.put((byte) fitting(contents.getIntContents(at))));
            case INT16 -> each(count, at -> to.putShort((short) fitting(contents.getIntContents(at))));
            case INT32 -> each(count, at -> to.putInt(contents.getIntContents(at)));
            case INT64 -> each(count, at -> to.putLong(contents.getInt64Contents(at)));
            case UINT8 -> each(count, at -> to.put((byte) fitting(unsigned(at))));
            case UINT16 -> each(count, at -> to.putShort((short) fitting(unsigned(at))));
            case UINT32 -> each(count, at -> to.putInt(contents.getUintContents(at)));
            case UINT64 -> each(count, at -> to.putLong(contents.getUint64Contents(at)));
            case FLOAT32 -> each(count, at -> to.putFloat(contents.getFp32Contents(at)));
            case FLOAT64 -> each(count, at -> to.putDouble(contents.getFp64Contents(at)));
            default -> throw new IllegalStateException("no contents of " + type);
        }
    }

    private long unsigned(int at) {
        return Integer.toUnsignedLong(contents.getUintContents(at));
    }

    private long fitting(long value) {
        DType dtype = type.dtype();
        if (value < dtype.lowest() || value > dtype.highest()) {
            throw invalid("of " + Datatype.name(dtype) + " cannot have the element " + value);
        }
        return value;
    }

    private ServiceException invalid(String what) {
        return new ServiceException(ServiceError.INVALID, input + " " + what);
    }

    @FunctionalInterface
    private interface Element {
        void write(int at);
    }

    private static void each(int count, Element element) {
        for (int at = 0; at < count; at++) {
            element.write(at);
        }
    }
}
