package org.clinfer.cpu.movement;

import java.nio.FloatBuffer;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.memory.Lines;
import org.clinfer.cpu.memory.StridedView;

/** Transposes matrices of floats, tile by tile in arrays. */
final class MatrixMove {

    /*
     * A tile is read in columns and stored in rows, each of which is one copy: whole rows where they are short, so that what
     * is stored lies in one piece, else squares, or all of a few rows.
     */
    /** Elements of a tile, roughly: those that are read and those that are stored stay in the first level of the caches. */
    private static final int TILE = 1 << 12;

    /** Rows of a tile that does not have whole ones. */
    private static final int SIDE = 64;

    /** Elements of a row that is not short. */
    private static final int LONG = 256;

    private final int[] begins;
    private final int pitch;
    private final int rows;
    private final int columns;
    private final int height;
    private final int width;

    /** @param source whose matrices are transposed */
    MatrixMove(StridedView source) {
        this.begins = source.matrices();
        this.pitch = source.step();
        this.rows = source.rows();
        this.columns = source.runLength();
        this.height = Math.min(rows, columns < LONG ? Math.max(1, TILE / columns) : SIDE);
        this.width = Math.min(columns, columns < LONG ? columns : TILE / height);
    }

    void run(CpuCall call) {
        FloatBuffer from = call.input(0).floats();
        FloatBuffer to = call.output().floats();
        int down = Rounding.ceilDiv(rows, height);
        int across = Rounding.ceilDiv(columns, width);
        Scratch scratch = call.parallel().scratch();
        call.parallel().forRange(begins.length * down * across, Math.max(1, TILE / (height * width)), (first, end) -> {
            float[] read = scratch.take(height * width);
            float[] turned = scratch.take(height * width);
            for (int tile = first; tile < end; tile++) {
                int matrix = tile / across / down;
                int row = tile / across % down * height;
                int column = tile % across * width;
                int count = Math.min(height, rows - row);
                int wide = Math.min(width, columns - column);
                read(from, begins[matrix] + column * pitch + row, count, wide, read);
                Lines.transpose(read, wide, count, turned);
                store(turned, count, wide, to, (matrix * rows + row) * columns + column);
            }
            scratch.give(turned);
            scratch.give(read);
        });
    }

    private void read(FloatBuffer from, int at, int count, int wide, float[] read) {
        if (count == pitch) {
            from.get(at, read, 0, wide * count);
            return;
        }
        for (int column = 0; column < wide; column++) {
            from.get(at + column * pitch, read, column * count, count);
        }
    }

    private void store(float[] turned, int count, int wide, FloatBuffer to, int at) {
        if (wide == columns) {
            to.put(at, turned, 0, count * wide);
            return;
        }
        for (int row = 0; row < count; row++) {
            to.put(at + row * columns, turned, row * wide, wide);
        }
    }
}
