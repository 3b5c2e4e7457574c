package org.clinfer.cpu.convolution;

import java.util.Arrays;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.elements.Epilogue;

/** The outputs among numbers that are counted along padded lines: pieces of lines without the gaps between them. */
final class PaddedLines {

    private final Stencil stencil;
    private final int[] from;
    private final int[] counts;
    private final int[] elements;
    private final boolean isOnePiece;

    private PaddedLines(Stencil stencil, int[] from, int[] counts, int[] elements) {
        this.stencil = stencil;
        this.from = from;
        this.counts = counts;
        this.elements = elements;
        this.isOnePiece = Arrays.equals(stencil.outStep(), new int[] {1, 1, 1});
    }

    /** Those among {@code count} numbers from {@code first} on. */
    static PaddedLines of(PaddedPlanes planes, Stencil stencil, int first, int count, int[] yStrides) {
        int pitch = planes.pitch();
        int end = first + count;
        int most = Rounding.ceilDiv(end, pitch) - first / pitch;
        int[] from = new int[most];
        int[] counts = new int[most];
        int[] elements = new int[most];
        int pieces = 0;
        for (int line = first / pitch; line * pitch < end; line++) {
            int depth = line / planes.lines();
            int height = line % planes.lines();
            int begin = Math.max(0, first - line * pitch);
            int length = Math.min(stencil.positions()[2], end - line * pitch) - begin;
            if (length <= 0 || depth >= stencil.positions()[0] || height >= stencil.positions()[1]) {
                continue;
            }
            int number = line * pitch + begin - first;
            int element = element(stencil, yStrides, depth, height, begin);
            int last = pieces - 1;
            boolean follows = pieces > 0 && stencil.outStep()[2] == 1 && number == from[last] + counts[last];
            if (follows && element == elements[last] + counts[last]) {
                counts[last] += length;
                continue;
            }
            from[pieces] = number;
            counts[pieces] = length;
            elements[pieces] = element;
            pieces++;
        }
        return new PaddedLines(
                stencil, Arrays.copyOf(from, pieces), Arrays.copyOf(counts, pieces), Arrays.copyOf(elements, pieces));
    }

    private static int element(Stencil stencil, int[] yStrides, int depth, int height, int width) {
        int[] first = stencil.first();
        int[] step = stencil.outStep();
        return (first[0] + depth * step[0]) * yStrides[2]
                + (first[1] + height * step[1]) * yStrides[3]
                + (first[2] + width * step[2]) * yStrides[4];
    }

    /**
     * Finishes and stores the sums of one channel.
     *
     * @param sums of all numbers, from {@code at} on; may be overwritten
     * @param gathered room for all of them
     * @param plane where the channel of the image begins in y
     */
    <A> void store(A sums, int at, A gathered, Epilogue.Store<A> epilogue, int plane, int channel) {
        if (!isOnePiece || from.length == 1) {
            for (int i = 0; i < from.length; i++) {
                epilogue.store(
                        sums,
                        at + from[i],
                        new Epilogue.Stretch(plane + elements[i], stencil.outStep()[2], counts[i], channel, false));
            }
            return;
        }
        int done = gather(sums, at, gathered);
        if (done > 0) {
            epilogue.store(gathered, 0, new Epilogue.Stretch(plane + elements[0], 1, done, channel, false));
        }
    }

    /** Copies what is no gap, and returns how much it is. */
    <A> int gather(A values, int at, A gathered) {
        int done = 0;
        for (int i = 0; i < from.length; i++) {
            System.arraycopy(values, at + from[i], gathered, done, counts[i]);
            done += counts[i];
        }
        return done;
    }
}
