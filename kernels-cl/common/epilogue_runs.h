// The end of 16 sums that lie side by side in y: residual, activation, and the store of those that exist.
// After common/runs.h; for float32. Macros: those of common/epilogue.h.
#ifndef CLINFER_EPILOGUE_RUNS_H
#define CLINFER_EPILOGUE_RUNS_H

#include "common/element.h"
#include "common/epilogue.h"

// The first `count` elements at x[at], 1 or more; the other lanes are 0.
static inline float16 read_first(__global const float *x, int at, int count) {
    if (count >= 16) {
        return vload16(0, x + at);
    }
    float values[16];
    vstore16((float16)0.0f, 0, values);
#pragma unroll 1
    for (int lane = 0; lane < count; ++lane) {
        values[lane] = x[at + lane];
    }
    return vload16(0, values);
}

// Finishes the first `count` sums and stores them at y[at]; residual is read there, where there is one.
static inline void finish_run(
        float16 sum,
        __global const float *residual,
        float16 slope,
        float alpha,
        float beta,
        __global float *y,
        int at,
        int count) {
    if (count <= 0) {
        return;
    }
#if RESIDUAL_KIND
    const float16 added = read_first(residual, at, count);
#else
    const float16 added = 0.0f;
#endif
    write_run(finished16(sum, added, slope, alpha, beta), y, at, count);
}

#endif
