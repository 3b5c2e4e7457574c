// What follows the sums of a convolution in blocked channels (nChw16c): coefficients of 16 channels, the activation by
// a kind that is known when the kernel runs, and the margin of zeros around y. Float32 alone.
//
// Gives: what common/blocked_vector.h gives;
//        FUNCTION_NONE ...    the kinds of activation;
//        blocked_lanes      coefficients of 16 channels, 0 beyond the last; blocked_slopes those of PRELU, LEAKY_RELU;
//        blocked_low, blocked_high  the bounds of activations that only bound, which blocked_only_clips tells;
//        blocked_bent       the leaky ones by slopes: bounds and slopes are made once for a tile, so that no vector
//                           has a branch; blocked_is_smooth tells the others;
//        blocked_smooth_run a smooth activation of a run of vectors in memory; blocked_activated any of one vector;
//        blocked_margin     writes the zeros around what an item computes.
// A NaN stays a NaN. No function here asks which item it is.
#ifndef CLINFER_EPILOGUE_BLOCKED_H
#define CLINFER_EPILOGUE_BLOCKED_H

#include "common/blocked_vector.h"
#include "common/function_table.h"
#include "common/vector_functions.h"

// The 16 elements from `first` on of an array of `count`, 0 beyond; values may be NULL.
__attribute__((noinline)) static float16 blocked_lanes(__global const float *values, int first, int count) {
    if (!values || first >= count) {
        return (float16)0.0f;
    }
    if (first + 16 <= count) {
        return blocked_load(values + first);
    }
    float lanes[16];
    for (int lane = 0; lane < 16; ++lane) {
        lanes[lane] = first + lane < count ? values[first + lane] : 0.0f;
    }
    return vload16(0, lanes);
}

// What negative sums of 16 channels of `count` are multiplied with; slope has one element where slope_step is 0.
__attribute__((noinline)) static float16 blocked_slopes(
        __global const float *slope, int slope_step, int activation, float alpha, int first, int count) {
    if (activation != FUNCTION_PRELU) {
        return (float16)(activation == FUNCTION_LEAKY_RELU ? alpha : 1.0f);
    }
    if (slope_step) {
        return blocked_lanes(slope, first, count);
    }
    const int16 lanes = first + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return select((float16)0.0f, (float16)slope[0], lanes < count);
}

#define BLOCKED_CASE(NAME) case FUNCTION_##NAME:
#define BLOCKED_BOUNDED(NAME, LOW, HIGH) case FUNCTION_##NAME:
#define BLOCKED_LOW(NAME, LOW, HIGH) case FUNCTION_##NAME: return LOW;
#define BLOCKED_HIGH(NAME, LOW, HIGH) case FUNCTION_##NAME: return HIGH;
#define BLOCKED_SMOOTH(NAME) case FUNCTION_##NAME: return VECTOR_##NAME(sum, sum, 0.0f, 0.0f);

// What is below is raised to it, with the activations that bound.
static inline float blocked_low(int activation, float alpha) {
    switch (activation) {
        BOUNDED_FUNCTIONS(BLOCKED_LOW)
    default: return -INFINITY;
    }
}

static inline float blocked_high(int activation, float beta) {
    switch (activation) {
        BOUNDED_FUNCTIONS(BLOCKED_HIGH)
    default: return INFINITY;
    }
}

static inline int blocked_only_clips(int activation) {
    switch (activation) {
        BOUNDED_FUNCTIONS(BLOCKED_BOUNDED) return 1;
    default: return 0;
    }
}

static inline int blocked_is_smooth(int activation) {
    switch (activation) {
        SMOOTH_ACTIVATIONS(BLOCKED_CASE) return 1;
    default: return 0;
    }
}

static inline float16 blocked_bent(float16 sum, float16 slopes) {
    return sum < 0.0f ? slopes * sum : sum;
}

__attribute__((noinline)) static float16 blocked_smooth(float16 sum, int activation) {
    switch (activation) {
        SMOOTH_ACTIVATIONS(BLOCKED_SMOOTH)
    default: return sum;
    }
}

static inline float16 blocked_activated(float16 sum, float16 slopes, int activation, float alpha, float beta) {
    if (blocked_is_smooth(activation)) {
        return blocked_smooth(sum, activation);
    }
    if (activation == FUNCTION_LEAKY_RELU || activation == FUNCTION_PRELU) {
        return blocked_bent(sum, slopes);
    }
    return clip16(sum, blocked_low(activation, alpha), blocked_high(activation, beta));
}

// Applies a smooth activation to `count` vectors of y, and adds those of `after`, which may be NULL.
__attribute__((noinline)) static void blocked_smooth_run(
        __global float *y, __global const float *after, int count, int activation) {
    for (int i = 0; i < count; ++i) {
        const float16 value = blocked_smooth(blocked_load(y + i * 16), activation);
        blocked_store(after ? value + blocked_load(after + i * 16) : value, y + i * 16);
    }
}

static inline void blocked_zeros(__global float *y, int count) {
    for (int i = 0; i < count; ++i) {
        blocked_store((float16)0.0f, y + i * 16);
    }
}

// Of a plane of y, one block of channels of one image with its margin: writes what surrounds the pixels from `from` up
// to `to` of `size` (rows, columns), counted row by row. The margins left and right go with the ends of a row, those
// above and below, corners included, with the first and the last pixel. halo is [top, left, bottom, right].
__attribute__((noinline)) static void blocked_margin(__global float *plane, int2 size, int4 halo, int from, int to) {
    const int pitch = halo.y + size.y + halo.w;
    if (from >= to) {
        return;
    }
    if (from == 0) {
        blocked_zeros(plane, halo.x * pitch);
    }
    if (to == size.x * size.y) {
        blocked_zeros(plane + (halo.x + size.x) * pitch * 16, halo.z * pitch);
    }
    __global float *rows = plane + halo.x * pitch * 16;
    for (int row = (from + size.y - 1) / size.y; row < (to + size.y - 1) / size.y; ++row) {
        blocked_zeros(rows + row * pitch * 16, halo.y);
    }
    for (int row = from / size.y; row < to / size.y; ++row) {
        blocked_zeros(rows + (row * pitch + halo.y + size.y) * 16, halo.w);
    }
}

#endif
