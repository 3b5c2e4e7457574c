// Reduces rows of consecutive elements to one element each, 16 lanes wide; one row per item.
//
// Layout: x [rows, count], y [rows], dense.
// Assumes: fewer than 2^31 elements; the global size is at least rows.
// Macros: REDUCTION  one of the RULEs below.
#include "common/vector_functions2.h"
#include "common/functions2.h"

#ifndef REDUCTION
#define REDUCTION reduce_sum
#endif

// Folds term(value) of a row, beginning with `start`.
#define FOLD(name, start, term, combine)                                                          \
    static inline float name(__global const float *x, int count) {                                \
        float16 wide = start;                                                                     \
        int i = 0;                                                                                \
        for (; i + 16 <= count; i += 16) {                                                        \
            const float16 value = vload16(0, x + i);                                              \
            wide = combine##16(wide, term);                                                       \
        }                                                                                         \
        float lanes[16];                                                                          \
        vstore16(wide, 0, lanes);                                                                 \
        float total = start;                                                                      \
        for (int lane = 0; lane < 16; ++lane) {                                                   \
            total = combine(total, lanes[lane]);                                                  \
        }                                                                                         \
        for (; i < count; ++i) {                                                                  \
            const float value = x[i];                                                             \
            total = combine(total, term);                                                         \
        }                                                                                         \
        return total;                                                                             \
    }

FOLD(sum_of, 0.0f, value, add)
FOLD(largest_of, -INFINITY, value, larger)
FOLD(smallest_of, INFINITY, value, smaller)
FOLD(product_of, 1.0f, value, multiply)
FOLD(absolute_sum_of, 0.0f, fabs(value), add)
FOLD(square_sum_of, 0.0f, value *value, add)

#define RULE(name, result)                                                                        \
    static inline float name(__global const float *x, int count) {                                \
        return result;                                                                            \
    }

RULE(reduce_sum, sum_of(x, count))
RULE(reduce_mean, sum_of(x, count) / (float)count)
RULE(reduce_max, largest_of(x, count))
RULE(reduce_min, smallest_of(x, count))
RULE(reduce_prod, product_of(x, count))
RULE(reduce_l1, absolute_sum_of(x, count))
RULE(reduce_l2, sqrt(square_sum_of(x, count)))
RULE(reduce_sum_square, square_sum_of(x, count))
RULE(reduce_log_sum, log(sum_of(x, count)))

__kernel void reduce_rows(__global const float *x, __global float *y, const int rows, const int count) {
    const int row = get_global_id(0);
    if (row < rows) {
        y[row] = REDUCTION(x + row * count, count);
    }
}
