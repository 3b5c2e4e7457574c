package org.clinfer.cpu.window;

import java.util.Arrays;
import org.clinfer.cpu.call.Rounding;

/**
 * A pool of planes as loops in vectors need it: lines of the input are folded into one line for each line of outputs,
 * and that one along its elements.
 *
 * @param width elements of an input line
 * @param out outputs of a line
 * @param stride along the width
 * @param taps of a window along the width
 * @param step from one of these to the next
 * @param lead how far elements lie behind the beginning of a folded line: what is before counts as padding
 * @param pitch distance of folded lines
 * @param lines where the input lines begin that lines of outputs fold, one line of outputs after the other
 * @param ends where those of each line of outputs end among them
 * @param counts cells that count in a mean, for each line of outputs
 * @param countsAlong the same for each output of a line, at the position where its window begins; elsewhere 1
 */
@SuppressWarnings("ArrayRecordComponent")
public record PoolLines(
        int width,
        int out,
        int stride,
        int taps,
        int step,
        int lead,
        int pitch,
        int[] lines,
        int[] ends,
        float[] counts,
        float[] countsAlong) {

    /** {@return whether windows lie close enough to be computed at every position of a line} */
    public static boolean suits(Window window) {
        long positions = (window.out()[2] - 1L) * window.stride()[2] + 1;
        long reach = (window.kernel()[2] - 1L) * window.dilation()[2];
        return window.outElements() > 0
                && window.inElements() > 0
                && positions + reach <= 4L * window.in()[2] + 64
                && (long) window.outElements() / window.out()[2] * window.kernel()[0] * window.kernel()[1] <= 1 << 20;
    }

    public static PoolLines of(Window window, PoolReach[] reach, int lanes) {
        int[] out = window.out();
        int rows = out[0] * out[1];
        int[] ends = new int[rows];
        float[] counts = new float[rows];
        int[] lines = new int[rows * window.kernel()[0] * window.kernel()[1]];
        int at = 0;
        for (int row = 0; row < rows; row++) {
            int depth = row / out[1];
            int height = row % out[1];
            for (int d = reach[0].begin()[depth]; d < reach[0].end()[depth]; d += window.dilation()[0]) {
                for (int h = reach[1].begin()[height]; h < reach[1].end()[height]; h += window.dilation()[1]) {
                    lines[at++] = (d * window.in()[1] + h) * window.in()[2];
                }
            }
            ends[row] = at;
            counts[row] = Math.max(1, (float) reach[0].count()[depth] * reach[1].count()[height]);
        }
        int stride = window.stride()[2];
        int positions = Rounding.roundUp((out[2] - 1) * stride + 1, lanes);
        float[] countsAlong = new float[positions];
        Arrays.fill(countsAlong, 1);
        for (int i = 0; i < out[2]; i++) {
            countsAlong[i * stride] = Math.max(1, reach[2].count()[i]);
        }
        int lead = window.padBegin()[2];
        int behind = (window.kernel()[2] - 1) * window.dilation()[2];
        int pitch = Math.max(positions + behind, lead + Rounding.roundUp(window.in()[2], lanes)) + lanes;
        return new PoolLines(
                window.in()[2],
                out[2],
                stride,
                window.kernel()[2],
                window.dilation()[2],
                lead,
                pitch,
                Arrays.copyOf(lines, at),
                ends,
                counts,
                countsAlong);
    }

    /** Lines of outputs of a plane. */
    public int rows() {
        return ends.length;
    }
}
