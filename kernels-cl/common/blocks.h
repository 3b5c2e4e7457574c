// Tensors in blocked channels (nChw16c): [N, channels / 16, rows, columns, 16], a vector for each pixel of a block. A
// row of y belongs to one item, margin included; items take rows of all planes [N, channels / 16] in one sequence.
//
// Gives: blocks_part         where item `index` of `items` begins in a sequence of `total`;
//        blocks_coefficient  16 of an array with one element for each channel, or one for all; 0 beyond the last;
//        blocks_slope        what negative elements of a block are multiplied with;
//        blocks_bend         activations made of straight pieces: slope below 0, then bounds;
//        blocks_curve        those that are not, over a stretch of y, in place.
// Activations are those of common/epilogue_blocked.h. A NaN stays a NaN.
#ifndef CLINFER_BLOCKS_H
#define CLINFER_BLOCKS_H

#include "common/epilogue_blocked.h"
#include "common/rows.h"

static inline int blocks_part(int total, int index, int items) {
    return (int)((long)total * index / items);
}

// Those of one block; `count` in all, of which 1 stands for all channels if `step` is 0.
static inline float16 blocks_coefficient(__global const float *values, int block, int step, int count) {
    return step ? read_piece(values + block * 16, 1, min(count - block * 16, 16)) : (float16)values[0];
}

// The slope below 0 of one block; slopes are read for PRELU alone.
static inline float16 blocks_slope(
        int activation, float alpha, __global const float *slopes, int block, int step, int count) {
    return activation == FUNCTION_PRELU ? blocks_coefficient(slopes, block, step, count)
            : (float16)(activation == FUNCTION_LEAKY_RELU ? alpha : 1.0f);
}

static inline float16 blocks_bend(float16 x, float16 slope, float low, float high) {
    return clip16(blocked_bent(x, slope), low, high);
}

// `count` vectors; other activations leave them as they are.
static inline void blocks_curve(__global float *y, int count, int activation) {
    if (blocked_is_smooth(activation)) {
        blocked_smooth_run(y, 0, count, activation);
    }
}

#endif
