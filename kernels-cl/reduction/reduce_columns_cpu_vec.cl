// Reduces neighbouring axes that are not the last ones: an item reduces 16 neighbouring columns over all rows, or those that
// there are. Sums are built in blocks of rows, to keep them exact.
//
// Layout: x [outer, rows, columns], y [outer, columns], dense.
// Assumes: fewer than 2^31 elements; at least 16 columns. Global size [ceil(columns / 16), outer]; the last 16 columns are
//          read from the end back, and those of them stored that are no other item's.
// Macros: REDUCTION  reduce_ and the name of one of REDUCTIONS of common/reduction_table.h; BLOCK  rows per block.
#include "common/reduction_table.h"
#include "common/rows.h"
#include "common/vector_functions2.h"

#ifndef REDUCTION
#define REDUCTION reduce_sum
#endif
#ifndef BLOCK
#define BLOCK 128
#endif

// Folds a term of 16 columns, beginning with `start`.
#define FOLD(name, start, term, combine, value)                                                   \
    static inline float16 fold_##name(__global const float *x, int rows, int columns) {           \
        float16 total = (float16)(start);                                                         \
        for (int block = 0; block < rows; block += BLOCK) {                                       \
            const int end = min(block + BLOCK, rows);                                             \
            float16 partial = (float16)(start);                                                   \
            for (int row = block; row < end; ++row) {                                             \
                const float16 v = vload16(0, x + row * columns);                                  \
                partial = combine##16(partial, term);                                             \
            }                                                                                     \
            total = combine##16(total, partial);                                                  \
        }                                                                                         \
        return total;                                                                             \
    }

FOLDS(FOLD)

#define RULE(number, name, fold, finish)                                                          \
    static inline float16 reduce_##name(__global const float *x, int rows, int columns) {         \
        const float16 t = fold_##fold(x, rows, columns);                                          \
        const float n = rows;                                                                     \
        return finish;                                                                            \
    }

REDUCTIONS(RULE)

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
