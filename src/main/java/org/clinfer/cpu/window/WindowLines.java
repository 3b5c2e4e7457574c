package org.clinfer.cpu.window;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.clinfer.cpu.call.Rounding;

/**
 * A window that moves along the lines of planes, as loops in vectors need it. A position of a line is where the window
 * may stand if the stride along the width were 1: sums are those of all positions.
 *
 * @param rows of the window
 * @param columns of the window
 * @param isFlat whether all lines of outputs together are one line here
 * @param count positions of a line at most; more may be computed, up to a whole vector
 * @param pitch elements of an input line
 * @param lineStep how far a line of positions lies behind the one before in the input
 * @param outStep how far the sums of a line lie behind those of the one before
 * @param offsets of what each element of the window meets at position 0, row by row
 * @param masks for each column of the window and each position: -1 where it meets the input, 0 where it is beside it
 * @param maskPitch distance of the masks of two columns
 * @param masksOf where the masks of the column of each element of the window begin
 * @param meetsMiddle whether the middle one of three columns meets the input at every position that is needed
 */
@SuppressWarnings("ArrayRecordComponent")
public record WindowLines(
        int rows,
        int columns,
        boolean isFlat,
        int count,
        int pitch,
        int lineStep,
        int outStep,
        int[] offsets,
        int[] masks,
        int maskPitch,
        int[] masksOf,
        boolean meetsMiddle) {

    /*
     * A line is a line of the plane, or, where the stride is 1 and lines of outputs are as long as those of the input, the
     * whole plane: then short lines fill vectors, too. What a window meets beside its line belongs to a neighbouring line
     * and is masked out bit by bit, so that it may be anything. Lines above and below the plane are zeros.
     */
    private static final int LONG_LINE = 96;

    /** The windows of at most {@code lines} lines of outputs at a time; vectors have {@code lanes} elements. */
    public static WindowLines of(Window window, int lines, int lanes) {
        int width = window.in()[2];
        int out = window.out()[2];
        int stride = window.stride()[2];
        int columns = window.kernel()[2];
        boolean isThree = window.kernel()[1] == 3 && columns == 3;
        boolean isFlat = !isThree && stride == 1 && window.stride()[1] == 1 && out == width && width < LONG_LINE;
        int positions = (out - 1) * stride + 1;
        int count = isFlat ? lines * width : positions;
        int maskPitch = Rounding.ceilDiv(count, lanes) * lanes;
        int[] masks = new int[columns * maskPitch];
        for (int column = 0; column < columns; column++) {
            int shift = column * window.dilation()[2] - window.padBegin()[2];
            for (int q = 0; q < count; q++) {
                int met = (isFlat ? q % width : q) + shift;
                masks[column * maskPitch + q] = met >= 0 && met < width ? -1 : 0;
            }
        }
        return new WindowLines(
                window.kernel()[1],
                columns,
                isFlat,
                count,
                width,
                window.stride()[1] * width,
                stride == 1 ? out : maskPitch,
                offsets(window),
                masks,
                maskPitch,
                IntStream.range(0, window.taps())
                        .map(tap -> tap % columns * maskPitch)
                        .toArray(),
                columns == 3
                        && Arrays.stream(masks, maskPitch, maskPitch + count).allMatch(mask -> mask < 0));
    }

    private static int[] offsets(Window window) {
        int[] offsets = new int[window.taps()];
        for (int tap = 0; tap < offsets.length; tap++) {
            int[] at = window.tap(tap);
            offsets[tap] = at[1] * window.dilation()[1] * window.in()[2] + at[2] * window.dilation()[2];
        }
        return offsets;
    }
}
