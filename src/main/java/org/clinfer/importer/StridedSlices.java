package org.clinfer.importer;

import org.clinfer.tensor.Dim;

/** Strided slices as TensorFlow and TensorFlow Lite have them. */
public final class StridedSlices {

    private StridedSlices() {}

    /**
     * {@return whether a slice is empty because it goes back from before the axis; Slice begins at the first element then, as
     * ONNX and OpenVINO have it}
     */
    public static boolean isBeforeAll(long begin, long stride, Dim axis) {
        return stride < 0 && begin < 0 && axis instanceof Dim.Known known && begin + known.size() < 0;
    }
}
