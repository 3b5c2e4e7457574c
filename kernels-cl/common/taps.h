// The kernel taps of one axis by which inputs of a transposed convolution reach an output position: those k for which
// at - k * dilation is a multiple of the stride and lies in the input. They are `step` apart.
#ifndef CLINFER_TAPS_H
#define CLINFER_TAPS_H

// Taps first, first + step, ... below end; tap `first` is reached from input position `source`, each following one from a
// position `source_step` lower.
typedef struct {
    int first;
    int end;
    int step;
    int source;
    int source_step;
} Taps;

// Taps that reach one or more of `span` output positions, which are at, at + stride, ...: those of input position `source`,
// source + 1, ..., which may be outside for some of them. `at` counts from the beginning of the full result, is not
// negative, and at + (span - 1) * stride is less than 2^32.
static inline Taps taps_to(int at, int span, int size, int kernel_size, int stride, int dilation) {
    const Taps none = {0, 0, 1, 0, 0};
    if (size == 0) {
        return none;
    }
    const uint reach = (uint)at + (uint)(span - 1) * (uint)stride;
    const int end = (int)min((uint)(kernel_size - 1), reach / (uint)dilation) + 1;
    const int beyond = at - (size - 1) * stride;
    const int begin = beyond > 0 ? (beyond - 1) / dilation + 1 : 0;
    if (kernel_size == 0 || begin >= end) {
        return none;
    }
    int first = 0;
    int step = stride;
    if (dilation == 1) {
        first = at % stride;
    } else {
        while (first < end && (at - first * dilation) % stride != 0) {
            ++first;
        }
        step = 1;
        while (first + step < end && step * dilation % stride != 0) {
            ++step;
        }
    }
    if (first < begin) {
        first += ((begin - first - 1) / step + 1) * step;
    }
    const Taps taps = {first, end, step, (at - first * dilation) / stride, step * dilation / stride};
    return taps;
}

#endif
