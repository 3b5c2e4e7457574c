package org.clinfer.importer.onnx.export;

import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.clinfer.importer.onnx.OnnxElementTypes;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Constants on their way to the file. */
final class Tensors {

    private Tensors() {}

    /** Over the memory of the tensor, which must stay as it is until the result has been written. */
    static TensorProto proto(String name, Tensor tensor) {
        return TensorProto.newBuilder()
                .setName(name)
                .setDataType(OnnxElementTypes.number(tensor.dtype()))
                .addAllDims(Arrays.stream(tensor.shape().sizes()).boxed().toList())
                .setRawData(UnsafeByteOperations.unsafeWrap(tensor.bytes()))
                .build();
    }

    static Tensor vector(long... values) {
        return Tensor.of(values, values.length);
    }

    /** Of no axes; integers are rounded half to even and saturated. */
    static Tensor scalar(double value, DType dtype) {
        Tensor scalar = Tensor.allocate(dtype);
        if (dtype.isInteger()) {
            scalar.setLong(0, dtype.saturated((long) Math.rint(value)));
        } else {
            scalar.setDouble(0, value);
        }
        return scalar;
    }

    static Tensor reshaped(Tensor tensor, long... sizes) {
        return tensor.reshaped(Shape.of(sizes));
    }

    /** A copy whose axis {@code i} is axis {@code perm[i]}. */
    static Tensor permuted(Tensor tensor, int... perm) {
        long[] sizes = tensor.shape().sizes();
        int rank = sizes.length;
        if (tensor.dtype().isPacked()) {
            throw new IllegalArgumentException("the elements of " + tensor.type() + " share bytes");
        }
        int width = tensor.dtype().bits() / Byte.SIZE;
        long[] strides = new long[rank];
        long stride = width;
        for (int axis = rank - 1; axis >= 0; axis--) {
            strides[axis] = stride;
            stride *= sizes[axis];
        }
        long[] newSizes = Arrays.stream(perm).mapToLong(axis -> sizes[axis]).toArray();
        Tensor copy = Tensor.allocate(tensor.dtype(), newSizes);
        ByteBuffer from = tensor.bytes();
        ByteBuffer to = copy.bytes();
        long[] coordinates = new long[rank];
        byte[] element = new byte[width];
        for (long i = 0; i < tensor.elements(); i++) {
            long offset = 0;
            for (int axis = 0; axis < rank; axis++) {
                offset += coordinates[axis] * strides[perm[axis]];
            }
            from.get((int) offset, element);
            to.put((int) (i * width), element);
            for (int axis = rank - 1; axis >= 0 && ++coordinates[axis] == newSizes[axis]; axis--) {
                coordinates[axis] = 0;
            }
        }
        return copy;
    }
}
