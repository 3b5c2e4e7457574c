package org.clinfer.cli.verify;

import java.nio.ByteBuffer;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The layout in which tensors of a network with channels last were recorded. */
public enum RecordedLayout {
    /** The network's own. */
    ASIS,
    /** The network's own, or channels first where the case passes so, and its inputs can be turned. */
    AUTO,
    /** Channels first: a recorded tensor of 4 or 5 dimensions is turned to channels last where that fits. */
    NCHW;

    /** The recorded tensor as the network has it, whose shape is {@code wanted}; a scalar's stands for any. */
    Tensor toNetwork(Tensor recorded, Shape wanted) {
        int rank = recorded.shape().rank();
        boolean anyShape = wanted.rank() == 0;
        if (this != NCHW || rank < 4 || rank > 5 || (wanted.rank() != rank && !anyShape)) {
            return recorded;
        }
        long[] sizes = recorded.shape().sizes();
        long[] turned = new long[rank];
        turned[0] = sizes[0];
        System.arraycopy(sizes, 2, turned, 1, rank - 2);
        turned[rank - 1] = sizes[1];
        return anyShape || fits(wanted, turned) ? channelsLast(recorded, Shape.of(turned)) : recorded;
    }

    private static boolean fits(Shape wanted, long[] sizes) {
        for (int axis = 0; axis < sizes.length; axis++) {
            if (wanted.dim(axis) instanceof Dim.Known known && known.size() != sizes[axis]) {
                return false;
            }
        }
        return true;
    }

    private static Tensor channelsLast(Tensor recorded, Shape shape) {
        Tensor turned = Tensor.allocate(new TensorType(recorded.dtype(), shape));
        int width = recorded.dtype().bits() / 8;
        long channels = recorded.shape().size(1);
        long inner = recorded.elements() == 0
                ? 0
                : recorded.elements() / channels / recorded.shape().size(0);
        ByteBuffer from = recorded.bytes();
        ByteBuffer to = turned.bytes();
        for (long at = 0; at < recorded.elements(); at++) {
            long position = at % inner;
            long channel = at / inner % channels;
            long image = at / inner / channels;
            long target = (image * inner + position) * channels + channel;
            to.put((int) target * width, from, (int) at * width, width);
        }
        return turned;
    }
}
