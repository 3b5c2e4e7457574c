package org.clinfer.cpu.vector;

import org.clinfer.cpu.call.Rounding;

/** Tiles of outputs of a 3x3 convolution with stride 1, which are computed together by Winograd's minimal filtering. */
public enum WinogradTile {
    /** F(4x4, 3x3), with the points 0, 1, -1, 2, -2 and infinity. */
    FOUR(4, new double[][] {
        {1.0 / 4, 0, 0},
        {-1.0 / 6, -1.0 / 6, -1.0 / 6},
        {-1.0 / 6, 1.0 / 6, -1.0 / 6},
        {1.0 / 24, 1.0 / 12, 1.0 / 6},
        {1.0 / 24, -1.0 / 12, 1.0 / 6},
        {0, 0, 1}
    }),

    /** F(2x2, 3x3), with the points 0, 1, -1 and infinity. */
    TWO(2, new double[][] {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}});

    private static final int WINDOW = 3;

    private final int size;

    @SuppressWarnings("ImmutableEnumChecker") // never changed
    private final double[][] ofWeights;

    WinogradTile(int size, double[][] ofWeights) {
        this.size = size;
        this.ofWeights = ofWeights;
    }

    /** Outputs along each axis. */
    public int size() {
        return size;
    }

    /** Inputs along each axis. */
    public int reach() {
        return size + WINDOW - 1;
    }

    /** Products that take the place of the 9 of each output. */
    public int positions() {
        return reach() * reach();
    }

    /** Tiles along an axis of so many outputs. */
    public int count(int outputs) {
        return Rounding.ceilDiv(outputs, size);
    }

    /**
     * Transforms the 9 weights of one input and one output channel.
     *
     * @param to the weights of all positions, from {@code target} on, {@code apart} from one another
     */
    public void transform(float[] weights, int at, double[] rows, float[] to, int target, int apart) {
        int reach = reach();
        for (int i = 0; i < reach; i++) {
            double[] g = ofWeights[i];
            for (int column = 0; column < WINDOW; column++) {
                rows[i * WINDOW + column] = g[0] * weights[at + column]
                        + g[1] * weights[at + WINDOW + column]
                        + g[2] * weights[at + 2 * WINDOW + column];
            }
        }
        for (int i = 0; i < reach; i++) {
            for (int j = 0; j < reach; j++) {
                double[] g = ofWeights[j];
                int row = i * WINDOW;
                to[target + (i * reach + j) * apart] =
                        (float) (g[0] * rows[row] + g[1] * rows[row + 1] + g[2] * rows[row + 2]);
            }
        }
    }
}
