package org.clinfer.cpu.quantized;

import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Products of matrices of quantized values of 8 bits, summed in 32 bits; a row of the result at a time. */
final class QuantizedMatMul {

    private static final int BIAS = 2;
    private static final int A_ZERO_POINT = 3;
    private static final int A_SCALE = 5;
    private static final int Y_ZERO_POINT = 8;

    private final CpuCall call;
    private final int rows;
    private final int depth;
    private final int columns;
    private final int[] a;
    private final int[] b;
    private final int[] aZeros;
    private final int[] bZeros;
    private final int[] bias;
    private final TypedMemory y;

    private QuantizedMatMul(CpuCall call) {
        Parameters parameters = call.parameters();
        this.call = call;
        this.rows = Math.toIntExact(parameters.integer("m"));
        this.depth = Math.toIntExact(parameters.integer("k"));
        this.columns = Math.toIntExact(parameters.integer("n"));
        this.a = QuantizedValues.of(call.input(0), null, 1);
        this.b = QuantizedValues.of(call.input(1), null, 1);
        this.aZeros = QuantizedValues.all(call.optionalInput(A_ZERO_POINT));
        this.bZeros = QuantizedValues.all(call.optionalInput(A_ZERO_POINT + 1));
        this.bias = QuantizedValues.all(call.optionalInput(BIAS));
        this.y = new TypedMemory(call.output());
        subtractColumns();
    }

    /** The zero points of the columns of every right matrix. */
    private void subtractColumns() {
        for (int i = 0; i < b.length && bZeros.length > 0; i++) {
            b[i] -= bZeros[bZeros.length == 1 ? 0 : i % columns];
        }
    }

    static void run(CpuCall call) {
        new QuantizedMatMul(call).run();
    }

    private void run() {
        Parameters parameters = call.parameters();
        int[] dims = parameters.ints("batch_dims");
        int matrices = 1;
        for (int dim : dims) {
            matrices = Math.multiplyExact(matrices, dim);
        }
        int[] aStrides = parameters.ints("a_batch_strides");
        int[] bStrides = parameters.ints("b_batch_strides");
        int[] biasStrides = parameters.ints("bias_strides");
        call.parallel()
                .forRange(Math.multiplyExact(matrices, rows), Chunks.grain((long) depth * columns), (first, end) -> {
                    int[] sums = new int[columns];
                    for (int line = first; line < end; line++) {
                        int matrix = line / Math.max(rows, 1);
                        int row = line % Math.max(rows, 1);
                        for (int j = 0; j < columns; j++) {
                            sums[j] = bias.length == 0 ? 0 : bias[row * biasStrides[0] + j * biasStrides[1]];
                        }
                        addProducts(sums, row, offset(dims, aStrides, matrix), offset(dims, bStrides, matrix));
                        store(sums, row, line);
                    }
                });
    }

    private void addProducts(int[] sums, int row, int aBegin, int bBegin) {
        int zero = aZeros.length == 0 ? 0 : aZeros[aZeros.length == 1 ? 0 : row];
        for (int k = 0; k < depth; k++) {
            QuantizedValues.addRow(sums, 0, b, bBegin + k * columns, a[aBegin + row * depth + k] - zero, columns);
        }
    }

    private void store(int[] sums, int row, int line) {
        @Nullable
        Tensor[] scales = {
            ofRow(call.optionalInput(A_SCALE), row),
            call.optionalInput(A_SCALE + 1),
            ofRow(call.optionalInput(A_SCALE + 2), row)
        };
        Tensor zero = ofRow(call.optionalInput(Y_ZERO_POINT), row);
        Requantization requantization = Requantization.of(call.output(), scales, zero, Math.max(columns, 1));
        requantization.store(sums, y, new Epilogue.Stretch(line * columns, 1, columns, 0, true), 1);
    }

    /** The one element of a row. */
    private static @Nullable Tensor ofRow(@Nullable Tensor tensor, int row) {
        if (tensor == null || tensor.elements() == 1) {
            return tensor;
        }
        Tensor one = Tensor.allocate(tensor.dtype(), 1);
        one.setDouble(0, tensor.getDouble(row));
        return one;
    }

    private static int offset(int[] dims, int[] strides, int index) {
        int offset = 0;
        int rest = index;
        for (int axis = dims.length - 1; axis >= 0; axis--) {
            offset += rest % dims[axis] * strides[axis];
            rest /= dims[axis];
        }
        return offset;
    }
}
