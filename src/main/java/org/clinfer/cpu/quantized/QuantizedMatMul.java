package org.clinfer.cpu.quantized;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.matrix.MatrixBatch;
import org.clinfer.cpu.matrix.MatrixProduct;
import org.clinfer.cpu.matrix.PanelProduct;
import org.clinfer.cpu.matrix.Panels;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Products of matrices of quantized values of 8 bits, summed in 32 bits. */
final class QuantizedMatMul implements CpuOperator {

    private static final int BIAS = 2;
    private static final int A_ZERO_POINT = 3;
    private static final int B_ZERO_POINT = 4;
    private static final int A_SCALE = 5;
    private static final int Y_SCALE = 7;
    private static final int Y_ZERO_POINT = 8;

    private final @Nullable VectorKernels kernels;

    QuantizedMatMul(CpuPath path) {
        this.kernels = path.kernels();
    }

    @Override
    public void run(CpuCall call) {
        MatrixBatch batch = MatrixBatch.of(call.parameters());
        float[] a = leftLessZeros(call, batch);
        Right b = new Right(
                new QuantizedValues(call.input(1), kernels),
                QuantizedValues.integers(call.optionalInput(B_ZERO_POINT)),
                batch.columns());
        Finish finish = new Finish(call, batch, kernels);
        MatrixBatch products = batch.sharesRight(call.input(1).elements()) ? batch.stacked() : batch;
        if (products.count() == 1 && multiplyPanels(call, products, a, b, finish)) {
            return;
        }
        List<MatrixProduct.Part> parts = new ArrayList<>();
        for (int i = 0; i < products.count(); i++) {
            int line = i * products.rows();
            int right = products.right(i);
            parts.add(new MatrixProduct.Part(
                    products.rows(),
                    products.depth(),
                    products.columns(),
                    new MatrixProduct.Dense(a, products.left(i), products.depth()),
                    (panel, block) -> b.fill(panel, block, right),
                    (MatrixProduct.Result.OfInts) (sums, tile) -> finish.take(sums, tile, line)));
        }
        MatrixProduct.run(parts, call.parallel(), kernels);
    }

    /** Multiplies with a constant matrix, if there are vectors; {@return whether it did} */
    private boolean multiplyPanels(CpuCall call, MatrixBatch product, float[] a, Right b, Finish finish) {
        int rows = product.rows();
        int depth = product.depth();
        if (kernels == null || !PanelProduct.takesIntegers(rows) || !call.isConstant(1) || !b.hasOneZero()) {
            return false;
        }
        byte[] panels = call.packedBytes(1, Panels.class, () -> b.panels(depth));
        PanelProduct.multiplyIntegers(
                (row, count, into) -> System.arraycopy(a, row * depth, into, 0, count * depth),
                rows,
                new Panels.OfBytes(panels, b.values.mask(), b.zero(), depth, kernels),
                b.columns,
                finish::take,
                call.parallel(),
                kernels);
        return true;
    }

    /** All left matrices less the zero points of their rows. */
    private float[] leftLessZeros(CpuCall call, MatrixBatch batch) {
        Tensor zeroPoint = call.optionalInput(A_ZERO_POINT);
        QuantizedValues values = new QuantizedValues(call.input(0), kernels);
        if (zeroPoint == null || zeroPoint.elements() == 1) {
            return values.all(zeroPoint, 1, call.parallel());
        }
        float[] a = values.all(null, 1, call.parallel());
        for (int i = 0; i < a.length; i++) {
            a[i] -= zeroPoint.getLong(i / batch.depth() % batch.rows());
        }
        return a;
    }

    /** The right matrices. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Right(QuantizedValues values, int[] zeros, int columns) {

        /** The zero point where all columns have one. */
        int zero() {
            return zeros.length == 0 ? 0 : zeros[0];
        }

        boolean hasOneZero() {
            return Arrays.stream(zeros).allMatch(each -> each == zeros[0]);
        }

        /** The one matrix in panels as it is; what lies beyond the last column means nothing. */
        byte[] panels(int depth) {
            int width = VectorKernels.PANEL;
            byte[] panels = new byte[Math.multiplyExact(Rounding.ceilDiv(columns, width), depth * width)];
            for (int k = 0; k < depth; k++) {
                for (int column = 0; column < columns; column += width) {
                    int held = Math.min(width, columns - column);
                    values.bytes().get(k * columns + column, panels, column * depth + k * width, held);
                }
            }
            return panels;
        }

        /** Fills a panel with a block of the matrix that begins at {@code offset}. */
        void fill(float[][] panel, MatrixProduct.Block block, int offset) {
            for (int k = 0; k < block.depths(); k++) {
                int row = offset + (block.depth() + k) * columns;
                read(row, block.column(), block.columns(), panel[k]);
            }
        }

        /** Some columns of the row that begins at {@code row}. */
        private void read(int row, int column, int count, float[] into) {
            values.read(row + column, count, zeros.length == 1 ? zero() : 0, into, 0);
            for (int j = 0; j < count && zeros.length > 1; j++) {
                into[j] -= zeros[column + j];
            }
        }
    }

    /** The bias and the conversion of sums. */
    private static final class Finish {
        private final CpuCall call;
        private final MatrixBatch batch;
        private final @Nullable VectorKernels kernels;
        private final int[] bias;
        private final int[] biasStrides;
        private final TypedMemory y;

        /** That of all rows, or null where each has its own. */
        private final @Nullable Requantization shared;

        Finish(CpuCall call, MatrixBatch batch, @Nullable VectorKernels kernels) {
            this.call = call;
            this.batch = batch;
            this.kernels = kernels;
            this.bias = QuantizedValues.integers(call.optionalInput(BIAS));
            this.biasStrides = call.parameters().ints("bias_strides");
            this.y = new TypedMemory(call.output());
            boolean isShared = isSingle(A_SCALE) && isSingle(Y_SCALE) && isSingle(Y_ZERO_POINT);
            this.shared = isShared ? ofRow(0) : null;
        }

        private boolean isSingle(int input) {
            Tensor tensor = call.optionalInput(input);
            return tensor == null || tensor.elements() == 1;
        }

        private Requantization ofRow(int row) {
            @Nullable Tensor[] scales = {element(A_SCALE, row), call.optionalInput(A_SCALE + 1), element(Y_SCALE, row)};
            return Requantization.of(call.output(), scales, element(Y_ZERO_POINT, row), Math.max(batch.columns(), 1));
        }

        /** The one element of a row. */
        private @Nullable Tensor element(int input, int row) {
            Tensor tensor = call.optionalInput(input);
            if (tensor == null || tensor.elements() == 1) {
                return tensor;
            }
            Tensor one = Tensor.allocate(tensor.dtype(), 1);
            one.setDouble(0, tensor.getDouble(row));
            return one;
        }

        /** Takes a tile of the product whose first row is row {@code line} of all. */
        void take(int[][] sums, MatrixProduct.Tile tile, int line) {
            for (int i = 0; i < tile.rows(); i++) {
                take(line + tile.row() + i, tile.column(), tile.columns(), sums[i], 0);
            }
        }

        /** Takes the sums of a row of all from {@code sums[at]} on, which may be overwritten. */
        void take(int line, int column, int count, int[] sums, int at) {
            int row = line % batch.rows();
            for (int j = 0; j < count && bias.length > 0; j++) {
                sums[at + j] += bias[row * biasStrides[0] + (column + j) * biasStrides[1]];
            }
            int element = line * batch.columns() + column;
            (shared == null ? ofRow(row) : shared)
                    .store(sums, at, y, new Epilogue.Stretch(element, 1, count, column, true), kernels);
        }
    }
}
