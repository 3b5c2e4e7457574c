package org.clinfer.cpu.blocked;

import java.nio.FloatBuffer;
import java.util.Arrays;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.memory.Lines;
import org.clinfer.cpu.vector.BlockedView;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Between NCHW and blocked channels. */
final class BlockedConversions {

    /*
     * A unit is some rows of one block of channels, few enough for the first level of the caches. What it reads and what it
     * writes lies in one piece for each channel, and in one piece for the block. Four channels are taken at a time, so that
     * loops over short rows pay.
     */
    private static final int PIXEL = BlockedView.LANES;

    /** Channels that a loop takes at a time. */
    private static final int FOUR = 4;

    /** Floats of the blocks of a unit, roughly. */
    private static final int UNIT = 1 << 12;

    private BlockedConversions() {}

    /** NCHW to blocks; 0 in the margin and in lanes without a channel. */
    static void block(CpuCall call) {
        Planes planes = new Planes(call, call.input(0).shape(), call.output(), "y_halo");
        FloatBuffer from = call.floats(0);
        FloatBuffer to = call.outputFloats();
        planes.forEach(call, planes.blocked.rows(), unit -> {
            int first = Math.max(0, unit.row - planes.blocked.top());
            int end = Math.min(planes.rows, unit.row + unit.count - planes.blocked.top());
            int size = Math.max(0, end - first) * planes.columns;
            for (int lane = 0; lane < unit.present && size > 0; lane++) {
                from.get(planes.planar(unit.channel + lane, first), unit.lines, lane * size, size);
            }
            Arrays.fill(unit.lines, unit.present * size, PIXEL * size, 0);
            if (planes.columns < planes.width() || size < unit.count * planes.columns) {
                Arrays.fill(unit.pixels, 0, unit.count * planes.width() * PIXEL, 0);
            }
            for (int row = first; row < end; row++) {
                int at = (row + planes.blocked.top() - unit.row) * planes.width() + planes.blocked.left();
                for (int lane = 0; lane < PIXEL; lane += FOUR) {
                    int line = lane * size + (row - first) * planes.columns;
                    Lines.interleave(unit.lines, line, size, unit.pixels, at * PIXEL + lane, PIXEL, planes.columns);
                }
            }
            int target = (unit.plane * planes.blocked.rows() + unit.row) * planes.width() * PIXEL;
            to.put(target, unit.pixels, 0, unit.count * planes.width() * PIXEL);
        });
    }

    /** Blocks to NCHW, without what a crop leaves out. */
    static void unblock(CpuCall call) {
        Planes planes = new Planes(call, call.output().shape(), call.input(0), "crop");
        FloatBuffer from = call.floats(0);
        FloatBuffer to = call.outputFloats();
        planes.forEach(call, planes.rows, unit -> {
            int size = unit.count * planes.columns;
            int held = ((unit.count - 1) * planes.width() + planes.columns) * PIXEL;
            from.get(planes.blocked.at(unit.plane, unit.row, 0), unit.pixels, 0, held);
            for (int row = 0; row < unit.count; row++) {
                int at = row * planes.width() * PIXEL;
                for (int lane = 0; lane < unit.present; lane += FOUR) {
                    int line = lane * size + row * planes.columns;
                    Lines.part(unit.pixels, at + lane, PIXEL, unit.lines, line, size, planes.columns);
                }
            }
            for (int lane = 0; lane < unit.present; lane++) {
                to.put(planes.planar(unit.channel + lane, unit.row), unit.lines, lane * size, size);
            }
        });
    }

    /**
     * Some rows of one block of channels.
     *
     * @param plane its number among those of all pictures
     * @param channel its first plane of NCHW
     * @param present channels that exist
     * @param row the first row
     * @param count rows
     * @param pixels room for them in blocks
     * @param lines room for them in NCHW, without margins
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Unit(int plane, int channel, int present, int row, int count, float[] pixels, float[] lines) {}

    /** Takes a unit. */
    @FunctionalInterface
    private interface Visitor {
        void visit(Unit unit);
    }

    /** Both layouts of the same elements. */
    private static final class Planes {

        private final BlockedView blocked;
        private final int channels;
        private final int rows;
        private final int columns;

        Planes(CpuCall call, Shape planar, Tensor tensor, String margin) {
            this.blocked = BlockedView.of(tensor, call.parameters().ints(margin));
            this.channels = Math.toIntExact(planar.size(1));
            this.rows = Math.toIntExact(planar.size(2));
            this.columns = Math.toIntExact(planar.size(3));
        }

        int planar(int plane, int row) {
            return (plane * rows + row) * columns;
        }

        /** Columns of the blocks. */
        int width() {
            return blocked.columns();
        }

        /** Visits the first {@code height} rows of every block of channels. */
        void forEach(CpuCall call, int height, Visitor visitor) {
            int most = Math.max(1, Math.min(height, UNIT / (width() * PIXEL)));
            int bands = Rounding.ceilDiv(height, most);
            Scratch scratch = call.parallel().scratch();
            call.parallel().forRange(blocked.planes() * bands, 1, (from, to) -> {
                float[] pixels = scratch.take(most * width() * PIXEL);
                float[] lines = scratch.take(most * columns * PIXEL);
                for (int i = from; i < to; i++) {
                    int plane = i / bands;
                    int channel = plane / blocked.blocks() * channels + plane % blocked.blocks() * PIXEL;
                    int row = i % bands * most;
                    visitor.visit(new Unit(
                            plane,
                            channel,
                            blocked.present(plane, channels),
                            row,
                            Math.min(most, height - row),
                            pixels,
                            lines));
                }
                scratch.give(lines);
                scratch.give(pixels);
            });
        }
    }
}
