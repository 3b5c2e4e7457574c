package org.clinfer.cpu.matrix;

import java.util.Arrays;
import java.util.List;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.RowKernels;
import org.clinfer.cpu.vector.VectorKernels;
import org.jspecify.annotations.Nullable;

/** Float products of matrices in tensors, by the way that suits their sizes. */
public final class MatrixOperands {

    /** Rows for which a right matrix that is no constant is brought into panels. */
    private static final int PACKED_ROWS = 16;

    /** Fewer columns would leave most of a panel empty. */
    private static final int MIN_COLUMNS = 8;

    /** Elements that are copied in some microseconds. */
    private static final int GRAIN = 1 << 14;

    private MatrixOperands() {}

    /** A matrix within a tensor: row-major with rows * columns elements from offset, read transposed if asked. */
    public record Operand(TensorValues values, int offset, int rows, int columns, boolean transposed) {

        /** Rows as the product sees them. */
        int outer() {
            return transposed ? columns : rows;
        }

        /** Columns as the product sees them. */
        int inner() {
            return transposed ? rows : columns;
        }

        Operand transpose() {
            return new Operand(values, offset, rows, columns, !transposed);
        }

        /** As a heap array [outer, inner]. */
        float[] dense() {
            float[] read = new float[rows * columns];
            values.read(offset, read, 0, read.length);
            return transposed ? AxisSwap.swap(read, rows, columns) : read;
        }

        /** Its rows, as the product sees them. */
        PanelProduct.Left left() {
            int length = inner();
            if (transposed) {
                float[] all = dense();
                return (row, count, into) -> System.arraycopy(all, row * length, into, 0, count * length);
            }
            return (row, count, into) -> values.read(offset + row * length, into, 0, count * length);
        }

        MatrixPanel panel() {
            return transposed
                    ? new MatrixPanel(values, offset, 1, columns)
                    : new MatrixPanel(values, offset, columns, 1);
        }
    }

    /**
     * Gives the product [a.outer, b.inner] of few rows and a constant to a result, or nothing where there are more rows, no
     * constant or no vectors.
     *
     * @param position of the constant among the inputs of a call; it has the one matrix b
     * @return whether it did
     */
    static boolean multiplyFew(
            Operand a,
            Operand b,
            PanelProduct.Result result,
            CpuCall call,
            int position,
            @Nullable VectorKernels kernels) {
        int rows = a.outer();
        int columns = b.inner();
        int depth = a.inner();
        boolean isMade = kernels != null
                && call.isConstant(position)
                && rows <= InnerProducts.MAX_ROWS_IN_VECTORS
                && rows > 0
                && columns > 0
                && depth > 0;
        if (!isMade || kernels == null) {
            return false;
        }
        float[] right = call.packed(
                position,
                "a row for each column " + b.transposed,
                () -> b.transpose().dense());
        InnerProducts.Rows left = new InnerProducts.Rows(a.dense(), 0, rows, depth);
        float[][] products = InnerProducts.of(left, right, columns, call.parallel(), kernels.functions());
        for (int row = 0; row < rows; row++) {
            result.take(row, 0, columns, products[row], 0);
        }
        return true;
    }

    /**
     * Gives the product [a.outer, b.inner] to a result, by panels of b, or nothing where it has too few rows or columns for that.
     *
     * @param position of b among the inputs of a call; it is the whole of that input
     * @return whether it did
     */
    static boolean multiplyPanels(
            Operand a,
            Operand b,
            PanelProduct.Result result,
            CpuCall call,
            int position,
            @Nullable VectorKernels kernels) {
        int rows = a.outer();
        int columns = b.inner();
        int depth = a.inner();
        int fewest = call.isConstant(position) ? PanelProduct.TILE_ROWS : PACKED_ROWS;
        if (kernels == null || rows < fewest || columns < MIN_COLUMNS || depth == 0) {
            return false;
        }
        int width = PanelProduct.width(rows);
        float[] panels = call.packed(
                position, "panels of " + width + " columns " + b.transposed, () -> panels(b, width, call.parallel()));
        new PanelProduct(panels, depth, columns, width).multiply(a.left(), rows, result, call.parallel(), kernels);
        return true;
    }

    /**
     * Gives the product [a.outer, b.inner] to a result.
     *
     * @param position of b among the inputs of a call; it is the whole of that input
     */
    public static void multiply(
            Operand a,
            Operand b,
            PanelProduct.Result result,
            CpuCall call,
            int position,
            @Nullable VectorKernels kernels) {
        if (!multiplyPanels(a, b, result, call, position, kernels)
                && !multiplyFew(a, b, result, call, position, kernels)) {
            MatrixProduct.run(List.of(part(a, b, result)), call.parallel(), kernels);
        }
    }

    private static float[] panels(Operand b, int width, Parallel parallel) {
        int columns = b.inner();
        int depth = b.outer();
        int count = Rounding.ceilDiv(columns, width);
        float[] panels = new float[Math.multiplyExact(count, depth * width)];
        parallel.forRange(count, Math.max(1, GRAIN / (depth * width)), (from, to) -> {
            float[] rows = new float[b.transposed ? width * depth : 0];
            for (int panel = from; panel < to; panel++) {
                int held = Math.min(width, columns - panel * width);
                int at = panel * depth * width;
                if (b.transposed) {
                    b.values.read(b.offset + panel * width * depth, rows, 0, held * depth);
                    for (int k = 0; k < depth; k++) {
                        RowKernels.everyNth(rows, k, depth, panels, at + k * width, held);
                    }
                } else {
                    for (int k = 0; k < depth; k++) {
                        b.values.read(b.offset + k * columns + panel * width, panels, at + k * width, held);
                    }
                }
            }
        });
        return panels;
    }

    /** Writes the product [a.outer, b.inner] to {@code y} from {@code origin}. */
    public static void multiply(
            Operand a, Operand b, Destination y, Parallel parallel, @Nullable VectorKernels kernels) {
        int rows = a.outer();
        int columns = b.inner();
        int depth = a.inner();
        if (rows == 0 || columns == 0) {
            return;
        }
        if (depth == 0) {
            Arrays.fill(y.values, y.origin, y.origin + rows * columns, 0);
        } else if (b.transposed && rows <= InnerProducts.MAX_ROWS) {
            float[][] products = InnerProducts.of(
                    new InnerProducts.Rows(a.dense(), 0, rows, depth), b.values, b.offset, columns, parallel);
            for (int row = 0; row < rows; row++) {
                System.arraycopy(products[row], 0, y.values, y.origin + row * columns, columns);
            }
        } else if (!a.transposed && columns <= InnerProducts.MAX_ROWS) {
            float[] right = b.transpose().dense();
            float[][] products = InnerProducts.of(
                    new InnerProducts.Rows(right, 0, columns, depth), a.values, a.offset, rows, parallel);
            for (int row = 0; row < rows; row++) {
                for (int column = 0; column < columns; column++) {
                    y.values[y.origin + row * columns + column] = products[column][row];
                }
            }
        } else {
            MatrixProduct.run(List.of(part(a, b, y)), parallel, kernels);
        }
    }

    /** The product as a part of a larger run. */
    static MatrixProduct.Part part(Operand a, Operand b, Destination y) {
        int columns = b.inner();
        return part(
                a,
                b,
                (row, column, count, sums, at) ->
                        System.arraycopy(sums, at, y.values, y.origin + row * columns + column, count));
    }

    private static MatrixProduct.Part part(Operand a, Operand b, PanelProduct.Result result) {
        return new MatrixProduct.Part(
                a.outer(),
                a.inner(),
                b.inner(),
                new MatrixProduct.Dense(a.dense(), 0, a.inner()),
                b.panel(),
                (MatrixProduct.Result.OfFloats) (sums, tile) -> {
                    for (int row = 0; row < tile.rows(); row++) {
                        result.take(tile.row() + row, tile.column(), tile.columns(), sums[row], 0);
                    }
                });
    }

    /** The destination of a row-major result. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Destination(float[] values, int origin) {}
}
