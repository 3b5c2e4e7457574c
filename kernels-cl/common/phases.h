// Outputs of a transposed convolution by their residue by the stride (phase), counted from the beginning of the full
// result, and the taps that reach them: those k for which phase - k * dilation is a multiple of the stride.
// Gives:  first_tap_of  a phase's first tap along each axis, or the kernel's size where there is none.
#ifndef CLINFER_PHASES_H
#define CLINFER_PHASES_H

#include "common/digits.h"

static inline int first_tap_along(int phase, int kernel_size, int stride, int dilation) {
    if (dilation == 1) {
        return min(phase, kernel_size);
    }
    int tap = 0;
    while (tap < kernel_size && (phase - tap * dilation) % stride != 0) {
        ++tap;
    }
    return tap;
}

static inline int4 first_tap_of(int4 phase, int4 kernel_size, int4 stride, int4 dilation) {
    return (int4)(first_tap_along(phase.x, kernel_size.x, stride.x, dilation.x),
            first_tap_along(phase.y, kernel_size.y, stride.y, dilation.y),
            first_tap_along(phase.z, kernel_size.z, stride.z, dilation.z), 0);
}

#endif
