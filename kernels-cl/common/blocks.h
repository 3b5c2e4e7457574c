// Tensors in blocked channels (nChw16c): [N, channels / 16, rows, columns, 16], a vector for each pixel of a block. A
// row of y belongs to one item, margin included; items take rows of all planes [N, channels / 16] in one sequence.
//
// Gives: blocks_part         where item `index` of `items` begins in a sequence of `total`;
//        blocks_fill         zeros;
//        blocks_coefficient  16 of an array with one element for each channel, or one for all; 0 beyond the last;
//        blocks_bend         activations made of straight pieces: slope below 0, then bounds;
//        blocks_curve        those that are not, over a stretch of y, in place.
// Activations are numbered as in common/epilogue.h. A NaN stays a NaN.
#ifndef CLINFER_BLOCKS_H
#define CLINFER_BLOCKS_H

#include "common/rows.h"

#define BLOCKS_RELU 1
#define BLOCKS_RELU6 2
#define BLOCKS_LEAKY_RELU 3
#define BLOCKS_PRELU 4
#define BLOCKS_CLIP 5
#define BLOCKS_SIGMOID 6
#define BLOCKS_HARD_SWISH 7
#define BLOCKS_TANH 8

static inline int blocks_part(int total, int index, int items) {
    return (int)((long)total * index / items);
}

// `count` vectors.
static inline void blocks_fill(__global float *y, int count) {
    for (int i = 0; i < count; ++i) {
        vstore16((float16)0.0f, i, y);
    }
}

// Those of one block; `count` in all, of which 1 stands for all channels if `step` is 0.
static inline float16 blocks_coefficient(__global const float *values, int block, int step, int count) {
    return step ? read_piece(values + block * 16, 1, min(count - block * 16, 16)) : (float16)values[0];
}

static inline float blocks_low(int activation, float alpha) {
    return activation == BLOCKS_RELU || activation == BLOCKS_RELU6 ? 0.0f
            : activation == BLOCKS_CLIP ? alpha : -INFINITY;
}

static inline float blocks_high(int activation, float beta) {
    return activation == BLOCKS_RELU6 ? 6.0f : activation == BLOCKS_CLIP ? beta : INFINITY;
}

// The slope below 0 of one block; slopes are read for PRELU alone.
static inline float16 blocks_slope(
        int activation, float alpha, __global const float *slopes, int block, int step, int count) {
    return activation == BLOCKS_PRELU ? blocks_coefficient(slopes, block, step, count)
            : (float16)(activation == BLOCKS_LEAKY_RELU ? alpha : 1.0f);
}

static inline float16 blocks_bend(float16 x, float16 slope, float low, float high) {
    const float16 bent = select(x, slope * x, x < 0.0f);
    const float16 raised = select(bent, (float16)low, bent < low);
    return select(raised, (float16)high, raised > high);
}

// `count` vectors; other activations leave them as they are.
__attribute__((noinline)) static void blocks_curve(__global float *y, int count, int activation) {
    if (activation == BLOCKS_SIGMOID) {
        for (int i = 0; i < count; ++i) {
            vstore16(1.0f / (1.0f + exp(-vload16(i, y))), i, y);
        }
    } else if (activation == BLOCKS_HARD_SWISH) {
        for (int i = 0; i < count; ++i) {
            const float16 x = vload16(i, y);
            vstore16(x * blocks_bend(x / 6.0f + 0.5f, (float16)1.0f, 0.0f, 1.0f), i, y);
        }
    } else if (activation == BLOCKS_TANH) {
        for (int i = 0; i < count; ++i) {
            vstore16(tanh(vload16(i, y)), i, y);
        }
    }
}

#endif
