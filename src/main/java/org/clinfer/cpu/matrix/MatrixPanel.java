package org.clinfer.cpu.matrix;

import org.clinfer.cpu.memory.TensorValues;

/**
 * A matrix in a tensor as the right side of a product; element (depth, column) is at
 * {@code offset + depth * depthStride + column * columnStride}, one of the strides being 1.
 */
record MatrixPanel(TensorValues values, int offset, int depthStride, int columnStride) implements MatrixProduct.Panel {

    private static final int STRIP = 16;

    @Override
    public void fill(float[][] rows, MatrixProduct.Block block) {
        int origin = offset + block.depth() * depthStride + block.column() * columnStride;
        if (columnStride == 1) {
            for (int k = 0; k < block.depths(); k++) {
                values.read(origin + k * depthStride, rows[k], 0, block.columns());
            }
            return;
        }
        float[][] strip = new float[STRIP][block.depths()];
        for (int column = 0; column < block.columns(); column += STRIP) {
            int count = Math.min(STRIP, block.columns() - column);
            for (int j = 0; j < count; j++) {
                values.read(origin + (column + j) * columnStride, strip[j], 0, block.depths());
            }
            for (int k = 0; k < block.depths(); k++) {
                float[] row = rows[k];
                for (int j = 0; j < count; j++) {
                    row[column + j] = strip[j][k];
                }
            }
        }
    }
}
