package org.clinfer.cpu;

/**
 * The weights of a group as a matrix [output channels, depth] of a product.
 *
 * @param terms where the terms of output channel 0 lie in {@code values}
 * @param outStep distance of output channels
 */
@SuppressWarnings("ArrayRecordComponent")
record FilterMatrix(float[] values, int[] terms, int outStep) implements MatrixProduct.Rows {

    /** Whether {@code count} terms from {@code from} on lie in one piece. */
    boolean isDense(int from, int count) {
        for (int k = from + 1; k < from + count; k++) {
            if (terms[k] != terms[k - 1] + 1) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void pack(float[] packed, MatrixProduct.Strip strip) {
        boolean dense = isDense(strip.depth(), strip.depths());
        for (int row = 0; row < strip.rows(); row++) {
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
    }
}
