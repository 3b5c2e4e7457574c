// Taps and weights of a resampled axis, nearest, linear or cubic, in REAL.
//
// Gives: exact_tie, find_taps; kinds of coordinates and of nearest are those of common/resample_kinds.h.
// Macros: ELEMENT (common/element.h); TAPS  1 nearest, 2 linear, 4 cubic.
#ifndef CLINFER_RESAMPLE_H
#define CLINFER_RESAMPLE_H

#include "common/element.h"

#define RESAMPLE_REAL REAL
#include "common/resample_kinds.h"

#ifndef TAPS
#define TAPS 2
#endif

// A weighted sum of integers without its rounding error where it lies half-way between two integers.
static inline REAL exact_tie(REAL value) {
    const REAL error = (sizeof(REAL) == 8 ? 1e-14f : 1e-6f) * (1.0f + fabs(value));
    return resample_snapped(value, fmin(error, (REAL)0.01f));
}

static inline REAL cubic_weight(REAL distance, REAL a) {
    const REAL d = fabs(distance);
    return d <= 1.0f ? ((a + 2.0f) * d - (a + 3.0f)) * d * d + 1.0f
                     : d < 2.0f ? ((a * d - 5.0f * a) * d + 8.0f * a) * d - 4.0f * a : 0.0f;
}

// Finds the taps of a coordinate: positions inside the axis, and weights. excludes: cubic taps outside x weigh nothing.
static inline void find_taps(REAL coordinate, REAL scale, int x_size, int nearest, int excludes, REAL cubic_a,
        int *places, REAL *weights) {
#if TAPS == 1
    places[0] = clamp(resample_nearest(coordinate, scale, nearest), 0, x_size - 1);
    weights[0] = 1.0f;
#elif TAPS == 2
    const REAL lower = floor(coordinate);
    places[0] = clamp((int)lower, 0, x_size - 1);
    places[1] = clamp((int)lower + 1, 0, x_size - 1);
    weights[1] = coordinate - lower;
    weights[0] = 1.0f - weights[1];
#else
    const int lower = (int)floor(coordinate);
    REAL sum = 0.0f;
    for (int tap = 0; tap < TAPS; ++tap) {
        const int place = lower - 1 + tap;
        const bool outside = place < 0 || place >= x_size;
        places[tap] = clamp(place, 0, x_size - 1);
        weights[tap] = outside && excludes ? 0.0f : cubic_weight(coordinate - place, cubic_a);
        sum += weights[tap];
    }
    for (int tap = 0; tap < TAPS; ++tap) {
        weights[tap] /= sum;
    }
#endif
}

#endif
