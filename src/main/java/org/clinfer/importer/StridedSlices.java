package org.clinfer.importer;

import org.clinfer.tensor.Dim;

/** Strided slices as TensorFlow and TensorFlow Lite have them. */
public final class StridedSlices {

    private StridedSlices() {}

    /** {@return an end of a stride as Slice has it, to which the largest number is the end of the axis in any direction} */
    public static long end(long end, long stride) {
        return stride < 0 ? Math.min(end, Integer.MAX_VALUE - 1) : end;
    }

    /**
     * {@return whether a slice is empty because it goes back from before the axis; Slice begins at the first element then, as
     * ONNX and OpenVINO have it}
     */
    public static boolean isBeforeAll(long begin, long stride, Dim axis) {
        return stride < 0 && begin < 0 && axis instanceof Dim.Known known && begin + known.size() < 0;
    }
}
