package org.clinfer.cpu.convolution;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.convolution.Stencil.Tap;
import org.clinfer.cpu.window.Window;

/**
 * The planes in which the channels of an input lie once they are padded, so that every tap of a window reads them with
 * stride 1: output {@code i} of a stencil, counted along padded lines, meets element {@code i + offset} of the channel.
 */
final class PaddedPlanes {

    /*
     * A channel becomes one plane for each residue of the coordinates by the strides that a tap has. Cell (d, h, w) of a
     * plane is at (d * lines + h) * pitch + w. Where the stride along the width is 1, the padding behind a line may be
     * the one before the next. Outputs have the same pitch; those between the end of one line and the start of the next
     * are computed and dropped. Distances of channels are no large power of 2, which would bring them all to the same
     * few places of a cache.
     */
    private static final int ALIGNMENT = 64;

    private static final int SKEW = 16;
    private static final double MAX_GROWTH = 3;
    private static final long MAX_CHANNEL = 1 << 26;

    private final int[] in;
    private final int[] step;
    private final int[] least = new int[3];
    private final int[] cells = new int[3];
    private final int pitch;
    private final Map<Integer, Integer> planes = new TreeMap<>();
    private final int plane;

    /** Of stencils that see the same input, with the same steps. */
    PaddedPlanes(List<Stencil> stencils) {
        Stencil any = stencils.get(0);
        this.in = any.in();
        this.step = any.step();
        Arrays.fill(least, Integer.MAX_VALUE);
        int[] most = {Integer.MIN_VALUE, Integer.MIN_VALUE, Integer.MIN_VALUE};
        int[] positions = new int[3];
        for (Stencil stencil : stencils) {
            for (int axis = 0; axis < 3; axis++) {
                positions[axis] = Math.max(positions[axis], stencil.positions()[axis]);
                for (Tap tap : stencil.taps()) {
                    int cell = Math.floorDiv(tap.offset()[axis], step[axis]);
                    least[axis] = Math.min(least[axis], cell);
                    most[axis] = Math.max(most[axis], cell);
                }
            }
            for (Tap tap : stencil.taps()) {
                planes.putIfAbsent(residue(tap), planes.size());
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            cells[axis] = positions[axis] + most[axis] - least[axis];
        }
        int before = Math.max(0, -least[2]);
        boolean isShared = step[2] == 1;
        int shortest = Math.max(positions[2], Math.max(before + in[2], cells[2] - before));
        this.pitch = isShared ? Math.min(cells[2], shortest) : cells[2];
        int size = Math.multiplyExact(Math.multiplyExact(cells[0], cells[1]), pitch) + (cells[2] - pitch);
        this.plane = size % ALIGNMENT == 0 ? size + SKEW : size;
    }

    /** {@return whether padding and gaps between lines are no more than a part of what is computed} */
    static boolean suits(List<Stencil> stencils) {
        double needed = 1;
        double computed = 1;
        double residues = 1;
        for (int axis = 0; axis < 3; axis++) {
            int step = stencils.get(0).step()[axis];
            int least = Integer.MAX_VALUE;
            int most = Integer.MIN_VALUE;
            int positions = 0;
            for (Stencil stencil : stencils) {
                positions = Math.max(positions, stencil.positions()[axis]);
                for (Tap tap : stencil.taps()) {
                    int cell = Math.floorDiv(tap.offset()[axis], step);
                    least = Math.min(least, cell);
                    most = Math.max(most, cell);
                }
            }
            if (least > most) {
                return false;
            }
            needed *= Math.max(positions, stencils.get(0).in()[axis] / (double) step);
            computed *= (double) positions + most - least;
            residues *= step;
        }
        return computed <= MAX_GROWTH * needed + ALIGNMENT && computed * residues <= MAX_CHANNEL;
    }

    private int residue(Tap tap) {
        int residue = 0;
        for (int axis = 0; axis < 3; axis++) {
            residue = residue * step[axis] + Math.floorMod(tap.offset()[axis], step[axis]);
        }
        return residue;
    }

    /** Elements of a channel of the input. */
    int elements() {
        return Window.product(in);
    }

    /** Elements of a channel as it lies here. */
    int channel() {
        return planes.size() * plane;
    }

    /** Outputs of a stencil counted along padded lines, with the gaps between them. */
    int outputs(Stencil stencil) {
        int[] positions = stencil.positions();
        return flat(positions[0] - 1, positions[1] - 1, positions[2] - 1) + 1;
    }

    /** The number of an output. */
    int flat(int depth, int height, int width) {
        return (depth * cells[1] + height) * pitch + width;
    }

    int pitch() {
        return pitch;
    }

    /** Lines from one depth to the next. */
    int lines() {
        return cells[1];
    }

    /** The distance of the element that a tap meets behind the output's number. */
    int offset(Tap tap) {
        int[] cell = new int[3];
        for (int axis = 0; axis < 3; axis++) {
            cell[axis] = Math.floorDiv(tap.offset()[axis], step[axis]) - least[axis];
        }
        Integer number = planes.get(residue(tap));
        if (number == null) {
            throw new IllegalArgumentException("a tap of another stencil");
        }
        return number * plane + flat(cell[0], cell[1], cell[2]);
    }

    /**
     * Fills channels one after the other.
     *
     * @param x channels of {@code in} elements, one after the other
     * @param first the first of them
     */
    <A> void fill(ElementReader<A> x, int first, int channels, A into, Cells<A> cells, Parallel parallel) {
        int elements = elements();
        if (isCopy()) {
            parallel.forRange(channels, Math.max(1, (1 << 15) / Math.max(1, elements)), (begin, end) -> {
                int together = plane == elements ? end - begin : 1;
                for (int at = begin; at < end; at += together) {
                    x.read((first + at) * elements, into, at * plane, together * elements);
                    cells.pad(into, at * plane + together * elements, (at + together) * plane);
                }
            });
            return;
        }
        parallel.forRange(channels, Math.max(1, (1 << 13) / Math.max(1, channel())), (begin, end) -> {
            int together = Math.max(1, Math.min(end - begin, Chunks.SIZE / Math.max(1, elements)));
            A read = cells.take(parallel.scratch(), together * elements);
            for (int at = begin; at < end; at += together) {
                int count = Math.min(together, end - at);
                x.read((first + at) * elements, read, 0, count * elements);
                for (int i = 0; i < count; i++) {
                    fillChannel(read, i * elements, into, (at + i) * channel(), cells);
                }
            }
            cells.give(parallel.scratch(), read);
        });
    }

    /** {@return whether the elements of a channel lie here as they do in a tensor} */
    private boolean isCopy() {
        return planes.size() == 1
                && Arrays.equals(cells, in)
                && least[0] == 0
                && least[1] == 0
                && least[2] == 0
                && step[0] * step[1] * step[2] == 1;
    }

    /** Fills one channel from the elements at {@code origin}. */
    <A> void fillChannel(A x, int origin, A into, int at, Cells<A> kind) {
        planes.forEach((residue, number) -> {
            int start = at + number * plane;
            int[] shift = {
                residue / step[2] / step[1] + least[0] * step[0],
                residue / step[2] % step[1] + least[1] * step[1],
                residue % step[2] + least[2] * step[2]
            };
            for (int d = 0; d < cells[0]; d++) {
                for (int h = 0; h < cells[1]; h++) {
                    int depth = d * step[0] + shift[0];
                    int height = h * step[1] + shift[1];
                    int line = start + flat(d, h, 0);
                    if (depth >= 0 && depth < in[0] && height >= 0 && height < in[1]) {
                        fillLine(x, origin + (depth * in[1] + height) * in[2], into, line, shift[2], kind);
                    } else {
                        kind.pad(into, line, line + pitch);
                    }
                }
            }
            int filled = start + flat(cells[0], 0, 0);
            kind.pad(into, filled, start + plane);
        });
    }

    /** Fills a line from input coordinate {@code shift} on. */
    private <A> void fillLine(A x, int origin, A into, int at, int shift, Cells<A> kind) {
        int stride = step[2];
        int begin = shift >= 0 ? 0 : Math.min(pitch, Rounding.ceilDiv(-shift, stride));
        int end = shift >= in[2] ? begin : Math.max(begin, Math.min(pitch, Rounding.ceilDiv(in[2] - shift, stride)));
        kind.pad(into, at, at + begin);
        kind.copy(x, origin + shift + begin * stride, stride, into, at + begin, end - begin);
        kind.pad(into, at + end, at + pitch);
    }
}
