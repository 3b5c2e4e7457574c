package org.clinfer.cpu;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Products with codes of 4 or 8 bits: some columns at a time are made real and multiplied as floats are. */
final class MatMulNBits implements CpuOperator {

    private static final int ZERO_POINTS = 3;
    private static final int BIAS = 4;

    /** Weights that are real at a time: they stay in the second-level cache. */
    private static final int REAL_WEIGHTS = 1 << 18;

    private static final int BYTE_BITS = 8;

    private final @Nullable VectorKernels kernels;

    MatMulNBits(CpuPath path) {
        this.kernels = path.kernels();
    }

    @Override
    public void run(CpuCall call) {
        Columns codes = Columns.of(call);
        Parameters parameters = call.parameters();
        int rows = Math.toIntExact(parameters.integer("m"));
        int columns = Math.toIntExact(parameters.integer("n"));
        Tensor bias = call.optionalInput(BIAS);
        float[] added = bias == null ? new float[columns] : TensorValues.allFloats(bias);
        float[] left = TensorValues.allFloats(call.input(0));
        float[] y = new float[Math.multiplyExact(rows, columns)];
        int width = Math.max(1, Math.min(columns, REAL_WEIGHTS / Math.max(1, codes.depth)));
        float[] real = new float[Math.multiplyExact(width, codes.depth)];
        for (int first = 0; first < columns && rows > 0; first += width) {
            int count = Math.min(width, columns - first);
            codes.makeReal(first, count, real, call.parallel());
            float[] products = products(left, rows, real, count, codes.depth, call.parallel());
            for (int row = 0; row < rows; row++) {
                for (int i = 0; i < count; i++) {
                    y[row * columns + first + i] = products[row * count + i] + added[first + i];
                }
            }
        }
        TensorValues.of(call.output()).writeAll(y, call.parallel());
    }

    /** [rows, count], of a left matrix and one that is stored a column after the other. */
    private float[] products(float[] left, int rows, float[] right, int count, int depth, Parallel parallel) {
        float[] y = new float[rows * count];
        if (kernels != null && rows <= InnerProducts.MAX_ROWS_IN_VECTORS && depth > 0) {
            InnerProducts.Rows given = new InnerProducts.Rows(left, 0, rows, depth);
            float[][] lines = InnerProducts.of(given, right, count, parallel, kernels.functions());
            for (int row = 0; row < rows; row++) {
                System.arraycopy(lines[row], 0, y, row * count, count);
            }
            return y;
        }
        try (Tensor a = Tensor.of(left, rows, depth);
                Tensor b = Tensor.of(Arrays.copyOf(right, count * depth), count, depth)) {
            MatrixOperands.multiply(
                    new MatrixOperands.Operand(TensorValues.of(a), 0, rows, depth, false),
                    new MatrixOperands.Operand(TensorValues.of(b), 0, count, depth, true),
                    new MatrixOperands.Destination(y, 0),
                    parallel,
                    kernels);
        }
        return y;
    }

    /** The columns, each of which is {@code stride} bytes with a scale and a zero point for each block. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Columns(
            ByteBuffer bytes, float[] scales, float[] zeros, int depth, int blocks, int block, int bits, int stride) {

        static Columns of(CpuCall call) {
            Parameters parameters = call.parameters();
            int blocks = Math.toIntExact(parameters.integer("blocks"));
            int block = Math.toIntExact(parameters.integer("block_size"));
            int bits = Math.toIntExact(parameters.integer("bits"));
            Tensor zeros = call.optionalInput(ZERO_POINTS);
            return new Columns(
                    call.input(1).bytes(),
                    TensorValues.allFloats(call.input(2)),
                    zeros == null ? new float[0] : TensorValues.allFloats(zeros),
                    Math.toIntExact(parameters.integer("k")),
                    blocks,
                    block,
                    bits,
                    blocks * (block * bits / BYTE_BITS));
        }

        /** Writes columns, one after the other. */
        void makeReal(int first, int count, float[] real, Parallel parallel) {
            parallel.forRange(count, Chunks.grain(depth), (begin, end) -> {
                byte[] packed = new byte[stride];
                float[] line = new float[blocks * block];
                for (int i = begin; i < end; i++) {
                    makeReal(first + i, packed, line);
                    System.arraycopy(line, 0, real, i * depth, depth);
                }
            });
        }

        /** @param line gets the weights of all blocks, also of those terms that do not exist */
        private void makeReal(int column, byte[] packed, float[] line) {
            bytes.get(column * stride, packed, 0, stride);
            for (int i = 0; i < blocks; i++) {
                int at = column * blocks + i;
                float zero = zeros.length == 0 ? 1 << (bits - 1) : zeros[at];
                if (bits == BYTE_BITS) {
                    spreadBytes(packed, i * block, line, zero, scales[at], block);
                } else {
                    spreadHalves(packed, i * block / 2, line, zero, scales[at], block / 2);
                }
            }
        }

        private static void spreadBytes(byte[] packed, int at, float[] line, float zero, float scale, int count) {
            for (int i = 0; i < count; i++) {
                line[at + i] = ((packed[at + i] & 0xff) - zero) * scale;
            }
        }

        private static void spreadHalves(byte[] packed, int at, float[] line, float zero, float scale, int count) {
            for (int i = 0; i < count; i++) {
                int pair = packed[at + i];
                line[2 * (at + i)] = ((pair & 15) - zero) * scale;
                line[2 * (at + i) + 1] = ((pair >> 4 & 15) - zero) * scale;
            }
        }
    }
}
