package org.clinfer.networks;

/** The window of a convolution, the same along both axes; {@code channels} are those of its output. */
record Filter(int channels, int kernel, int stride, int pad, int groups) {

    /** Stride 1; an odd window keeps the size. */
    static Filter of(int channels, int kernel) {
        return new Filter(channels, kernel, 1, (kernel - 1) / 2, 1);
    }

    /** A filter for each channel. */
    static Filter depthwise(int channels, int kernel) {
        return of(channels, kernel).groups(channels);
    }

    Filter stride(int other) {
        return new Filter(channels, kernel, other, pad, groups);
    }

    Filter pad(int other) {
        return new Filter(channels, kernel, stride, other, groups);
    }

    private Filter groups(int other) {
        return new Filter(channels, kernel, stride, pad, other);
    }
}
