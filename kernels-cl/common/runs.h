// Runs: 16 elements of a row, STRIDE apart, in one vector. A run may begin or end outside its row; lanes that do
// are masked to 0. Near the two ends of a tensor, where it could leave the memory, it is read lane by lane.
//
// Macros: STRIDE  1 or 2.
#ifndef CLINFER_RUNS_H
#define CLINFER_RUNS_H

#ifndef STRIDE
#define STRIDE 1
#endif

#define LANES ((int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define SPAN (16 * STRIDE)

// The run that begins at x[at], 0 where the mask is 0; the whole run lies in x.
static inline float16 read_run(__global const float *x, int at, int16 mask) {
#if STRIDE == 1
    return select((float16)0.0f, vload16(0, x + at), mask);
#else
    return select((float16)0.0f, (float16)(vload16(0, x + at).even, vload16(0, x + at + 16).even), mask);
#endif
}

// The same for a run that may leave x.
static inline float16 read_run_guarded(__global const float *x, int at, int16 mask) {
    float values[16];
    int inside[16];
    vstore16(mask, 0, inside);
#pragma unroll 1
    for (int lane = 0; lane < 16; ++lane) {
        values[lane] = inside[lane] ? x[at + lane * STRIDE] : 0.0f;
    }
    return vload16(0, values);
}

static inline void write_run(float16 values, __global float *y, int at, int count) {
    if (count >= 16) {
        vstore16(values, 0, y + at);
        return;
    }
    float lanes[16];
    vstore16(values, 0, lanes);
#pragma unroll 1
    for (int lane = 0; lane < count; ++lane) {
        y[at + lane] = lanes[lane];
    }
}

// Lanes of a run at this row and column that lie inside the image.
static inline int16 inside_of(int row, int column, int2 in_size) {
    const int16 columns = column + LANES * STRIDE;
    return row >= 0 && row < in_size.x ? columns >= 0 && columns < in_size.y : (int16)0;
}

// Columns to write of a run that begins at this output row and column.
static inline int count_of(int row, int column, int2 out_size) {
    return row < out_size.x ? clamp(out_size.y - column, 0, 16) : 0;
}

#endif
