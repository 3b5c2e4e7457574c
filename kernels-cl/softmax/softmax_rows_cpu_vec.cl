// Softmax and its logarithm, 16 elements at a time; shifted by the largest element so that nothing overflows.
//
// Layout: x and y are [outer, size, inner]. Kernels named along_rows: inner is 1 and an item does one row of 16 elements or
// more; short_rows: it does 8 rows of 16 or fewer; across_rows: it does 16 neighbouring positions of inner over all of `size`.
// Assumes: fewer than 2^31 elements; global size [outer] along rows, [ceil(outer / 8)] along short ones,
//          [ceil(inner / 16), outer] across them.
// Macros: none.
#include "common/epilogue_blocked.h"
#include "common/rows.h"
#include "common/row_sums.h"
#include "common/vector_functions.h"

#define FOUR_TIMES(a, b, c, d) ((float16)(a, b, c, d, a, b, c, d, a, b, c, d, a, b, c, d))
#define LANES ((int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))

// A NaN need not win: it makes the sum of its row a NaN anyway.
static inline float16 softmax_larger(float16 best, float16 value) {
    return value > best ? value : best;
}

static inline float lane_maximum(float16 best) {
    best = softmax_larger(best, row_halves_swapped(best));
    best = softmax_larger(best, FOUR_TIMES(best.s4, best.s5, best.s6, best.s7));
    best = softmax_larger(best, FOUR_TIMES(best.s2, best.s3, best.s2, best.s3));
    return softmax_larger(best, (float16)best.s1).s0;
}

static inline float row_maximum(__global const float *x, int size) {
    float16 best = blocked_load(x);
    float16 other = blocked_load(x + size - 16);
    int i = 16;
    for (; i + 32 <= size; i += 32) {
        best = softmax_larger(best, blocked_load(x + i));
        other = softmax_larger(other, blocked_load(x + i + 16));
    }
    if (i + 16 <= size) {
        best = softmax_larger(best, blocked_load(x + i));
    }
    return lane_maximum(softmax_larger(best, other));
}

// The last 16 lanes of a row that are not among its whole pieces; the others are 0.
static inline float16 without_pieces(float16 last, int size) {
    return select((float16)0.0f, last, LANES >= 16 - size % 16);
}

// Vectors of a row that are kept beside it until their sum is known: they lie in lines of their own, unlike those of y.
#define SOFTMAX_KEPT 64

// Vectors that are summed alone, so that a long sum does not lose what is small beside it.
#define SUMMED_ALONE 1024

__kernel void softmax_along_rows(__global const float *x, __global float *y, const int size) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    __global const float *values = x + at.x * size;
    __global float *results = y + at.x * size;
    const float shift = row_maximum(values, size);
    const int vectors = size / 16;
    const int first = max(vectors - SOFTMAX_KEPT, 0);
    float16 kept[SOFTMAX_KEPT];
    const float16 last = decay16(blocked_load(values + size - 16) - shift, 0.0f);
    float16 sum = without_pieces(last, size);
    for (int left = first; left > 0; left -= SUMMED_ALONE) {
        const int end = first - max(left - SUMMED_ALONE, 0);
        float16 part = 0.0f;
        for (int v = first - left; v < end; ++v) {
            const float16 powers = decay16(blocked_load(values + v * 16) - shift, 0.0f);
            part += powers;
            blocked_store(powers, results + v * 16);
        }
        sum += part;
    }
    for (int v = first; v < vectors; ++v) {
        kept[v - first] = decay16(blocked_load(values + v * 16) - shift, 0.0f);
        sum += kept[v - first];
    }
    const float factor = 1.0f / row_lane_sum(sum);
    for (int v = 0; v < first; ++v) {
        blocked_store(blocked_load(results + v * 16) * factor, results + v * 16);
    }
    for (int v = first; v < vectors; ++v) {
        blocked_store(kept[v - first] * factor, results + v * 16);
    }
    blocked_store(last * factor, results + size - 16);
}

__kernel void log_softmax_along_rows(__global const float *x, __global float *y, const int size) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    __global const float *values = x + at.x * size;
    __global float *results = y + at.x * size;
    const float shift = row_maximum(values, size);
    const float16 last = blocked_load(values + size - 16);
    float16 sum = without_pieces(decay16(last - shift, 0.0f), size);
    const int vectors = size / 16;
    for (int left = vectors; left > 0; left -= SUMMED_ALONE) {
        const int end = vectors - max(left - SUMMED_ALONE, 0);
        float16 part = 0.0f;
        for (int v = vectors - left; v < end; ++v) {
            part += decay16(blocked_load(values + v * 16) - shift, 0.0f);
        }
        sum += part;
    }
    const float logarithm = log(row_lane_sum(sum));
    for (int i = 0; i + 16 <= size; i += 16) {
        blocked_store(blocked_load(values + i) - shift - logarithm, results + i);
    }
    blocked_store(last - shift - logarithm, results + size - 16);
}

// Short rows of an item: one alone would take less time than its item does.
#define SHORT_ROWS 8

// A short row less its largest element; the lanes behind it are -infinity.
static inline float16 shifted_row(__global const float *x, int size) {
    const float16 row = select((float16)-INFINITY, read_piece(x, 1, size), LANES < size);
    return row - lane_maximum(row);
}

__kernel void softmax_short_rows(__global const float *x, __global float *y, const int rows, const int size) {
    const int first = get_global_id(0) * SHORT_ROWS;
    for (int row = first; row < min(first + SHORT_ROWS, rows); ++row) {
        const float16 shifted = shifted_row(x + row * size, size);
        const float16 powers = select((float16)0.0f, decay16(shifted, 0.0f), LANES < size);
        write_piece(powers * (1.0f / row_lane_sum(powers)), y + row * size, size);
    }
}

__kernel void log_softmax_short_rows(__global const float *x, __global float *y, const int rows, const int size) {
    const int first = get_global_id(0) * SHORT_ROWS;
    for (int row = first; row < min(first + SHORT_ROWS, rows); ++row) {
        const float16 shifted = shifted_row(x + row * size, size);
        const float16 powers = select((float16)0.0f, decay16(shifted, 0.0f), LANES < size);
        write_piece(shifted - log(row_lane_sum(powers)), y + row * size, size);
    }
}

static inline float16 position_maximum(__global const float *x, int size, int inner, int count) {
    float16 best = -INFINITY;
    for (int k = 0; k < size; ++k) {
        best = softmax_larger(best, read_piece(x + k * inner, 1, count));
    }
    return best;
}

__kernel void softmax_across_rows(__global const float *x, __global float *y, const int size, const int inner) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int column = at.x * 16;
    const int count = min(inner - column, 16);
    const int begin = at.y * size * inner + column;
    const float16 shift = position_maximum(x + begin, size, inner, count);
    float16 sum = 0.0f;
    for (int left = size; left > 0; left -= SUMMED_ALONE) {
        const int end = size - max(left - SUMMED_ALONE, 0);
        float16 part = 0.0f;
        for (int k = size - left; k < end; ++k) {
            const float16 powers = decay16(read_piece(x + begin + k * inner, 1, count) - shift, 0.0f);
            part += powers;
            write_piece(powers, y + begin + k * inner, count);
        }
        sum += part;
    }
    const float16 factor = 1.0f / sum;
    for (int k = 0; k < size; ++k) {
        __global float *piece = y + begin + k * inner;
        write_piece(read_piece(piece, 1, count) * factor, piece, count);
    }
}

__kernel void log_softmax_across_rows(__global const float *x, __global float *y, const int size, const int inner) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int column = at.x * 16;
    const int count = min(inner - column, 16);
    const int begin = at.y * size * inner + column;
    const float16 shift = position_maximum(x + begin, size, inner, count);
    float16 sum = 0.0f;
    for (int left = size; left > 0; left -= SUMMED_ALONE) {
        const int end = size - max(left - SUMMED_ALONE, 0);
        float16 part = 0.0f;
        for (int k = size - left; k < end; ++k) {
            part += decay16(read_piece(x + begin + k * inner, 1, count) - shift, 0.0f);
        }
        sum += part;
    }
    const float16 logarithm = logarithm16(sum, 0.0f);
    for (int k = 0; k < size; ++k) {
        write_piece(read_piece(x + begin + k * inner, 1, count) - shift - logarithm, y + begin + k * inner, count);
    }
}
