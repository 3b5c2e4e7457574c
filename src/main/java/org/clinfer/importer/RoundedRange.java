package org.clinfer.importer;

import java.util.Optional;

/**
 * The numbers to which TensorFlow's and TensorFlow Lite's FakeQuant rounds: the given range, moved so that 0 is one of
 * its steps. A range that lies on one side of 0 is moved to begin or to end there.
 *
 * @param least the smallest number
 * @param most the largest number
 * @param step between neighbouring numbers
 */
public record RoundedRange(double least, double most, float step) {

    private static final long MOST_BITS = 16;

    /**
     * The numbers for a range.
     *
     * @param bits of a number's code
     * @param narrow whether the lowest code is left out
     * @return empty if the range or the bits are none that the definitions allow
     */
    public static Optional<RoundedRange> of(double min, double max, long bits, boolean narrow) {
        if (bits < 2 || bits > MOST_BITS || !(min < max) || max - min > Float.MAX_VALUE) {
            return Optional.empty();
        }
        float first = narrow ? 1 : 0;
        float last = (1 << bits) - 1;
        float step = (float) (max - min) / (last - first);
        float exact = first - (float) min / step;
        float zero = Math.max(first, Math.min(last, (float) Math.floor(exact + 0.5)));
        return Optional.of(new RoundedRange((double) (first - zero) * step, (double) (last - zero) * step, step));
    }
}
