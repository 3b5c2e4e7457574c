// Reduces rows of consecutive elements to one element each, 16 lanes wide; one row per item.
//
// Layout: x [rows, count], y [rows], dense.
// Assumes: fewer than 2^31 elements; the global size is at least rows.
// Macros: REDUCTION  reduce_ and the name of one of REDUCTIONS of common/reduction_table.h.
#include "common/functions2.h"
#include "common/reduction_table.h"
#include "common/vector_functions2.h"

#ifndef REDUCTION
#define REDUCTION reduce_sum
#endif

// Folds a term of a row, beginning with `start`.
#define FOLD(name, start, term, combine, value)                                                   \
    static inline float fold_##name(__global const float *x, int count) {                         \
        float16 wide = (float16)(start);                                                          \
        int i = 0;                                                                                \
        for (; i + 16 <= count; i += 16) {                                                        \
            const float16 v = vload16(0, x + i);                                                  \
            wide = combine##16(wide, term);                                                       \
        }                                                                                         \
        float lanes[16];                                                                          \
        vstore16(wide, 0, lanes);                                                                 \
        float total = start;                                                                      \
        for (int lane = 0; lane < 16; ++lane) {                                                   \
            total = combine(total, lanes[lane]);                                                  \
        }                                                                                         \
        for (; i < count; ++i) {                                                                  \
            const float v = x[i];                                                                 \
            total = combine(total, term);                                                         \
        }                                                                                         \
        return total;                                                                             \
    }

FOLDS(FOLD)

#define RULE(number, name, fold, finish)                                                          \
    static inline float reduce_##name(__global const float *x, int count) {                       \
        const float t = fold_##fold(x, count);                                                    \
        const float n = count;                                                                    \
        return finish;                                                                            \
    }

REDUCTIONS(RULE)

__kernel void reduce_rows(__global const float *x, __global float *y, const int rows, const int count) {
    const int row = get_global_id(0);
    if (row < rows) {
        y[row] = REDUCTION(x + row * count, count);
    }
}
