package org.clinfer.cpu.matrix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.vector.RowKernels;
import org.clinfer.cpu.vector.VectorKernels;
import org.jspecify.annotations.Nullable;

/** Products of float matrices, blocked so that the innermost loop runs along rows of heap arrays. */
public final class MatrixProduct {

    /*
     * The right matrix is copied block by block into a panel of DEPTH row arrays. Two panel rows at a time are added,
     * weighted, to three accumulator rows: that loop has no dependence between its steps, so the JIT vectorises it, and
     * the accumulator rows stay in the first-level cache for a whole panel. Panel rows beyond the depth are zero, as is
     * the padding of the left matrix, so that padding can never make NaN.
     */
    public static final int DEPTH = 128;

    /** The largest difference of two integers of 8 bits. */
    public static final int MAX_INTEGER = 255;

    /** Blocks of {@link #DEPTH} products of such differences, whose sum floats hold exactly. */
    private static final int EXACT_BLOCKS = (1 << 24) / (MAX_INTEGER * MAX_INTEGER) / DEPTH;

    private static final int MAX_COLUMNS = 512;
    private static final int MIN_COLUMNS = 128;
    private static final int MAX_ROWS = 1023;
    private static final int MIN_ROWS = 16;
    private static final int PACKED_ROWS = 48;
    private static final int MIN_TALL = 2;
    private static final int MAX_TALL_ROWS = 255;
    private static final int LANES = 16;

    private MatrixProduct() {}

    /** Supplies blocks of the right matrix. */
    @FunctionalInterface
    public interface Panel {
        /** Copies rows {@code block.depth …} and columns {@code block.column …} to {@code rows[0 …][0 …]}. */
        void fill(float[][] rows, Block block);
    }

    /** Supplies strips of the left matrix. */
    @FunctionalInterface
    public interface Rows {
        /** Copies columns {@code strip.depth …} of row {@code strip.row + i} to {@code packed[i * DEPTH …]}. */
        void pack(float[] packed, Strip strip);
    }

    /** The destination of finished rectangles of the result. */
    public sealed interface Result {

        /** Takes the sums in floats. */
        @FunctionalInterface
        non-sealed interface OfFloats extends Result {
            /** Row {@code tile.row + i} begins with {@code sums[i]}, which may be overwritten. */
            void take(float[][] sums, Tile tile);
        }

        /** Takes the sums of a product of integers in ints, exactly; those beyond 32 bits wrap. */
        @FunctionalInterface
        non-sealed interface OfInts extends Result {
            /** Row {@code tile.row + i} begins with {@code sums[i]}, which may be overwritten. */
            void take(int[][] sums, Tile tile);
        }
    }

    /** A rectangle of the right matrix. */
    public record Block(int depth, int depths, int column, int columns) {}

    /** A rectangle of the left matrix. */
    public record Strip(int row, int rows, int depth, int depths) {}

    /** A rectangle of the result. */
    public record Tile(int row, int rows, int column, int columns) {}

    /**
     * One independent product of a [rows, depth] and a [depth, columns] matrix. Where the result is of ints, both hold
     * integers of at most {@link #MAX_INTEGER} in magnitude.
     */
    public record Part(int rows, int depth, int columns, Rows left, Panel right, Result result) {}

    /** A row-major matrix; element (row, column) is {@code values[offset + row * pitch + column]}. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Dense(float[] values, int offset, int pitch) implements Rows {
        @Override
        public void pack(float[] packed, Strip strip) {
            for (int row = 0; row < strip.rows; row++) {
                int from = offset + (strip.row + row) * pitch + strip.depth;
                System.arraycopy(values, from, packed, row * DEPTH, strip.depths);
            }
        }
    }

    /** A rectangle of the result of one part. */
    private record Unit(Part part, int row, int rows, int column, int columns) {}

    /**
     * Computes all parts.
     *
     * @param kernels loops in vectors, or null for plain ones
     */
    public static void run(List<Part> parts, Parallel parallel, @Nullable VectorKernels kernels) {
        List<Unit> units = new ArrayList<>();
        int wanted = Math.max(1, 2 * parallel.threads() / Math.max(1, parts.size()));
        for (Part part : parts) {
            split(part, wanted, units);
        }
        Scratch scratch = parallel.scratch();
        parallel.forRange(units.size(), 1, (from, to) -> {
            int rows = 0;
            int depths = 0;
            int columns = 0;
            for (Unit unit : units.subList(from, to)) {
                rows = Math.max(rows, unit.rows);
                depths = Math.max(depths, Math.min(DEPTH, Rounding.roundUp(unit.part.depth, 4)));
                columns = Math.max(columns, Rounding.roundUp(unit.columns, LANES));
            }
            float[][] panel = scratch.takeRows(depths, columns);
            float[][] sums = scratch.takeRows(rows, columns);
            float[] packed = scratch.take(PACKED_ROWS * DEPTH);
            for (Unit unit : units.subList(from, to)) {
                compute(unit, panel, packed, sums, kernels);
            }
            scratch.give(packed);
            scratch.giveRows(sums);
            scratch.giveRows(panel);
        });
    }

    private static void split(Part part, int wanted, List<Unit> units) {
        int columns = part.columns;
        int rows = part.rows;
        if (columns == 0 || rows == 0) {
            return;
        }
        if (rows > MIN_TALL * columns) {
            splitTall(part, wanted, units);
            return;
        }
        int width = Math.min(
                MAX_COLUMNS, Math.max(MIN_COLUMNS, Rounding.roundUp(Rounding.ceilDiv(columns, 2 * wanted), LANES)));
        int columnBlocks = Rounding.ceilDiv(columns, width);
        int rowBlocks = Math.max(1, Math.min(Rounding.ceilDiv(wanted, columnBlocks), rows / MIN_ROWS));
        int height = Math.min(MAX_ROWS, Rounding.roundUp(Rounding.ceilDiv(rows, rowBlocks), 3));
        for (int column = 0; column < columns; column += width) {
            for (int row = 0; row < rows; row += height) {
                units.add(new Unit(part, row, Math.min(height, rows - row), column, Math.min(width, columns - column)));
            }
        }
    }

    /** Divides the rows rather than the columns. */
    private static void splitTall(Part part, int wanted, List<Unit> units) {
        int width =
                Rounding.roundUp(Rounding.ceilDiv(part.columns, Rounding.ceilDiv(part.columns, MAX_COLUMNS)), LANES);
        int height = Rounding.roundUp(Math.min(MAX_TALL_ROWS, Rounding.ceilDiv(part.rows, 2 * wanted)), 3);
        for (int row = 0; row < part.rows; row += height) {
            for (int column = 0; column < part.columns; column += width) {
                int columns = Math.min(width, part.columns - column);
                units.add(new Unit(part, row, Math.min(height, part.rows - row), column, columns));
            }
        }
    }

    private static void compute(
            Unit unit, float[][] panel, float[] packed, float[][] sums, @Nullable VectorKernels kernels) {
        Part part = unit.part;
        boolean isOfInts = part.result instanceof Result.OfInts;
        int[][] totals = new int[isOfInts ? unit.rows : 0][unit.columns];
        clear(unit, sums);
        for (int depth = 0; depth < part.depth; depth += DEPTH) {
            int depths = Math.min(DEPTH, part.depth - depth);
            addBlock(unit, new Block(depth, depths, unit.column, unit.columns), panel, packed, sums, kernels);
            boolean isLast = depth + depths == part.depth;
            if (isOfInts && (isLast || depth / DEPTH % EXACT_BLOCKS == EXACT_BLOCKS - 1)) {
                addTo(totals, unit, sums, kernels);
                if (!isLast) {
                    clear(unit, sums);
                }
            }
        }
        Tile tile = new Tile(unit.row, unit.rows, unit.column, unit.columns);
        if (part.result instanceof Result.OfInts ints) {
            ints.take(totals, tile);
        } else if (part.result instanceof Result.OfFloats floats) {
            floats.take(sums, tile);
        }
    }

    private static void clear(Unit unit, float[][] sums) {
        int width = Rounding.roundUp(unit.columns, LANES);
        for (int row = 0; row < unit.rows; row++) {
            Arrays.fill(sums[row], 0, width, 0);
        }
    }

    private static void addTo(int[][] totals, Unit unit, float[][] sums, @Nullable VectorKernels kernels) {
        for (int row = 0; row < unit.rows; row++) {
            int[] total = totals[row];
            float[] sum = sums[row];
            if (kernels != null) {
                kernels.addIntegers(sum, total, unit.columns);
                continue;
            }
            for (int column = 0; column < unit.columns; column++) {
                total[column] += (int) sum[column];
            }
        }
    }

    /** Adds the products of one block of the right matrix. */
    private static void addBlock(
            Unit unit, Block block, float[][] panel, float[] packed, float[][] sums, @Nullable VectorKernels kernels) {
        Part part = unit.part;
        int depths = block.depths;
        int width = Rounding.roundUp(unit.columns, LANES);
        part.right.fill(panel, block);
        int padded = Rounding.roundUp(depths, 4);
        for (int k = depths; k < padded; k++) {
            Arrays.fill(panel[k], 0, width, 0);
        }
        if (part.left instanceof Dense dense && depths == padded) {
            int origin = dense.offset + unit.row * dense.pitch + block.depth;
            Dense left = new Dense(dense.values, origin, dense.pitch);
            addRows(kernels, sums, 0, unit.rows, panel, left, padded, width);
            return;
        }
        for (int row = 0; row < unit.rows; row += PACKED_ROWS) {
            int rows = Math.min(PACKED_ROWS, unit.rows - row);
            part.left.pack(packed, new Strip(unit.row + row, rows, block.depth, depths));
            for (int i = 0; i < rows; i++) {
                Arrays.fill(packed, i * DEPTH + depths, i * DEPTH + padded, 0);
            }
            addRows(kernels, sums, row, rows, panel, new Dense(packed, 0, DEPTH), padded, width);
        }
    }

    /** Adds to {@code rows} sums from {@code first} on. */
    private static void addRows(
            @Nullable VectorKernels kernels,
            float[][] sums,
            int first,
            int rows,
            float[][] panel,
            Dense left,
            int depths,
            int width) {
        if (kernels != null && width % kernels.lanes() == 0) {
            addTiles(kernels, sums, first, rows, panel, left, depths, width);
            return;
        }
        int row = 0;
        for (; row + 3 <= rows; row += 3) {
            addThreeRows(sums, first + row, panel, depths, left, left.offset + row * left.pitch, width);
        }
        for (; row < rows; row++) {
            addOneRow(sums[first + row], panel, depths, left, left.offset + row * left.pitch, width);
        }
    }

    private static void addTiles(
            VectorKernels kernels,
            float[][] sums,
            int first,
            int rows,
            float[][] panel,
            Dense left,
            int depths,
            int width) {
        int vectors = width / kernels.lanes();
        for (int vector = 0; vector < vectors; vector += VectorKernels.VECTORS) {
            int column = vector * kernels.lanes();
            int count = Math.min(VectorKernels.VECTORS, vectors - vector);
            for (int row = 0; row < rows; row += VectorKernels.ROWS) {
                kernels.addRows(
                        left.values,
                        left.offset + row * left.pitch,
                        left.pitch,
                        panel,
                        depths,
                        column,
                        sums,
                        first + row,
                        Math.min(VectorKernels.ROWS, rows - row),
                        count);
            }
        }
    }

    private static void addThreeRows(
            float[][] sums, int row, float[][] panel, int depths, Dense left, int origin, int width) {
        for (int k = 0; k < depths; k += 2) {
            RowKernels.addTwo(
                    sums[row],
                    sums[row + 1],
                    sums[row + 2],
                    panel[k],
                    panel[k + 1],
                    left.values,
                    origin + k,
                    left.pitch,
                    width);
        }
    }

    private static void addOneRow(float[] sum, float[][] panel, int depths, Dense left, int origin, int width) {
        for (int k = 0; k < depths; k += 4) {
            RowKernels.addFour(sum, panel[k], panel[k + 1], panel[k + 2], panel[k + 3], left.values, origin + k, width);
        }
    }
}
