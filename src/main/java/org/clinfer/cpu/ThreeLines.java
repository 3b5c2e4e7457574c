package org.clinfer.cpu;

/**
 * Windows of 3x3 elements side by side over the lines of planes, as loops in vectors need them. With a stride of 2 along
 * the width the even elements of all lines lie before the odd ones, so that neighbouring outputs meet neighbouring elements
 * either way.
 *
 * @param width elements of an input line
 * @param pitch distance of input lines as they lie
 * @param odd how far the odd elements lie behind the even ones; without meaning where the stride along the width is 1
 * @param out outputs of a line
 * @param strideDown along the height
 * @param strideAlong along the width
 * @param padTop lines above the input that windows meet
 * @param left where the left column of a window meets a line, for output 0
 * @param middle the same of its middle column
 * @param right the same of its right column
 * @param leftMasks for each output: -1 where the left column meets the input, 0 where it is beside it
 * @param rightMasks the same of the right column
 */
@SuppressWarnings("ArrayRecordComponent")
record ThreeLines(
        int width,
        int pitch,
        int odd,
        int out,
        int strideDown,
        int strideAlong,
        int padTop,
        int left,
        int middle,
        int right,
        int[] leftMasks,
        int[] rightMasks) {

    private static final int TAPS = 3;

    /** Whether windows are such ones: their middle column always meets the input, and so does a row of every window. */
    static boolean suits(Window window) {
        int pad = window.padBegin()[2];
        int top = window.padBegin()[1];
        int last = (window.out()[2] - 1) * window.stride()[2] - pad + 1;
        return window.kernel()[1] == TAPS
                && window.kernel()[2] == TAPS
                && window.dilation()[1] == 1
                && window.dilation()[2] == 1
                && window.stride()[1] == window.stride()[2]
                && window.stride()[1] <= 2
                && pad >= 0
                && pad <= 1
                && top >= 0
                && top <= 2
                && last < window.in()[2];
    }

    /** For vectors of {@code lanes} elements, and at most {@code lines} lines of the input at a time. */
    static ThreeLines of(Window window, int lanes, int lines) {
        int width = window.in()[2];
        int out = window.out()[2];
        int stride = window.stride()[2];
        int pad = window.padBegin()[2];
        int half = width % 2 == 0 ? width / 2 : MatrixProduct.ceilDiv(width, lanes) * lanes / 2;
        int odd = lines * half + lanes;
        int padded = MatrixProduct.ceilDiv(out, lanes) * lanes;
        int[] leftMasks = new int[padded];
        int[] rightMasks = new int[padded];
        for (int i = 0; i < out; i++) {
            leftMasks[i] = i * stride - pad >= 0 ? -1 : 0;
            rightMasks[i] = i * stride - pad + 2 < width ? -1 : 0;
        }
        return new ThreeLines(
                width,
                stride == 1 ? width : half,
                odd,
                out,
                window.stride()[1],
                stride,
                window.padBegin()[1],
                column(-pad, stride, odd),
                column(1 - pad, stride, odd),
                column(2 - pad, stride, odd),
                leftMasks,
                rightMasks);
    }

    private static int column(int shift, int stride, int odd) {
        return stride == 1 ? shift : Math.floorMod(shift, 2) * odd + Math.floorDiv(shift, 2);
    }

    /** The first input line that the windows of a line of outputs meet, if there were lines above the input. */
    int firstMet(int line) {
        return line * strideDown - padTop;
    }
}
