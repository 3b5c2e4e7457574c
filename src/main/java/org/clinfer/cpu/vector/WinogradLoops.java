package org.clinfer.cpu.vector;

/**
 * The transforms of Winograd's minimal filtering of 3x3 windows, of a row of tiles of blocked channels, in explicit vectors.
 * A tile of n x n outputs has (n + 2) x (n + 2) inputs and as many positions, row by row.
 */
public interface WinogradLoops {

    /**
     * The inputs of tiles beside one another, transformed: a pixel at each position for each tile.
     *
     * @param x from {@code at} on, rows that are {@code pitch} apart
     * @param columns room for (n + 2) * (n * tiles + 2) pixels
     * @param to from {@code target} on, tile by tile, positions {@code apart} from one another
     */
    void transform(float[] x, int at, int pitch, int tiles, float[] columns, float[] to, int target, int apart);

    /**
     * Sums at the positions of tiles beside one another, transformed back to outputs.
     *
     * @param sums from {@code at} on, tile by tile, positions {@code apart} from one another
     * @param columns room for n * (n + 2) pixels
     * @param y n rows of outputs from 0 on, {@code pitch} apart
     */
    void transformBack(float[] sums, int at, int apart, int tiles, float[] columns, float[] y, int pitch);
}
