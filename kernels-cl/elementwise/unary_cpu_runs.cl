// y = f(x) for every element of float32, f by a kind that is known when the kernel runs: an item does a run of vectors.
//
// Layout: any, x and y alike and dense; x may be y.
// Assumes: len < 2^31. The vectors of 16 elements are divided into `items` runs. Global size [items].
// kind: 0 relu, 1 relu6, 2 leaky_relu (alpha), 3 clip to [alpha, beta], 4 sigmoid, 5 tanh, 6 exp, 7 hard_sigmoid
//       (alpha, beta), 8 hard_swish, 9 sqrt, 10 absolute, 11 negative, 12 reciprocal, 13 floor, 14 ceil, 15 round to
//       even, 16 elu (alpha) times beta, 17 gelu, 18 gelu by tanh, 19 swish (alpha), 20 erf, 21 log, 22 sign.
//       A NaN stays a NaN.
// Macros: none.
#include "common/runs_end.h"
#include "common/vector_functions.h"

// exp(v) - 1 for v <= 0: a Taylor series where the difference would cancel.
static inline float16 unary_exp_minus_1(float16 v) {
    const float16 high = 1.0f + v * 0.2f * (1.0f + v * 0.166666667f * (1.0f + v * 0.142857143f));
    const float16 series = 1.0f + v * 0.5f * (1.0f + v * 0.333333333f * (1.0f + v * 0.25f * high));
    return v > -0.35f ? v * series : exponential16(v, 0.0f) - 1.0f;
}

#define UNARY_RUN(NAME, VALUE)                                                                                      \
    __attribute__((noinline)) static void unary_##NAME(                                                             \
            __global const float *x, __global float *y, int count, float alpha, float beta) {                       \
        for (int i = 0; i < count; i += 16) {                                                                       \
            const int left = count - i;                                                                             \
            const float16 v = left >= 16 ? blocked_load(x + i) : runs_read(x + i, left);                            \
            const float16 value = VALUE;                                                                            \
            if (left >= 16) {                                                                                       \
                blocked_store(value, y + i);                                                                        \
            } else {                                                                                                \
                runs_write(value, y + i, left);                                                                     \
            }                                                                                                       \
        }                                                                                                           \
    }

UNARY_RUN(bounds, blocked_bounded(v, alpha, beta))
UNARY_RUN(leaky, v < 0.0f ? alpha * v : v)
UNARY_RUN(sigmoid, sigmoid16(v, alpha))
UNARY_RUN(tanh, hyperbolic_tangent16(v, alpha))
UNARY_RUN(exp, exponential16(v, alpha))
UNARY_RUN(hard_sigmoid, blocked_bounded(alpha * v + beta, 0.0f, 1.0f))
UNARY_RUN(hard_swish, v * blocked_bounded(v / 6.0f + 0.5f, 0.0f, 1.0f))
UNARY_RUN(sqrt, sqrt(v))
UNARY_RUN(absolute, fabs(v))
UNARY_RUN(negative, -v)
UNARY_RUN(reciprocal, 1.0f / v)
UNARY_RUN(floor, floor(v))
UNARY_RUN(ceil, ceil(v))
UNARY_RUN(round, rint(v))
UNARY_RUN(elu, beta * (v > 0.0f ? v : alpha * unary_exp_minus_1(v)))
UNARY_RUN(gelu, gelu16(v, alpha))
UNARY_RUN(gelu_tanh, gelu_tanh16(v, alpha))
UNARY_RUN(swish, swish16(v, alpha))
UNARY_RUN(erf, error_function16(v, alpha))
UNARY_RUN(log, logarithm16(v, alpha))
UNARY_RUN(sign, v > 0.0f ? 1.0f : v < 0.0f ? -1.0f : v)

static void unary_cpu_runs_item(
        __global const float *x,
        __global float *y,
        const int kind,
        const int len,
        const float alpha,
        const float beta,
        const int items,
        const int3 at) {
    const int vectors = len / 16 + (len % 16 != 0);
    const int first = (int)((long)vectors * at.x / items) * 16;
    const int last = at.x + 1 == items ? len : (int)((long)vectors * (at.x + 1) / items) * 16;
    const int count = last - first;
    x += first;
    y += first;
    switch (kind) {
    case 0: unary_bounds(x, y, count, 0.0f, INFINITY); break;
    case 1: unary_bounds(x, y, count, 0.0f, 6.0f); break;
    case 2: unary_leaky(x, y, count, alpha, beta); break;
    case 3: unary_bounds(x, y, count, alpha, beta); break;
    case 4: unary_sigmoid(x, y, count, alpha, beta); break;
    case 5: unary_tanh(x, y, count, alpha, beta); break;
    case 6: unary_exp(x, y, count, alpha, beta); break;
    case 7: unary_hard_sigmoid(x, y, count, alpha, beta); break;
    case 8: unary_hard_swish(x, y, count, alpha, beta); break;
    case 9: unary_sqrt(x, y, count, alpha, beta); break;
    case 10: unary_absolute(x, y, count, alpha, beta); break;
    case 11: unary_negative(x, y, count, alpha, beta); break;
    case 12: unary_reciprocal(x, y, count, alpha, beta); break;
    case 13: unary_floor(x, y, count, alpha, beta); break;
    case 14: unary_ceil(x, y, count, alpha, beta); break;
    case 15: unary_round(x, y, count, alpha, beta); break;
    case 16: unary_elu(x, y, count, alpha, beta); break;
    case 17: unary_gelu(x, y, count, alpha, beta); break;
    case 18: unary_gelu_tanh(x, y, count, alpha, beta); break;
    case 19: unary_swish(x, y, count, alpha, beta); break;
    case 20: unary_erf(x, y, count, alpha, beta); break;
    case 21: unary_log(x, y, count, alpha, beta); break;
    default: unary_sign(x, y, count, alpha, beta); break;
    }
}

__kernel void unary_cpu_runs(
        __global const float *x,
        __global float *y,
        const int kind,
        const int len,
        const float alpha,
        const float beta,
        const int items) {
    unary_cpu_runs_item(x, y, kind, len, alpha, beta, items,
            (int3)(get_global_id(0), get_global_id(1), get_global_id(2)));
}
