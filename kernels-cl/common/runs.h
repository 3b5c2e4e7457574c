// Runs: 16 elements of a row, STRIDE apart, in one vector. A run may begin or end outside its row; lanes that do
// are masked to `outside`. Near the two ends of a tensor, where it could leave the memory, it is read lane by lane.
//
// Macros: STRIDE  1 or 2.
#ifndef CLINFER_RUNS_H
#define CLINFER_RUNS_H

#include "common/blocked_vector.h"

#ifndef STRIDE
#define STRIDE 1
#endif

#define LANES ((int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define SPAN (16 * STRIDE)

// The run that begins at x[at], `outside` where the mask is 0; the whole run lies in x.
static inline float16 read_run(__global const float *x, int at, int16 mask, float outside) {
#if STRIDE == 1
    return select((float16)outside, blocked_load(x + at), mask);
#else
    const float16 a = blocked_load(x + at);
    const float16 b = blocked_load(x + at + 16);
    const float16 even = (float16)(
            a.s0, a.s2, a.s4, a.s6, a.s8, a.sa, a.sc, a.se, b.s0, b.s2, b.s4, b.s6, b.s8, b.sa, b.sc, b.se);
    return select((float16)outside, even, mask);
#endif
}

// The same for a run that may leave x.
static inline float16 read_run_guarded(__global const float *x, int at, int16 mask, float outside) {
    float values[16];
    int inside[16];
    vstore16(mask, 0, inside);
#pragma unroll 1
    for (int lane = 0; lane < 16; ++lane) {
        values[lane] = inside[lane] ? x[at + lane * STRIDE] : outside;
    }
    return vload16(0, values);
}

// The first `count` lanes; none if it is below 1.
static inline void write_run(float16 values, __global float *y, int at, int count) {
    if (count >= 16) {
        blocked_store(values, y + at);
        return;
    }
    if (count <= 0) {
        return;
    }
    float8 eight = values.s01234567;
    if (count & 8) {
        vstore8(eight, 0, y + at);
        eight = (float8)(values.s8, values.s9, values.sa, values.sb, values.sc, values.sd, values.se, values.sf);
        at += 8;
    }
    float4 four = eight.s0123;
    if (count & 4) {
        vstore4(four, 0, y + at);
        four = eight.s4567;
        at += 4;
    }
    float2 two = four.s01;
    if (count & 2) {
        vstore2(two, 0, y + at);
        two = four.s23;
        at += 2;
    }
    if (count & 1) {
        y[at] = two.s0;
    }
}

// Lanes of a run at this row and column that lie inside the image.
static inline int16 inside_of(int row, int column, int2 in_size) {
    const int16 columns = column + LANES * STRIDE;
    const int row_mask = row >= 0 && row < in_size.x ? -1 : 0;
    return (columns >= 0) & (columns < in_size.y) & row_mask;
}

// Columns to write of a run that begins at this output row and column.
static inline int count_of(int row, int column, int2 out_size) {
    return row < out_size.x ? clamp(out_size.y - column, 0, 16) : 0;
}

#endif
