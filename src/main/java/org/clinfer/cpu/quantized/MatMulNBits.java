package org.clinfer.cpu.quantized;

import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.matrix.InnerProducts;
import org.clinfer.cpu.matrix.MatrixOperands;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorFunctions;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Products with quantized values of 4 or 8 bits: columns are dequantized, a few at a time, and multiplied as floats are. */
final class MatMulNBits implements CpuOperator {

    private static final int ZERO_POINTS = 3;
    private static final int BIAS = 4;

    /** Columns that are real at a time where rows are few: as many as inner products take together. */
    private static final int TOGETHER = 4;

    /** Weights that are real at a time where rows are many: they stay in the second-level cache. */
    private static final int REAL_WEIGHTS = 1 << 18;

    private final @Nullable VectorKernels kernels;

    MatMulNBits(CpuPath path) {
        this.kernels = path.kernels();
    }

    @Override
    public void run(CpuCall call) {
        Parameters parameters = call.parameters();
        int rows = Math.toIntExact(parameters.integer("m"));
        int columns = Math.toIntExact(parameters.integer("n"));
        QuantizedColumns quantized = QuantizedColumns.of(call, call.optionalInput(ZERO_POINTS), kernels);
        float[] left = quantized.arranged(TensorValues.allFloats(call.input(0)), rows);
        float[] y = new float[Math.multiplyExact(rows, columns)];
        if (kernels != null && rows <= InnerProducts.MAX_ROWS_IN_VECTORS) {
            multiplyFew(left, rows, quantized, columns, y, call.parallel(), kernels.functions());
        } else {
            multiplyMany(left, rows, quantized, columns, y, call.parallel());
        }
        Tensor bias = call.optionalInput(BIAS);
        if (bias != null) {
            float[] added = TensorValues.allFloats(bias);
            for (int row = 0; row < rows; row++) {
                for (int column = 0; column < columns; column++) {
                    y[row * columns + column] += added[column];
                }
            }
        }
        TensorValues.of(call.output()).writeAll(y, call.parallel());
    }

    /** Columns that a thread makes real stay in its first cache while all rows pass. */
    private static void multiplyFew(
            float[] left,
            int rows,
            QuantizedColumns quantized,
            int columns,
            float[] y,
            Parallel parallel,
            VectorFunctions vectors) {
        int depth = quantized.depth();
        parallel.forRange(columns, Chunks.grain((long) depth * Math.max(1, rows)), (first, end) -> {
            float[] real = new float[TOGETHER * depth];
            byte[] packed = new byte[quantized.stride()];
            for (int j = first; j < end; j += TOGETHER) {
                int count = Math.min(TOGETHER, end - j);
                for (int i = 0; i < count; i++) {
                    quantized.makeReal(j + i, packed, real, i * depth);
                }
                for (int row = 0; row < rows; row++) {
                    vectors.innerProducts(left, row * depth, real, 0, count, depth, y, row * columns + j);
                }
            }
        });
    }

    private void multiplyMany(
            float[] left, int rows, QuantizedColumns quantized, int columns, float[] y, Parallel parallel) {
        int depth = quantized.depth();
        int width = Math.max(1, Math.min(columns, REAL_WEIGHTS / Math.max(1, depth)));
        for (int first = 0; first < columns && rows > 0; first += width) {
            int from = first;
            int count = Math.min(width, columns - first);
            float[] real = new float[Math.multiplyExact(count, depth)];
            parallel.forRange(count, Chunks.grain(depth), (begin, end) -> {
                byte[] packed = new byte[quantized.stride()];
                for (int i = begin; i < end; i++) {
                    quantized.makeReal(from + i, packed, real, i * depth);
                }
            });
            float[] products = new float[Math.multiplyExact(rows, count)];
            try (Tensor a = Tensor.of(left, rows, depth);
                    Tensor b = Tensor.of(real, count, depth)) {
                MatrixOperands.multiply(
                        new MatrixOperands.Operand(TensorValues.of(a), 0, rows, depth, false),
                        new MatrixOperands.Operand(TensorValues.of(b), 0, count, depth, true),
                        new MatrixOperands.Destination(products, 0),
                        parallel,
                        kernels);
            }
            for (int row = 0; row < rows; row++) {
                System.arraycopy(products, row * count, y, row * columns + first, count);
            }
        }
    }
}
