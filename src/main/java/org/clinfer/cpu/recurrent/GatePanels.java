package org.clinfer.cpu.recurrent;

import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.matrix.PanelProduct;
import org.clinfer.cpu.memory.TensorValues;

/** Weights of gates of a recurrent layer in panels: a column for each unit of each gate. */
final class GatePanels {

    private static final int VECTOR = 16;

    private GatePanels() {}

    /** The distance of the columns of gates, so that each begins with a vector. */
    static int pitch(int units) {
        return Rounding.ceilDiv(units, VECTOR) * VECTOR;
    }

    /**
     * Those of an input [gates of the layer * units, depth]; columns without a unit are 0.
     *
     * @param first gate
     * @param gates so many of them
     * @param products rows that are multiplied with them at a time
     */
    static PanelProduct of(CpuCall call, int position, int units, int first, int gates, int products) {
        int width = PanelProduct.width(products);
        int depth = Math.toIntExact(call.input(position).shape().size(1));
        int columns = Rounding.ceilDiv(gates * pitch(units), width) * width;
        float[] panels =
                call.packed(position, "panels of " + width + " columns, " + gates + " gates from " + first, () -> {
                    float[] rows = new float[gates * units * depth];
                    TensorValues.of(call.input(position)).read(first * units * depth, rows, 0, rows.length);
                    float[] packed = new float[Math.multiplyExact(columns, depth)];
                    for (int row = 0; row < gates * units; row++) {
                        int column = row / units * pitch(units) + row % units;
                        int to = column / width * width * depth + column % width;
                        for (int k = 0; k < depth; k++) {
                            packed[to + k * width] = rows[row * depth + k];
                        }
                    }
                    return packed;
                });
        return new PanelProduct(panels, depth, columns, width);
    }
}
