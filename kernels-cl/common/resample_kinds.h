// Coordinates and taps of a resampled axis, as ONNX Resize names them; kinds are known when the kernel runs.
//
// Gives: resample_snapped     the multiple of 1/2 that is at most an error away from a value, or the value;
//        resample_coordinate  the coordinate in an axis of x of element `at` of that axis of y;
//        resample_nearest     the integer that nearest takes for it: a rounding error away from a multiple of 1/2 it is that;
//        ResampleTap          two positions inside the axis and their weights; of nearest the first alone;
//        resample_tap         those of element `at` of `size` of an axis of y; an axis of scale 1 and equal sizes is copied.
// coordinates: 0 half_pixel, 1 half_pixel_symmetric, 2 pytorch_half_pixel, 3 align_corners, 4 asymmetric,
//         5 tf_crop_and_resize, which resample_tap does not take, 6 tf_half_pixel_for_nn; nearest: 0 round_prefer_floor,
//         1 round_prefer_ceil, 2 floor, 3 ceil, 4 ceil where the axis shrinks, else floor.
// Macros: RESAMPLE_REAL  float (the default) or double.
#ifndef CLINFER_RESAMPLE_KINDS_H
#define CLINFER_RESAMPLE_KINDS_H

#ifndef RESAMPLE_REAL
#define RESAMPLE_REAL float
#endif

typedef struct {
    int2 places;
    float2 weights;
} ResampleTap;

static inline RESAMPLE_REAL resample_snapped(RESAMPLE_REAL value, RESAMPLE_REAL error) {
    const RESAMPLE_REAL half_steps = rint(2.0f * value);
    return fabs(2.0f * value - half_steps) <= 2.0f * error ? 0.5f * half_steps : value;
}

static inline RESAMPLE_REAL resample_coordinate(int at, int size, int x_size, RESAMPLE_REAL scale, int coordinates,
        RESAMPLE_REAL roi_begin, RESAMPLE_REAL roi_end) {
    const RESAMPLE_REAL middle = ((RESAMPLE_REAL)at + 0.5f) / scale;
    switch (coordinates) {
    case 0:
        return middle - 0.5f;
    case 1:
        return (RESAMPLE_REAL)0.5f * x_size * (1.0f - size / (scale * x_size)) + middle - 0.5f;
    case 2:
        return size > 1 ? middle - 0.5f : 0.0f;
    case 3: {
        const RESAMPLE_REAL length = scale * x_size;
        return fabs(length - 1.0f) < 1e-6f ? 0.0f : (RESAMPLE_REAL)at * (x_size - 1) / (length - 1.0f);
    }
    case 4:
        return at / scale;
    case 5:
        return size > 1 ? roi_begin * (x_size - 1) + at * (roi_end - roi_begin) * (x_size - 1) / (size - 1)
                        : 0.5f * (roi_begin + roi_end) * (x_size - 1);
    default:
        return middle;
    }
}

static inline int resample_nearest(RESAMPLE_REAL coordinate, RESAMPLE_REAL scale, int nearest) {
    const RESAMPLE_REAL error = 5e-7f * (1.0f + fabs(coordinate));
    const RESAMPLE_REAL at = resample_snapped(
            coordinate, sizeof(RESAMPLE_REAL) == 8 ? fmin(error, (RESAMPLE_REAL)5e-4f) : error);
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
    const float coordinate = resample_coordinate(at, size, x_size, scale, coordinates, 0.0f, 1.0f);
    const float lower = floor(coordinate);
    const int first = linear ? (int)lower : resample_nearest(coordinate, scale, nearest);
    tap.places = (int2)(clamp(first, 0, x_size - 1), clamp(first + 1, 0, x_size - 1));
    tap.weights = (float2)(1.0f - (coordinate - lower), coordinate - lower);
    return tap;
}

#endif
