// Coordinates and taps of an axis resampled nearest or linear, with kinds that are known when the kernel runs; the same
// numbers as those of common/resample.h, in float.
//
// Gives: ResampleTap    two positions inside the axis and their weights; of nearest the first alone;
//        resample_tap   those of element `at` of `size` of an axis of y; an axis of scale 1 and equal sizes is copied.
// coordinates: 0 half_pixel, 1 half_pixel_symmetric, 2 pytorch_half_pixel, 3 align_corners, 4 asymmetric,
//         6 tf_half_pixel_for_nn; nearest: 0 round_prefer_floor, 1 round_prefer_ceil, 2 floor, 3 ceil, 4 ceil where the
//         axis shrinks, else floor.
#ifndef CLINFER_RESAMPLE_KINDS_H
#define CLINFER_RESAMPLE_KINDS_H

typedef struct {
    int2 places;
    float2 weights;
} ResampleTap;

static inline float resample_coordinate(int at, int size, int x_size, float scale, int coordinates) {
    const float middle = ((float)at + 0.5f) / scale;
    switch (coordinates) {
    case 0:
        return middle - 0.5f;
    case 1:
        return 0.5f * x_size * (1.0f - size / (scale * x_size)) + middle - 0.5f;
    case 2:
        return size > 1 ? middle - 0.5f : 0.0f;
    case 3: {
        const float length = scale * x_size;
        return fabs(length - 1.0f) < 1e-6f ? 0.0f : (float)at * (x_size - 1) / (length - 1.0f);
    }
    case 4:
        return at / scale;
    default:
        return middle;
    }
}

// The integer that nearest takes; a coordinate a rounding error away from a multiple of 1/2 is that multiple.
static inline int resample_nearest(float coordinate, float scale, int nearest) {
    const float error = 5e-7f * (1.0f + fabs(coordinate));
    const float half_steps = rint(2.0f * coordinate);
    const float at = fabs(2.0f * coordinate - half_steps) <= 2.0f * error ? 0.5f * half_steps : coordinate;
    switch (nearest) {
    case 0:
        return (int)ceil(at - 0.5f);
    case 1:
        return (int)floor(at + 0.5f);
    case 2:
        return (int)floor(at);
    case 4:
        return scale < 1.0f ? (int)ceil(at) : (int)floor(at);
    default:
        return (int)ceil(at);
    }
}

__attribute__((noinline)) static ResampleTap resample_tap(
        int at, int size, int x_size, float scale, int linear, int coordinates, int nearest) {
    ResampleTap tap;
    if (size == x_size && scale == 1.0f) {
        tap.places = (int2)(at, at);
        tap.weights = (float2)(0.5f, 0.5f);
        return tap;
    }
    const float coordinate = resample_coordinate(at, size, x_size, scale, coordinates);
    const float lower = floor(coordinate);
    const int first = linear ? (int)lower : resample_nearest(coordinate, scale, nearest);
    tap.places = (int2)(clamp(first, 0, x_size - 1), clamp(first + 1, 0, x_size - 1));
    tap.weights = (float2)(1.0f - (coordinate - lower), coordinate - lower);
    return tap;
}

#endif
