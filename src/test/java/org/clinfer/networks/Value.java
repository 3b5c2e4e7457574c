package org.clinfer.networks;

/** A value of batch 1 in a network that is being written; a vector has height and width 1. */
record Value(String name, int channels, int height, int width) {

    int elements() {
        return channels * height * width;
    }

    /** Another value of the same sizes. */
    Value named(String other) {
        return new Value(other, channels, height, width);
    }
}
