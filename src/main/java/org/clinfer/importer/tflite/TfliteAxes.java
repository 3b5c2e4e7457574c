package org.clinfer.importer.tflite;

import java.nio.ByteBuffer;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Constants whose axes change their order. */
final class TfliteAxes {

    private TfliteAxes() {}

    /** The tensor with its axes in another order. */
    static Tensor permuted(Tensor tensor, long[] order) {
        long[] sizes = tensor.shape().sizes();
        int rank = sizes.length;
        long[] strides = new long[rank];
        long stride = 1;
        for (int axis = rank - 1; axis >= 0; axis--) {
            strides[axis] = stride;
            stride *= sizes[axis];
        }
        Shape shape = ChannelAxes.ordered(tensor.shape(), order);
        Tensor result = Tensor.allocate(new TensorType(tensor.dtype(), shape));
        int width = tensor.dtype().bits() / Byte.SIZE;
        ByteBuffer from = tensor.bytes();
        ByteBuffer to = result.bytes();
        long[] counters = new long[rank];
        long offset = 0;
        for (int at = 0; at < result.elements(); at++) {
            to.put(at * width, from, (int) offset * width, width);
            for (int axis = rank - 1; axis >= 0; axis--) {
                offset += strides[(int) order[axis]];
                if (++counters[axis] < shape.size(axis)) {
                    break;
                }
                offset -= counters[axis] * strides[(int) order[axis]];
                counters[axis] = 0;
            }
        }
        return result;
    }
}
