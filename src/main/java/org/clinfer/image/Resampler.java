package org.clinfer.image;

/**
 * Resizes pictures by a triangle filter, which is bilinear where they grow. Where they shrink it is as wide as the shrinking
 * asks for, or stays bilinear. Separable; rows first, or columns where that keeps what lies between the two smaller than both
 * the source and the result.
 */
final class Resampler {

    /** The source samples of one target sample, and their weights, which sum to 1. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Taps(int first, float[] weights) {

        int end() {
            return first + weights.length;
        }
    }

    private Resampler() {}

    static Picture resize(Picture source, CropWindow window, boolean antialiased) {
        if (window.equals(CropWindow.whole(source.width(), source.height()))) {
            return source;
        }
        Taps[] columns = taps(source.width(), window.scaledWidth(), window.left(), window.width(), antialiased);
        Taps[] rows = taps(source.height(), window.scaledHeight(), window.top(), window.height(), antialiased);
        if (window.width() > source.width() && window.height() < source.height()) {
            return horizontal(vertical(source, 0, rows), 0, window.height(), columns);
        }
        int first = rows[0].first;
        int last = rows[rows.length - 1].end();
        return vertical(horizontal(source, first, last - first, columns), first, rows);
    }

    /** The taps of some of the target's samples. */
    private static Taps[] taps(int from, int to, int start, int count, boolean antialiased) {
        double ratio = (double) from / to;
        double reach = antialiased ? Math.max(1, ratio) : 1;
        Taps[] all = new Taps[count];
        for (int target = 0; target < count; target++) {
            double centre = (start + target + 0.5) * ratio;
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

    /** Some of the source's rows, with other columns. */
    private static Picture horizontal(Picture source, int top, int height, Taps[] columns) {
        Picture target = Picture.blank(columns.length, height, source.channels());
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < columns.length; x++) {
                for (int channel = 0; channel < source.channels(); channel++) {
                    float sum = 0;
                    for (int i = 0; i < columns[x].weights.length; i++) {
                        sum += columns[x].weights[i] * source.value(columns[x].first + i, top + y, channel);
                    }
                    target.set(x, y, channel, sum);
                }
            }
        }
        return target;
    }

    /** Other rows, of a source that begins with this one. */
    private static Picture vertical(Picture source, int top, Taps[] rows) {
        Picture target = Picture.blank(source.width(), rows.length, source.channels());
        for (int y = 0; y < rows.length; y++) {
            int first = rows[y].first - top;
            for (int x = 0; x < source.width(); x++) {
                for (int channel = 0; channel < source.channels(); channel++) {
                    float sum = 0;
                    for (int i = 0; i < rows[y].weights.length; i++) {
                        sum += rows[y].weights[i] * source.value(x, first + i, channel);
                    }
                    target.set(x, y, channel, sum);
                }
            }
        }
        return target;
    }
}
