// The end of 16 sums that lie one or more elements apart in y, in rows of a transposed convolution.
// After common/runs.h; for float32. Macros: those of common/epilogue.h.
#ifndef CLINFER_EPILOGUE_SPREAD_H
#define CLINFER_EPILOGUE_SPREAD_H

#include "common/epilogue_runs.h"

// Finishes and stores the first `count` of 32 elements that begin at y[at]: those of even and odd in turn.
static inline void finish_pair(
        float16 even,
        float16 odd,
        __global const float *residual,
        float16 slope,
        float alpha,
        float beta,
        __global float *y,
        int at,
        int count) {
    const float16 front = (float16)(
            even.s0, odd.s0, even.s1, odd.s1, even.s2, odd.s2, even.s3, odd.s3,
            even.s4, odd.s4, even.s5, odd.s5, even.s6, odd.s6, even.s7, odd.s7);
    const float16 back = (float16)(
            even.s8, odd.s8, even.s9, odd.s9, even.sa, odd.sa, even.sb, odd.sb,
            even.sc, odd.sc, even.sd, odd.sd, even.se, odd.se, even.sf, odd.sf);
    finish_run(front, residual, slope, alpha, beta, y, at, min(count, 16));
    finish_run(back, residual, slope, alpha, beta, y, at + 16, count - 16);
}

// Finishes and stores sums whose elements are `step` apart, as many as begin within `count` elements from y[at].
static inline void finish_spread(
        float16 sum,
        __global const float *residual,
        float16 slope,
        float alpha,
        float beta,
        __global float *y,
        int at,
        int step,
        int count) {
    if (step == 1) {
        finish_run(sum, residual, slope, alpha, beta, y, at, min(count, 16));
        return;
    }
    float lanes[16];
    float16 added = 0.0f;
#if RESIDUAL_KIND
    vstore16(added, 0, lanes);
#pragma unroll 1
    for (int lane = 0; lane < 16 && lane * step < count; ++lane) {
        lanes[lane] = residual[at + lane * step];
    }
    added = vload16(0, lanes);
#endif
    vstore16(finished16(sum, added, slope, alpha, beta), 0, lanes);
#pragma unroll 1
    for (int lane = 0; lane < 16 && lane * step < count; ++lane) {
        y[at + lane * step] = lanes[lane];
    }
}

#endif
