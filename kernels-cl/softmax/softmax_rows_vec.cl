// Softmax and its logarithm, 16 elements at a time; shifted by the largest element so that nothing overflows.
//
// Layout: x and y are [outer, size, inner]. Kernels named along_rows: inner is 1 and an item does one row of `size`
// elements; those named across_rows: an item does 16 neighbouring positions of inner over all of `size`.
// Assumes: fewer than 2^31 elements; global size [outer] along rows, [ceil(inner / 16), outer] across them.
// Macros: none.
#include "common/rows.h"
#include "common/vector_functions.h"
#include "common/vector_functions2.h"
#include "common/functions2.h"

#define LANES ((int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))

// Up to 16 elements; lanes beyond never win and weigh nothing.
static inline float16 read_row(__global const float *x, int count) {
    return count >= 16 ? vload16(0, x) : select((float16)(-INFINITY), read_piece(x, 1, count), LANES < count);
}

static inline float row_maximum(__global const float *x, int size) {
    float16 best = -INFINITY;
    for (int i = 0; i < size; i += 16) {
        best = larger16(best, read_row(x + i, size - i));
    }
    float lanes[16];
    vstore16(best, 0, lanes);
    float largest = lanes[0];
    for (int lane = 1; lane < 16; ++lane) {
        largest = larger(largest, lanes[lane]);
    }
    return largest;
}

static inline float lane_sum(float16 values) {
    const float8 eight = values.s01234567 + values.s89abcdef;
    const float4 four = eight.s0123 + eight.s4567;
    return four.s0 + four.s1 + four.s2 + four.s3;
}

static inline void softmax_along_rows_item(__global const float *x, __global float *y, const int size, const int3 at) {
    __global const float *values = x + at.x * size;
    __global float *results = y + at.x * size;
    const float shift = row_maximum(values, size);
    float16 sum = 0.0f;
    for (int i = 0; i < size; i += 16) {
        const float16 powers = exponential16(read_row(values + i, size - i) - shift, 0.0f);
        sum += powers;
        write_piece(powers, results + i, min(size - i, 16));
    }
    const float factor = 1.0f / lane_sum(sum);
    for (int i = 0; i < size; i += 16) {
        const int count = min(size - i, 16);
        write_piece(read_piece(results + i, 1, count) * factor, results + i, count);
    }
}

static inline void log_softmax_along_rows_item(
        __global const float *x, __global float *y, const int size, const int3 at) {
    __global const float *values = x + at.x * size;
    __global float *results = y + at.x * size;
    const float shift = row_maximum(values, size);
    float16 sum = 0.0f;
    for (int i = 0; i < size; i += 16) {
        sum += exponential16(read_row(values + i, size - i) - shift, 0.0f);
    }
    const float logarithm = log(lane_sum(sum));
    for (int i = 0; i < size; i += 16) {
        const int count = min(size - i, 16);
        write_piece(read_piece(values + i, 1, count) - shift - logarithm, results + i, count);
    }
}

static inline float16 position_maximum(__global const float *x, int size, int inner, int count) {
    float16 best = -INFINITY;
    for (int k = 0; k < size; ++k) {
        best = larger16(best, read_piece(x + k * inner, 1, count));
    }
    return best;
}

static inline void softmax_across_rows_item(
        __global const float *x, __global float *y, const int size, const int inner, const int3 at) {
    const int column = at.x * 16;
    const int count = min(inner - column, 16);
    const int begin = at.y * size * inner + column;
    const float16 shift = position_maximum(x + begin, size, inner, count);
    float16 sum = 0.0f;
    for (int k = 0; k < size; ++k) {
        const float16 powers = exponential16(read_piece(x + begin + k * inner, 1, count) - shift, 0.0f);
        sum += powers;
        write_piece(powers, y + begin + k * inner, count);
    }
    const float16 factor = 1.0f / sum;
    for (int k = 0; k < size; ++k) {
        __global float *piece = y + begin + k * inner;
        write_piece(read_piece(piece, 1, count) * factor, piece, count);
    }
}

static inline void log_softmax_across_rows_item(
        __global const float *x, __global float *y, const int size, const int inner, const int3 at) {
    const int column = at.x * 16;
    const int count = min(inner - column, 16);
    const int begin = at.y * size * inner + column;
    const float16 shift = position_maximum(x + begin, size, inner, count);
    float16 sum = 0.0f;
    for (int k = 0; k < size; ++k) {
        sum += exponential16(read_piece(x + begin + k * inner, 1, count) - shift, 0.0f);
    }
    const float16 logarithm = log(sum);
    for (int k = 0; k < size; ++k) {
        write_piece(read_piece(x + begin + k * inner, 1, count) - shift - logarithm, y + begin + k * inner, count);
    }
}

__kernel void softmax_along_rows(__global const float *x, __global float *y, const int size) {
    softmax_along_rows_item(x, y, size, (int3)(get_global_id(0), get_global_id(1), get_global_id(2)));
}

__kernel void log_softmax_along_rows(__global const float *x, __global float *y, const int size) {
    log_softmax_along_rows_item(x, y, size, (int3)(get_global_id(0), get_global_id(1), get_global_id(2)));
}

__kernel void softmax_across_rows(__global const float *x, __global float *y, const int size, const int inner) {
    softmax_across_rows_item(x, y, size, inner, (int3)(get_global_id(0), get_global_id(1), get_global_id(2)));
}

__kernel void log_softmax_across_rows(__global const float *x, __global float *y, const int size, const int inner) {
    log_softmax_across_rows_item(x, y, size, inner, (int3)(get_global_id(0), get_global_id(1), get_global_id(2)));
}
