package org.clinfer.cpu.window;

import org.clinfer.cpu.call.Rounding;

/**
 * Windows of 3x3 elements over the lines of planes, with stride 1, as loops in vectors need them.
 *
 * @param width elements of an input line
 * @param out outputs of a line
 * @param padTop lines above the input that windows meet
 * @param padLeft elements before a line that windows meet
 * @param leftMasks for what lies {@code padLeft} before each element of a line: 0 where the left column of a window is beside
 *     the line there, else -1
 * @param rightMasks the same of what lies two elements on; 0 also where no right column is
 */
@SuppressWarnings("ArrayRecordComponent")
public record ThreeLines(int width, int out, int padTop, int padLeft, int[] leftMasks, int[] rightMasks) {

    private static final int TAPS = 3;

    /**
     * {@return whether windows are such ones: their middle column always meets the input, and so does a row of every
     * window}
     */
    public static boolean suits(Window window) {
        int pad = window.padBegin()[2];
        int top = window.padBegin()[1];
        int last = window.out()[2] - pad;
        return window.kernel()[1] == TAPS
                && window.kernel()[2] == TAPS
                && window.dilation()[1] == 1
                && window.dilation()[2] == 1
                && window.stride()[1] == 1
                && window.stride()[2] == 1
                && pad >= 0
                && pad <= 1
                && top >= 0
                && top <= 2
                && last < window.in()[2];
    }

    /** For vectors of {@code lanes} elements. */
    public static ThreeLines of(Window window, int lanes) {
        int width = window.in()[2];
        int out = window.out()[2];
        int pad = window.padBegin()[2];
        int padded = Rounding.ceilDiv(out, lanes) * lanes;
        int[] leftMasks = new int[padded];
        int[] rightMasks = new int[padded];
        for (int i = 0; i < padded; i++) {
            leftMasks[i] = i >= pad ? -1 : 0;
            rightMasks[i] = i - pad + 2 < width ? -1 : 0;
        }
        return new ThreeLines(width, out, window.padBegin()[1], pad, leftMasks, rightMasks);
    }

    /** The first input line that the windows of a line of outputs meet, if there were lines above the input. */
    public int firstMet(int line) {
        return line - padTop;
    }
}
