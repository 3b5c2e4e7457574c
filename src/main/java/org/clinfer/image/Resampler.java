package org.clinfer.image;

/**
 * Resizes pictures by a triangle filter, which is bilinear where they grow. Where they shrink it is as wide as the shrinking
 * asks for, or stays bilinear. Separable; rows first.
 */
final class Resampler {

    /** The source samples of one target sample, and their weights, which sum to 1. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Taps(int first, float[] weights) {}

    private Resampler() {}

    static Picture resize(Picture source, int width, int height, boolean antialiased) {
        if (source.width() == width && source.height() == height) {
            return source;
        }
        return vertical(
                horizontal(source, taps(source.width(), width, antialiased)),
                taps(source.height(), height, antialiased));
    }

    private static Taps[] taps(int from, int to, boolean antialiased) {
        double ratio = (double) from / to;
        double reach = antialiased ? Math.max(1, ratio) : 1;
        Taps[] all = new Taps[to];
        for (int target = 0; target < to; target++) {
            double centre = (target + 0.5) * ratio;
            int first = Math.max(0, (int) Math.floor(centre - reach));
            int last = Math.min(from, (int) Math.ceil(centre + reach));
            float[] weights = new float[last - first];
            float sum = 0;
            for (int i = 0; i < weights.length; i++) {
                weights[i] = (float) Math.max(0, 1 - Math.abs(first + i + 0.5 - centre) / reach);
                sum += weights[i];
            }
            for (int i = 0; i < weights.length; i++) {
                weights[i] /= sum;
            }
            all[target] = new Taps(first, weights);
        }
        return all;
    }

    private static Picture horizontal(Picture source, Taps[] columns) {
        Picture target = Picture.blank(columns.length, source.height(), source.channels());
        for (int y = 0; y < source.height(); y++) {
            for (int x = 0; x < columns.length; x++) {
                for (int channel = 0; channel < source.channels(); channel++) {
                    float sum = 0;
                    for (int i = 0; i < columns[x].weights.length; i++) {
                        sum += columns[x].weights[i] * source.value(columns[x].first + i, y, channel);
                    }
                    target.set(x, y, channel, sum);
                }
            }
        }
        return target;
    }

    private static Picture vertical(Picture source, Taps[] rows) {
        Picture target = Picture.blank(source.width(), rows.length, source.channels());
        for (int y = 0; y < rows.length; y++) {
            for (int x = 0; x < source.width(); x++) {
                for (int channel = 0; channel < source.channels(); channel++) {
                    float sum = 0;
                    for (int i = 0; i < rows[y].weights.length; i++) {
                        sum += rows[y].weights[i] * source.value(x, rows[y].first + i, channel);
                    }
                    target.set(x, y, channel, sum);
                }
            }
        }
        return target;
    }
}
