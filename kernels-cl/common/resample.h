// Coordinates, taps and weights of a resampled axis, as ONNX Resize names them, in REAL.
//
// Nearest takes a coordinate that is a rounding error away from a multiple of 1/2 as that multiple.
// Macros: ELEMENT (common/element.h); TAPS  1 nearest, 2 linear, 4 cubic; EXCLUDE_OUTSIDE  1: cubic taps outside x weigh nothing;
//         COORDINATES  0 half_pixel, 1 half_pixel_symmetric, 2 pytorch_half_pixel, 3 align_corners, 4 asymmetric,
//         5 tf_crop_and_resize, 6 tf_half_pixel_for_nn; NEAREST  0 round_prefer_floor, 1 round_prefer_ceil,
//         2 floor, 3 ceil, 4 ceil where the axis shrinks, else floor.
#ifndef CLINFER_RESAMPLE_H
#define CLINFER_RESAMPLE_H

#include "common/element.h"

#ifndef TAPS
#define TAPS 2
#endif
#ifndef EXCLUDE_OUTSIDE
#define EXCLUDE_OUTSIDE 0
#endif
#ifndef COORDINATES
#define COORDINATES 0
#endif
#ifndef NEAREST
#define NEAREST 0
#endif

#define IS_CROP (COORDINATES == 5)
#define EPSILON 1e-5f

// The multiple of 1/2 that is at most `error` away from value, or value where there is none.
static inline REAL snapped(REAL value, REAL error) {
    const REAL half_steps = rint(2.0f * value);
    return fabs(2.0f * value - half_steps) <= 2.0f * error ? 0.5f * half_steps : value;
}

// A weighted sum of integers without its rounding error where it lies half-way between two integers.
static inline REAL exact_tie(REAL value) {
    const REAL error = (sizeof(REAL) == 8 ? 1e-14f : 1e-6f) * (1.0f + fabs(value));
    return snapped(value, fmin(error, (REAL)0.01f));
}

// Coordinate in an axis of x of element `at` of that axis of y.
static inline REAL source_coordinate(int at, int size, int x_size, REAL scale, REAL roi_begin, REAL roi_end) {
#if COORDINATES == 0
    return ((REAL)at + 0.5f) / scale - 0.5f;
#elif COORDINATES == 1
    const REAL adjustment = size / (scale * x_size);
    return (REAL)0.5f * x_size * (1.0f - adjustment) + ((REAL)at + 0.5f) / scale - 0.5f;
#elif COORDINATES == 2
    return size > 1 ? ((REAL)at + 0.5f) / scale - 0.5f : 0.0f;
#elif COORDINATES == 3
    const REAL length = scale * x_size;
    return fabs(length - 1.0f) < 1e-6f ? 0.0f : (REAL)at * (x_size - 1) / (length - 1.0f);
#elif COORDINATES == 4
    return at / scale;
#elif COORDINATES == 5
    return size > 1 ? roi_begin * (x_size - 1) + at * (roi_end - roi_begin) * (x_size - 1) / (size - 1)
                    : 0.5f * (roi_begin + roi_end) * (x_size - 1);
#else
    return ((REAL)at + 0.5f) / scale;
#endif
}

// The integer that nearest takes for a coordinate.
static inline int nearest_of(REAL coordinate, REAL scale) {
    const REAL error = 5e-7f * (1.0f + fabs(coordinate));
    const REAL at = snapped(coordinate, sizeof(REAL) == 8 ? fmin(error, (REAL)5e-4f) : error);
#if NEAREST == 0
    return (int)ceil(at - 0.5f);
#elif NEAREST == 1
    return (int)floor((REAL)at + 0.5f);
#elif NEAREST == 2
    return (int)floor(at);
#elif NEAREST == 4
    return scale < 1.0f ? (int)ceil(at) : (int)floor(at);
#else
    return (int)ceil(at);
#endif
}

static inline REAL cubic_weight(REAL distance, REAL a) {
    const REAL d = fabs(distance);
    return d <= 1.0f ? ((a + 2.0f) * d - (a + 3.0f)) * d * d + 1.0f
                     : d < 2.0f ? ((a * d - 5.0f * a) * d + 8.0f * a) * d - 4.0f * a : 0.0f;
}

// Finds the taps of a coordinate: positions inside the axis, and weights.
static inline void find_taps(REAL coordinate, REAL scale, int x_size, REAL cubic_a, int *places, REAL *weights) {
#if TAPS == 1
    places[0] = clamp(nearest_of(coordinate, scale), 0, x_size - 1);
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
        weights[tap] = outside && EXCLUDE_OUTSIDE != 0 ? 0.0f : cubic_weight(coordinate - place, cubic_a);
        sum += weights[tap];
    }
    for (int tap = 0; tap < TAPS; ++tap) {
        weights[tap] /= sum;
    }
#endif
}

#endif
