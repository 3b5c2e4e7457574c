// Reduces rows of consecutive elements of float32 to one element each, by a rule that is known when the kernel runs: an
// item does a run of rows.
//
// Layout: x [rows, count], y [rows], dense.
// Assumes: fewer than 2^31 elements. The rows are divided into `items` runs. Global size [items].
// kind: the number of one of REDUCTIONS of common/reduction_table.h.
// Macros: none.
#include "common/reduction_table.h"

typedef float ReduceFloats __attribute__((ext_vector_type(16), aligned(4)));

// Folds TERM, of a vector v or a float v, by VALUE of a and b into one element, beginning with START.
#define REDUCE_FOLD(NAME, START, TERM, COMBINE, VALUE)                                                              \
    static inline float16 reduce_fold_##NAME(float16 a, float16 b) {                                                \
        return VALUE;                                                                                               \
    }                                                                                                               \
    __attribute__((noinline)) static float reduce_all_##NAME(__global const float *x, int count) {                  \
        float16 sums[4];                                                                                            \
        _Pragma("unroll") for (int part = 0; part < 4; ++part) {                                                    \
            sums[part] = (float16)(START);                                                                          \
        }                                                                                                           \
        int i = 0;                                                                                                  \
        for (; i + 64 <= count; i += 64) {                                                                          \
            _Pragma("unroll") for (int part = 0; part < 4; ++part) {                                                \
                const float16 v = *(__global const ReduceFloats *)(x + i + 16 * part);                              \
                sums[part] = reduce_fold_##NAME(sums[part], TERM);                                                  \
            }                                                                                                       \
        }                                                                                                           \
        for (; i + 16 <= count; i += 16) {                                                                          \
            const float16 v = *(__global const ReduceFloats *)(x + i);                                              \
            sums[0] = reduce_fold_##NAME(sums[0], TERM);                                                            \
        }                                                                                                           \
        float16 wide = reduce_fold_##NAME(                                                                          \
                reduce_fold_##NAME(sums[0], sums[1]), reduce_fold_##NAME(sums[2], sums[3]));                        \
        wide = reduce_fold_##NAME(wide, wide.s89abcdef01234567);                                                    \
        wide = reduce_fold_##NAME(wide, wide.s456789abcdef0123);                                                    \
        wide = reduce_fold_##NAME(wide, wide.s23456789abcdef01);                                                    \
        wide = reduce_fold_##NAME(wide, wide.s123456789abcdef0);                                                    \
        float a = wide.s0;                                                                                          \
        _Pragma("clang loop vectorize(disable)") for (; i < count; ++i) {                                           \
            const float v = x[i];                                                                                   \
            const float b = TERM;                                                                                   \
            a = VALUE;                                                                                              \
        }                                                                                                           \
        return a;                                                                                                   \
    }

FOLDS(REDUCE_FOLD)

#define REDUCE_CASE(NUMBER, NAME, FOLD, FINISH) \
    case NUMBER: { \
        const float t = reduce_all_##FOLD(x, count); \
        return FINISH; \
    }

static inline float reduce_row(__global const float *x, int kind, int count) {
    const float n = count;
    switch (kind) {
        REDUCTIONS(REDUCE_CASE)
    }
    return 0.0f;
}

__kernel void reduce_cpu_runs(
        __global const float *x,
        __global float *y,
        const int kind,
        const int rows,
        const int count,
        const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int last = (int)((long)rows * (at.x + 1) / items);
    for (int row = (int)((long)rows * at.x / items); row < last; ++row) {
        y[row] = reduce_row(x + row * count, kind, count);
    }
}
