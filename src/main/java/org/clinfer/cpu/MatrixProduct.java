package org.clinfer.cpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Products of float matrices, blocked so that the innermost loop runs along rows of heap arrays. */
final class MatrixProduct {

    /*
     * The right matrix is copied block by block into a panel of DEPTH row arrays. Four panel rows at a time are added,
     * weighted, to two accumulator rows: that loop has no dependence between its steps, so the JIT vectorises it, and
     * the accumulator rows stay in the first-level cache for a whole panel. Panel rows beyond the depth are zero, as is
     * the padding of the left matrix, so that padding can never make NaN.
     */
    static final int DEPTH = 128;

    private static final int MAX_COLUMNS = 512;
    private static final int MIN_COLUMNS = 128;
    private static final int MAX_ROWS = 1024;
    private static final int MIN_ROWS = 16;
    private static final int LANES = 16;

    private MatrixProduct() {}

    /** Supplies blocks of the right matrix. */
    @FunctionalInterface
    interface Panel {
        /** Copies rows {@code block.depth …} and columns {@code block.column …} to {@code rows[0 …][0 …]}. */
        void fill(float[][] rows, Block block);
    }

    /** Takes finished stretches of result rows. */
    @FunctionalInterface
    interface Result {
        /** Elements {@code column … column + columns - 1} of {@code row} are the first of {@code values}. */
        void take(int row, int column, int columns, float[] values);
    }

    /** A rectangle of the right matrix. */
    record Block(int depth, int depths, int column, int columns) {}

    /** The left matrix, row-major from {@code offset}; {@code pitch} is a multiple of 4, padding is zero. */
    @SuppressWarnings("ArrayRecordComponent")
    record Left(float[] values, int offset, int rows, int depth, int pitch) {

        /** A matrix without gaps at {@code offset}; copied only if its depth is no multiple of 4. */
        static Left of(float[] values, int offset, int rows, int depth) {
            if (depth % 4 == 0) {
                return new Left(values, offset, rows, depth, depth);
            }
            int pitch = (depth + 3) / 4 * 4;
            float[] padded = new float[Math.multiplyExact(rows, pitch)];
            for (int row = 0; row < rows; row++) {
                System.arraycopy(values, offset + row * depth, padded, row * pitch, depth);
            }
            return new Left(padded, 0, rows, depth, pitch);
        }
    }

    /**
     * One independent product.
     *
     * @param start initial value of every result row, by row; zero where absent
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Part(Left left, float @Nullable [] start, int columns, Panel right, Result result) {}

    /** A rectangle of the result of one part. */
    private record Unit(Part part, int row, int rows, int column, int columns) {}

    /** Computes all parts. */
    static void run(List<Part> parts, Parallel parallel) {
        List<Unit> units = new ArrayList<>();
        int wanted = Math.max(1, 2 * parallel.threads() / Math.max(1, parts.size()));
        for (Part part : parts) {
            split(part, wanted, units);
        }
        parallel.forRange(units.size(), 1, (from, to) -> {
            int rows = 0;
            int columns = 0;
            for (Unit unit : units.subList(from, to)) {
                rows = Math.max(rows, unit.rows);
                columns = Math.max(columns, roundUp(unit.columns, LANES));
            }
            float[][] panel = new float[DEPTH][columns];
            float[][] sums = new float[rows][columns];
            for (Unit unit : units.subList(from, to)) {
                compute(unit, panel, sums);
            }
        });
    }

    private static void split(Part part, int wanted, List<Unit> units) {
        int columns = part.columns;
        int rows = part.left.rows;
        if (columns == 0 || rows == 0) {
            return;
        }
        int width = Math.min(MAX_COLUMNS, Math.max(MIN_COLUMNS, roundUp(ceilDiv(columns, 2 * wanted), LANES)));
        int columnBlocks = ceilDiv(columns, width);
        int rowBlocks = Math.max(1, Math.min(ceilDiv(wanted, columnBlocks), rows / MIN_ROWS));
        int height = Math.min(MAX_ROWS, roundUp(ceilDiv(rows, rowBlocks), 2));
        for (int column = 0; column < columns; column += width) {
            for (int row = 0; row < rows; row += height) {
                units.add(new Unit(part, row, Math.min(height, rows - row), column, Math.min(width, columns - column)));
            }
        }
    }

    private static void compute(Unit unit, float[][] panel, float[][] sums) {
        Left left = unit.part.left;
        int width = roundUp(unit.columns, LANES);
        for (int row = 0; row < unit.rows; row++) {
            float[] start = unit.part.start;
            Arrays.fill(sums[row], 0, width, start == null ? 0 : start[unit.row + row]);
        }
        for (int depth = 0; depth < left.depth; depth += DEPTH) {
            int depths = Math.min(DEPTH, left.depth - depth);
            unit.part.right.fill(panel, new Block(depth, depths, unit.column, unit.columns));
            int padded = roundUp(depths, 4);
            for (int k = depths; k < padded; k++) {
                Arrays.fill(panel[k], 0, width, 0);
            }
            int origin = left.offset + unit.row * left.pitch + depth;
            int row = 0;
            for (; row + 2 <= unit.rows; row += 2) {
                addTwoRows(sums, row, panel, padded, left, origin + row * left.pitch, width);
            }
            if (row < unit.rows) {
                addOneRow(sums[row], panel, padded, left, origin + row * left.pitch, width);
            }
        }
        for (int row = 0; row < unit.rows; row++) {
            unit.part.result.take(unit.row + row, unit.column, unit.columns, sums[row]);
        }
    }

    private static void addTwoRows(
            float[][] sums, int row, float[][] panel, int depths, Left left, int origin, int width) {
        for (int k = 0; k < depths; k += 4) {
            RowKernels.addFour(
                    sums[row],
                    sums[row + 1],
                    panel[k],
                    panel[k + 1],
                    panel[k + 2],
                    panel[k + 3],
                    left.values,
                    origin + k,
                    left.pitch,
                    width);
        }
    }

    private static void addOneRow(float[] sum, float[][] panel, int depths, Left left, int origin, int width) {
        for (int k = 0; k < depths; k += 4) {
            RowKernels.addFour(sum, panel[k], panel[k + 1], panel[k + 2], panel[k + 3], left.values, origin + k, width);
        }
    }

    static int ceilDiv(int value, int by) {
        return (value + by - 1) / by;
    }

    private static int roundUp(int value, int multiple) {
        return ceilDiv(value, multiple) * multiple;
    }
}
