// What follows a sum: residual and activation, and the type it is stored in. After common/element.h.
//
// Macros: ACTIVATION    NONE, or one of those that common/function_table.h has as ACTIVATED_NAME;
//         RESIDUAL      NONE, or BEFORE or AFTER: where it is added;
//         INT32_RESULT  1: sums of int8 are stored as int32.
// Gives:  RESULT        the type of y, bias, residual and slope in memory; load_result, store_result;
//         finished      the end of a sum: slope of PRELU, alpha and beta of LEAKY_RELU and CLIP;
//         finished16    the same for 16 floats; only for float32;
//         finished_as   the same with kinds that are known when the kernel runs: FUNCTION_NAME of the activation, and 0 for
//                       no residual, 1 BEFORE, 2 AFTER.
// A NaN stays a NaN.
#ifndef CLINFER_EPILOGUE_H
#define CLINFER_EPILOGUE_H

#include "common/function_table.h"
#include "common/functions.h"
#include "common/vector_functions.h"

#ifndef ACTIVATION
#define ACTIVATION NONE
#endif
#ifndef RESIDUAL
#define RESIDUAL NONE
#endif
#ifndef INT32_RESULT
#define INT32_RESULT 0
#endif

#define ACTIVATION_JOINED(prefix, name) ELEMENT_JOINED(prefix, name)
#define ACTIVATION_KIND ACTIVATION_JOINED(FUNCTION_, ACTIVATION)

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
    return ACTIVATION_JOINED(ACTIVATED_, ACTIVATION)(x, slope, alpha, beta);
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

static inline WIDE finished_as(
        int activation, int residual_kind, WIDE sum, WIDE residual, WIDE slope, REAL alpha, REAL beta) {
    WIDE value = residual_kind == RESIDUAL_KIND_BEFORE ? sum + residual : sum;
    switch (activation) {
#define ACTIVATION_CASE(NAME)                                \
    case FUNCTION_##NAME:                                    \
        value = ACTIVATED_##NAME(value, slope, alpha, beta); \
        break;
        STRAIGHT_ACTIVATIONS(ACTIVATION_CASE)
#if !IS_INTEGER
        SMOOTH_ACTIVATIONS(ACTIVATION_CASE)
#endif
#undef ACTIVATION_CASE
    }
    return residual_kind == RESIDUAL_KIND_AFTER ? value + residual : value;
}

#if ELEMENT_KIND == 7
static inline float16 activated16(float16 x, float16 slope, float alpha, float beta) {
    return ACTIVATION_JOINED(VECTOR_, ACTIVATION)(x, slope, alpha, beta);
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
