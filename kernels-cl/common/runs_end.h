// The end of 16 sums that lie side by side in y, by kinds that are known when the kernel runs. Float32 alone.
//
// Gives: runs_read      the first elements of an array, 0 beyond;
//        runs_end       adds a residual before the activation, bends and bounds, and stores the sums that exist; slope,
//                       low and high stand for all activations made of straight pieces, those of runs_slope,
//                       blocked_low and blocked_high;
//        runs_end_late  the rest, over rows in memory: smooth activations, then a residual after them.
// Activations are numbered as in common/function_table.h. A NaN stays a NaN. No function asks which item it is.
#ifndef CLINFER_RUNS_END_H
#define CLINFER_RUNS_END_H

#include "common/epilogue_blocked.h"

// The first `count` elements, 16 at most.
__attribute__((noinline)) static float16 runs_read(__global const float *x, int count) {
    float lanes[16];
    for (int lane = 0; lane < 16; ++lane) {
        lanes[lane] = lane < count ? x[lane] : 0.0f;
    }
    return vload16(0, lanes);
}

__attribute__((noinline)) static void runs_write(float16 values, __global float *y, int count) {
    float lanes[16];
    vstore16(values, 0, lanes);
    for (int lane = 0; lane < 16; ++lane) {
        if (lane < count) {
            y[lane] = lanes[lane];
        }
    }
}

// What negative sums of a channel are multiplied with; slope has one element where slope_step is 0.
static inline float runs_slope(
        __global const float *slope, int slope_step, int channel, int activation, float alpha) {
    return activation == FUNCTION_PRELU ? slope[channel * slope_step]
            : activation == FUNCTION_LEAKY_RELU ? alpha : 1.0f;
}

// The first `count` lanes; `before` is NULL or the residual of the first one.
static inline void runs_end(
        float16 sum, __global const float *before, float slope, float low, float high, __global float *y, int count) {
    if (count <= 0) {
        return;
    }
    if (before) {
        sum += count >= 16 ? blocked_load(before) : runs_read(before, count);
    }
    sum = clip16(blocked_bent(sum, (float16)slope), low, high);
    if (count >= 16) {
        blocked_store(sum, y);
    } else {
        runs_write(sum, y, count);
    }
}

// `rows` rows of `count` elements, `pitch` apart in y and in the residual `after`, which may be NULL.
__attribute__((noinline)) static void runs_end_late(
        __global float *y, __global const float *after, int rows, int pitch, int count, int activation) {
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < count; column += 16) {
            const int at = row * pitch + column;
            const int left = count - column;
            float16 values = left >= 16 ? blocked_load(y + at) : runs_read(y + at, left);
            if (blocked_is_smooth(activation)) {
                values = blocked_smooth(values, activation);
            }
            if (after) {
                values += left >= 16 ? blocked_load(after + at) : runs_read(after + at, left);
            }
            if (left >= 16) {
                blocked_store(values, y + at);
            } else {
                runs_write(values, y + at, left);
            }
        }
    }
}

#endif
