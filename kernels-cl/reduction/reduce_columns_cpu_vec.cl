// Reduces neighbouring axes that are not the last ones: an item reduces 16 neighbouring columns over all rows, or those that
// there are. Sums are built in blocks of rows, to keep them exact.
//
// Layout: x [outer, rows, columns], y [outer, columns], dense.
// Assumes: fewer than 2^31 elements; at least 16 columns. Global size [ceil(columns / 16), outer]; the last 16 columns are
//          read from the end back, and those of them stored that are no other item's.
// Macros: REDUCTION  one of the RULEs below; BLOCK  rows per block.
#include "common/rows.h"
#include "common/vector_functions2.h"

#ifndef REDUCTION
#define REDUCTION reduce_sum
#endif
#ifndef BLOCK
#define BLOCK 128
#endif

// Folds term(value) of 16 columns, beginning with `start`.
#define FOLD(name, start, term, combine)                                                          \
    static inline float16 name(__global const float *x, int rows, int columns) {                  \
        float16 total = start;                                                                    \
        for (int block = 0; block < rows; block += BLOCK) {                                       \
            const int end = min(block + BLOCK, rows);                                             \
            float16 partial = start;                                                              \
            for (int row = block; row < end; ++row) {                                             \
                const float16 value = vload16(0, x + row * columns);                              \
                partial = combine(partial, term);                                                 \
            }                                                                                     \
            total = combine(total, partial);                                                      \
        }                                                                                         \
        return total;                                                                             \
    }

FOLD(sum_of, 0.0f, value, add16)
FOLD(largest_of, -INFINITY, value, larger16)
FOLD(smallest_of, INFINITY, value, smaller16)
FOLD(product_of, 1.0f, value, multiply16)
FOLD(absolute_sum_of, 0.0f, fabs(value), add16)
FOLD(square_sum_of, 0.0f, value *value, add16)

#define RULE(name, result)                                                                        \
    static inline float16 name(__global const float *x, int rows, int columns) {                  \
        return result;                                                                            \
    }

RULE(reduce_sum, sum_of(x, rows, columns))
RULE(reduce_mean, sum_of(x, rows, columns) / (float)rows)
RULE(reduce_max, largest_of(x, rows, columns))
RULE(reduce_min, smallest_of(x, rows, columns))
RULE(reduce_prod, product_of(x, rows, columns))
RULE(reduce_l1, absolute_sum_of(x, rows, columns))
RULE(reduce_l2, sqrt(square_sum_of(x, rows, columns)))
RULE(reduce_sum_square, square_sum_of(x, rows, columns))
RULE(reduce_log_sum, log(sum_of(x, rows, columns)))

__kernel void reduce_columns(__global const float *x, __global float *y, const int rows, const int columns) {
    const int column = get_global_id(0) * 16;
    const int first = min(column, columns - 16);
    const int outer = get_global_id(1);
    const float16 result = REDUCTION(x + outer * rows * columns + first, rows, columns);
    __global float *to = y + outer * columns + column;
    if (first == column) {
        write_piece(result, to, 16);
        return;
    }
    float lanes[32];
    vstore16(result, 0, lanes);
    vstore16((float16)0.0f, 1, lanes);
    write_piece(vload16(0, lanes + column - first), to, columns - column);
}
