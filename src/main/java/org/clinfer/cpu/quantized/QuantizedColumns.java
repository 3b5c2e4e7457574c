package org.clinfer.cpu.quantized;

import java.nio.ByteBuffer;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a matrix of quantized values of 4 or 8 bits, with a scale and a zero point for each block. Dequantized,
 * the terms of a block whose values are the low halves of bytes come first, then those of the high halves.
 *
 * @param bytes column after column
 * @param zeros none: half of the values are below 0
 * @param terms of the product; the last block may have more
 * @param kernels those that dequantize, if there are any
 */
@SuppressWarnings("ArrayRecordComponent")
record QuantizedColumns(
        ByteBuffer bytes,
        float[] scales,
        float[] zeros,
        int terms,
        int blocks,
        int block,
        int bits,
        @Nullable VectorKernels kernels) {

    private static final int BYTE_BITS = 8;

    /** Those of the second input of a product. */
    static QuantizedColumns of(CpuCall call, @Nullable Tensor zeros, @Nullable VectorKernels kernels) {
        Parameters parameters = call.parameters();
        return new QuantizedColumns(
                call.input(1).bytes(),
                TensorValues.allFloats(call.input(2)),
                zeros == null ? new float[0] : TensorValues.allFloats(zeros),
                Math.toIntExact(parameters.integer("k")),
                Math.toIntExact(parameters.integer("blocks")),
                Math.toIntExact(parameters.integer("block_size")),
                Math.toIntExact(parameters.integer("bits")),
                kernels);
    }

    /** Terms of all blocks. */
    int depth() {
        return Math.multiplyExact(blocks, block);
    }

    /** Bytes of a column. */
    int stride() {
        return depth() / (BYTE_BITS / bits);
    }

    /** Rows in the order of real columns, 0 for terms that there are not. */
    float[] arranged(float[] rows, int count) {
        float[] arranged = new float[Math.multiplyExact(count, depth())];
        int half = block / 2;
        for (int row = 0; row < count; row++) {
            for (int i = 0; i < terms; i++) {
                int within = i % block;
                int position = bits == BYTE_BITS ? within : within / 2 + within % 2 * half;
                arranged[row * depth() + i - within + position] = rows[row * terms + i];
            }
        }
        return arranged;
    }

    /**
     * Writes one column.
     *
     * @param packed room for its bytes
     */
    void makeReal(int column, byte[] packed, float[] real, int to) {
        int stride = stride();
        bytes.get(column * stride, packed, 0, stride);
        int each = stride / Math.max(1, blocks);
        for (int i = 0; i < blocks; i++) {
            int at = column * blocks + i;
            float zero = zeros.length == 0 ? 1 << (bits - 1) : zeros[at];
            if (bits == BYTE_BITS) {
                wholes(packed, i * each, each, zero, scales[at], real, to + i * block);
            } else if (kernels != null) {
                kernels.halves(packed, i * each, each, zero, scales[at], real, to + i * block);
            } else {
                halves(packed, i * each, each, zero, scales[at], real, to + i * block);
            }
        }
    }

    private static void wholes(byte[] quantized, int at, int count, float zero, float scale, float[] real, int to) {
        for (int i = 0; i < count; i++) {
            real[to + i] = ((quantized[at + i] & 0xff) - zero) * scale;
        }
    }

    /** The definition of {@link VectorKernels#halves}. */
    static void halves(byte[] quantized, int at, int count, float zero, float scale, float[] real, int to) {
        for (int i = 0; i < count; i++) {
            int pair = quantized[at + i];
            real[to + i] = ((pair & 15) - zero) * scale;
            real[to + count + i] = ((pair >> 4 & 15) - zero) * scale;
        }
    }
}
