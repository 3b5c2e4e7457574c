package org.clinfer.benchdnn;

/**
 * One spatial axis of a convolution. The padding at the end follows from the sizes.
 *
 * @param dilation distance of neighbouring kernel elements; 1 is a dense kernel
 * @param padBegin padding in front, of the smaller side where the convolution is transposed
 */
record Axis(long input, long output, long kernel, long stride, long padBegin, long dilation) {

    /** The extent of the kernel with its gaps. */
    long effectiveKernel() {
        return dilation * (kernel - 1) + 1;
    }

    /** Padding at the end; negative where the convolution leaves out the last elements of its larger side. */
    long padEnd(boolean transposed) {
        long steps = transposed ? input - 1 : output - 1;
        long covered = transposed ? output : input;
        return steps * stride + effectiveKernel() - covered - padBegin;
    }

    /** Whether some padding gives this output: what is left out at the end is less than one more step. */
    boolean isConsistent(boolean transposed) {
        return padBegin >= 0 && padEnd(transposed) > -stride;
    }

    /** The axis of the transposed convolution: input and output exchanged. */
    Axis reversed() {
        return new Axis(output, input, kernel, stride, padBegin, dilation);
    }
}
