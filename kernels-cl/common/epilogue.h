// What follows a sum: residual and activation, and the type it is stored in. After common/element.h.
//
// Macros: ACTIVATION    NONE RELU RELU6 LEAKY_RELU PRELU CLIP SIGMOID HARD_SWISH TANH SWISH;
//         RESIDUAL      NONE, or BEFORE or AFTER: where it is added;
//         INT32_RESULT  1: sums of int8 are stored as int32.
// Gives:  RESULT        the type of y, bias, residual and slope in memory; load_result, store_result;
//         finished      the end of a sum: slope of PRELU, alpha and beta of LEAKY_RELU and CLIP;
//         finished16    the same for 16 floats; only for float32.
// A NaN stays a NaN.
#ifndef CLINFER_EPILOGUE_H
#define CLINFER_EPILOGUE_H

#include "common/functions.h"

#ifndef ACTIVATION
#define ACTIVATION NONE
#endif
#ifndef RESIDUAL
#define RESIDUAL NONE
#endif
#ifndef INT32_RESULT
#define INT32_RESULT 0
#endif

#define ACTIVATION_KIND_NONE 0
#define ACTIVATION_KIND_RELU 1
#define ACTIVATION_KIND_RELU6 2
#define ACTIVATION_KIND_LEAKY_RELU 3
#define ACTIVATION_KIND_PRELU 4
#define ACTIVATION_KIND_CLIP 5
#define ACTIVATION_KIND_SIGMOID 6
#define ACTIVATION_KIND_HARD_SWISH 7
#define ACTIVATION_KIND_TANH 8
#define ACTIVATION_KIND_SWISH 9
#define ACTIVATION_KIND_OF(name) ELEMENT_JOINED(ACTIVATION_KIND_, name)
#define ACTIVATION_KIND ACTIVATION_KIND_OF(ACTIVATION)

#define RESIDUAL_KIND_NONE 0
#define RESIDUAL_KIND_BEFORE 1
#define RESIDUAL_KIND_AFTER 2
#define RESIDUAL_KIND_OF(name) ELEMENT_JOINED(RESIDUAL_KIND_, name)
#define RESIDUAL_KIND RESIDUAL_KIND_OF(RESIDUAL)

#if INT32_RESULT
#define RESULT int

static inline WIDE load_result(__global const RESULT *values, int index) {
    return values[index];
}

static inline void store_result(WIDE value, __global RESULT *values, int index) {
    values[index] = convert_int_sat(value);
}
#else
#define RESULT STORED
#define load_result load_element
#define store_result store_element
#endif

static inline WIDE activated(WIDE x, WIDE slope, REAL alpha, REAL beta) {
#if ACTIVATION_KIND == 1
    return relu(x, alpha, beta);
#elif ACTIVATION_KIND == 2
    return relu6(x, alpha, beta);
#elif ACTIVATION_KIND == 3
    return leaky_relu(x, alpha, beta);
#elif ACTIVATION_KIND == 4
    return x < 0 ? slope * x : x;
#elif ACTIVATION_KIND == 5
    return clip(x, rounded(alpha), rounded(beta));
#elif ACTIVATION_KIND == 6
    return sigmoid(x, alpha, beta);
#elif ACTIVATION_KIND == 7
    return hard_swish(x, alpha, beta);
#elif ACTIVATION_KIND == 8
    return hyperbolic_tangent(x, alpha, beta);
#elif ACTIVATION_KIND == 9
    return swish(x, 1, 0);
#else
    return x;
#endif
}

static inline WIDE finished(WIDE sum, WIDE residual, WIDE slope, REAL alpha, REAL beta) {
#if RESIDUAL_KIND == 1
    return activated(sum + residual, slope, alpha, beta);
#elif RESIDUAL_KIND == 2
    return activated(sum, slope, alpha, beta) + residual;
#else
    return activated(sum, slope, alpha, beta);
#endif
}

#if ELEMENT_KIND == 7
static inline float16 activated16(float16 x, float16 slope, float alpha, float beta) {
#if ACTIVATION_KIND == 1
    return select(x, (float16)0.0f, x < 0.0f);
#elif ACTIVATION_KIND == 2
    const float16 raised = select(x, (float16)0.0f, x < 0.0f);
    return select(raised, (float16)6.0f, raised > 6.0f);
#elif ACTIVATION_KIND == 3
    return select(x, alpha * x, x < 0.0f);
#elif ACTIVATION_KIND == 4
    return select(x, slope * x, x < 0.0f);
#elif ACTIVATION_KIND == 5
    const float16 raised = select(x, (float16)alpha, x < alpha);
    return select(raised, (float16)beta, raised > beta);
#elif ACTIVATION_KIND == 6
    return 1.0f / (1.0f + exp(-x));
#elif ACTIVATION_KIND == 7
    const float16 line = x / 6.0f + 0.5f;
    const float16 raised = select(line, (float16)0.0f, line < 0.0f);
    return x * select(raised, (float16)1.0f, raised > 1.0f);
#elif ACTIVATION_KIND == 8
    return tanh(x);
#elif ACTIVATION_KIND == 9
    return x / (1.0f + exp(-x));
#else
    return x;
#endif
}

static inline float16 finished16(float16 sum, float16 residual, float16 slope, float alpha, float beta) {
#if RESIDUAL_KIND == 1
    return activated16(sum + residual, slope, alpha, beta);
#elif RESIDUAL_KIND == 2
    return activated16(sum, slope, alpha, beta) + residual;
#else
    return activated16(sum, slope, alpha, beta);
#endif
}
#endif

#endif
