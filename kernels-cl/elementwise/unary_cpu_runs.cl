// y = f(x) for every element of float32, f by a kind that is known when the kernel runs: an item does a run of vectors.
//
// Layout: any, x and y alike and dense; x may be y.
// Assumes: len < 2^31. The vectors of 16 elements are divided into `items` runs. Global size [items].
// kind: the number of one of UNARY_VECTORS of common/function_table.h, some with alpha and beta.
//       A NaN stays a NaN.
// Macros: none.
#include "common/function_table.h"
#include "common/runs_end.h"
#include "common/vector_functions.h"

#define UNARY_RUN(NAME)                                                                                             \
    __attribute__((noinline)) static void unary_##NAME(                                                             \
            __global const float *x, __global float *y, int count, float alpha, float beta) {                       \
        for (int i = 0; i < count; i += 16) {                                                                       \
            const int left = count - i;                                                                             \
            const float16 v = left >= 16 ? blocked_load(x + i) : runs_read(x + i, left);                            \
            const float16 value = VECTOR_##NAME(v, v, alpha, beta);                                                 \
            if (left >= 16) {                                                                                       \
                blocked_store(value, y + i);                                                                        \
            } else {                                                                                                \
                runs_write(value, y + i, left);                                                                     \
            }                                                                                                       \
        }                                                                                                           \
    }

UNARY_VECTORS(UNARY_RUN)

#define UNARY_CASE(NAME) case FUNCTION_##NAME: unary_##NAME(x, y, count, alpha, beta); break;

__kernel void unary_cpu_runs(
        __global const float *x,
        __global float *y,
        const int kind,
        const int len,
        const float alpha,
        const float beta,
        const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int vectors = len / 16 + (len % 16 != 0);
    const int first = (int)((long)vectors * at.x / items) * 16;
    const int last = at.x + 1 == items ? len : (int)((long)vectors * (at.x + 1) / items) * 16;
    const int count = last - first;
    x += first;
    y += first;
    switch (kind) {
        UNARY_VECTORS(UNARY_CASE)
    }
}
