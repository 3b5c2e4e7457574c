// Coordinates, taps and weights of a resampled axis, as ONNX Resize names them.
//
// Nearest takes a coordinate that is a rounding error away from a multiple of 1/2 as that multiple.
// Macros: TAPS  1 nearest, 2 linear, 4 cubic; EXCLUDE_OUTSIDE  1: cubic taps outside x weigh nothing;
//         COORDINATES  0 half_pixel, 1 half_pixel_symmetric, 2 pytorch_half_pixel, 3 align_corners, 4 asymmetric,
//         5 tf_crop_and_resize, 6 tf_half_pixel_for_nn; NEAREST  0 round_prefer_floor, 1 round_prefer_ceil,
//         2 floor, 3 ceil, 4 ceil where the axis shrinks, else floor.
#ifndef CLINFER_RESAMPLE_H
#define CLINFER_RESAMPLE_H

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

// Coordinate in an axis of x of element `at` of that axis of y.
static inline float source_coordinate(int at, int size, int x_size, float scale, float roi_begin, float roi_end) {
#if COORDINATES == 0
    return (at + 0.5f) / scale - 0.5f;
#elif COORDINATES == 1
    const float adjustment = size / (scale * x_size);
    return 0.5f * x_size * (1.0f - adjustment) + (at + 0.5f) / scale - 0.5f;
#elif COORDINATES == 2
    return size > 1 ? (at + 0.5f) / scale - 0.5f : 0.0f;
#elif COORDINATES == 3
    const float length = scale * x_size;
    return fabs(length - 1.0f) < 1e-6f ? 0.0f : (float)at * (x_size - 1) / (length - 1.0f);
#elif COORDINATES == 4
    return at / scale;
#elif COORDINATES == 5
    return size > 1 ? roi_begin * (x_size - 1) + at * (roi_end - roi_begin) * (x_size - 1) / (size - 1)
                    : 0.5f * (roi_begin + roi_end) * (x_size - 1);
#else
    return (at + 0.5f) / scale;
#endif
}

// The integer that nearest takes for a coordinate.
static inline int nearest_of(float coordinate, float scale) {
    const float half_steps = rint(2.0f * coordinate);
    const bool close = fabs(2.0f * coordinate - half_steps) <= 1e-6f + 1e-6f * fabs(coordinate);
    const float at = close ? 0.5f * half_steps : coordinate;
#if NEAREST == 0
    return (int)ceil(at - 0.5f);
#elif NEAREST == 1
    return (int)floor(at + 0.5f);
#elif NEAREST == 2
    return (int)floor(at);
#elif NEAREST == 4
    return scale < 1.0f ? (int)ceil(at) : (int)floor(at);
#else
    return (int)ceil(at);
#endif
}

static inline float cubic_weight(float distance, float a) {
    const float d = fabs(distance);
    return d <= 1.0f ? ((a + 2.0f) * d - (a + 3.0f)) * d * d + 1.0f
                     : d < 2.0f ? ((a * d - 5.0f * a) * d + 8.0f * a) * d - 4.0f * a : 0.0f;
}

// Finds the taps of a coordinate: positions inside the axis, and weights.
static inline void find_taps(float coordinate, float scale, int x_size, float cubic_a, int *places, float *weights) {
#if TAPS == 1
    places[0] = clamp(nearest_of(coordinate, scale), 0, x_size - 1);
    weights[0] = 1.0f;
#elif TAPS == 2
    const float lower = floor(coordinate);
    places[0] = clamp((int)lower, 0, x_size - 1);
    places[1] = clamp((int)lower + 1, 0, x_size - 1);
    weights[1] = coordinate - lower;
    weights[0] = 1.0f - weights[1];
#else
    const int lower = (int)floor(coordinate);
    float sum = 0.0f;
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
