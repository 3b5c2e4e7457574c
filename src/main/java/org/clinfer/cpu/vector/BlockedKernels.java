package org.clinfer.cpu.vector;

/**
 * The innermost loops over blocked channels in explicit vectors. A pixel is 16 floats. Like {@link VectorKernels}, they
 * take arrays and positions, and may compute more pixels than are needed, up to a whole tile.
 */
public interface BlockedKernels {

    /** Input channels that a tile takes together. */
    int TERM = 4;

    /** Pixels of a tile. */
    int pixels();

    /** Output channels of a tile, at most: two vectors. */
    int width();

    /** Floats of one vector. */
    int lanes();

    /** Functions, as activations. */
    VectorFunctions functions();

    /** The transforms of tiles of this size. */
    WinogradLoops winograd(WinogradTile tile);

    /**
     * Adds to a tile of sums, for t below {@code terms} and l below {@link #TERM}:
     * {@code sums[sum + 16 * i + j * pitch] += x[at + offsets[from + t] + l + 16 * i] * w[weight + (TERM * t + l) * vectors + j]},
     * where w and sums are counted in vectors.
     *
     * @param vectors 1 or 2
     */
    void addTile(
            float[] w,
            int weight,
            float[] x,
            int at,
            int[] offsets,
            int from,
            int terms,
            float[] sums,
            int sum,
            int pitch,
            int vectors);

    /**
     * A tile of sums: {@code sums[sum + 16 * i + j * pitch] = sum over k of x[at + offsets[k] + i] * w[weight + k * vectors +
     * j]}, where w and sums are counted in vectors.
     */
    void sumColumns(
            float[] w,
            int weight,
            float[] x,
            int at,
            int[] offsets,
            int terms,
            float[] sums,
            int sum,
            int pitch,
            int vectors);

    /** Adds pixels from 0 on to those of {@code to}, from {@code target} on, and leaves zeros behind. */
    void movePixels(float[] from, float[] to, int target, int pixels);

    /** Copies {@code count} pixels, every {@code step}th float from {@code at} on, to pixels that lie side by side. */
    void copyPixels(float[] from, int at, int step, float[] to, int target, int count);

    /**
     * For each pixel i: {@code sums[sum + 16 * i] = sum over k of w[weight + 16 * k] * x[at + step * i + offsets[k]]}, lane
     * by lane.
     */
    void sumWindows(
            float[] x, int at, int step, int[] offsets, float[] w, int weight, float[] sums, int sum, int pixels);

    /**
     * For each pixel i: {@code best[to + 16 * i] = maximum over k of x[at + step * i + apart * k]}, lane by lane; negative
     * infinity for no taps.
     */
    void maxWindows(float[] x, int at, int step, int apart, int taps, float[] best, int to, int pixels);

    /**
     * Adds the 16 floats at {@code bias[channel]} to each of {@code pixels} pixels of sums, keeps them within bounds, and stores
     * them from {@code to[target]} on, which may be where the sums are.
     */
    void addBias(
            float[] sums, int at, float[] to, int target, int pixels, float[] bias, int channel, float low, float high);

    /** {@link #addBias} that adds a pixel of {@code other}, from {@code from} on, to each as well. */
    void addBoth(
            float[] sums,
            int at,
            float[] to,
            int target,
            int pixels,
            float[] bias,
            int channel,
            float[] other,
            int from,
            float low,
            float high);
}
