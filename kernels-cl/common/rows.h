// Pieces of 16 elements of an innermost axis, any constant step apart (0: the same element 16 times).
//
// Macros: TYPE, TYPE16  an OpenCL type and its vector of 16.
#ifndef CLINFER_ROWS_H
#define CLINFER_ROWS_H

#ifndef TYPE
#define TYPE float
#endif
#ifndef TYPE16
#define TYPE16 float16
#endif

// The first `count` (at most 16) elements of x, `step` apart; lanes beyond are 0.
static inline TYPE16 read_piece(__global const TYPE *x, int step, int count) {
    if (step == 0) {
        return (TYPE16)x[0];
    }
    if (step == 1 && count == 16) {
        return vload16(0, x);
    }
    TYPE lanes[16];
    for (int lane = 0; lane < 16; ++lane) {
        lanes[lane] = lane < count ? x[lane * step] : (TYPE)0;
    }
    return vload16(0, lanes);
}

static inline void write_piece(TYPE16 values, __global TYPE *y, int count) {
    if (count == 16) {
        vstore16(values, 0, y);
        return;
    }
    TYPE lanes[16];
    vstore16(values, 0, lanes);
    for (int lane = 0; lane < count; ++lane) {
        y[lane] = lanes[lane];
    }
}

#endif
