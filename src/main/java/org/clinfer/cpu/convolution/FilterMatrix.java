package org.clinfer.cpu.convolution;

import org.clinfer.cpu.matrix.MatrixProduct;

/**
 * The weights of a group as a matrix of a product: [output channels, depth] on its left, [depth, output channels] on its
 * right.
 *
 * @param terms where the terms of output channel 0 lie in {@code values}
 * @param outStep distance of output channels
 */
@SuppressWarnings("ArrayRecordComponent")
record FilterMatrix(float[] values, int[] terms, int outStep) implements MatrixProduct.Rows, MatrixProduct.Panel {

    /** {@return whether every output channel's {@code count} terms from {@code from} on lie in one piece} */
    static boolean isDense(int[] terms, int from, int count) {
        for (int k = from + 1; k < from + count; k++) {
            if (terms[k] != terms[k - 1] + 1) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void pack(float[] packed, MatrixProduct.Strip strip) {
        boolean dense = isDense(terms, strip.depth(), strip.depths());
        for (int row = 0; row < strip.rows() && outStep > 1; row++) {
            int to = row * MatrixProduct.DEPTH;
            int from = (strip.row() + row) * outStep;
            if (dense) {
                System.arraycopy(values, from + terms[strip.depth()], packed, to, strip.depths());
                continue;
            }
            for (int k = 0; k < strip.depths(); k++) {
                packed[to + k] = values[from + terms[strip.depth() + k]];
            }
        }
        for (int k = 0; k < strip.depths() && outStep == 1; k++) {
            int from = terms[strip.depth() + k] + strip.row();
            for (int row = 0; row < strip.rows(); row++) {
                packed[row * MatrixProduct.DEPTH + k] = values[from + row];
            }
        }
    }

    @Override
    public void fill(float[][] rows, MatrixProduct.Block block) {
        for (int k = 0; k < block.depths(); k++) {
            float[] row = rows[k];
            int from = terms[block.depth() + k] + block.column() * outStep;
            if (outStep == 1) {
                System.arraycopy(values, from, row, 0, block.columns());
                continue;
            }
            for (int j = 0; j < block.columns(); j++) {
                row[j] = values[from + j * outStep];
            }
        }
    }
}
