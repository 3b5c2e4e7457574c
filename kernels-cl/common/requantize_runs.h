// Sixteen sums of products of codes at a time, as what they are stored as.
//
// Macros: none.
// Gives: CODE_RUN, CODE_WORD  16 bytes, and 4 bytes as one word, anywhere in memory;
//        rounded_codes  round(value) + zero, half to even, each an int: y_kind 2 with a sign, 3 without; a NaN is zero;
//        rounded_numbers  the same of what is no NaN;
//        codes_of  sums times their scales (code_scales) as codes; divided_run  quotients, correctly rounded;
//        sum_scale, code_scales  what a sum is multiplied by: y_kind 0 nothing, 1 both scales, else by that of y;
//        code_zero  the zero point of y;
//        store_sums  up to 16 sums of any kind, `step` elements apart.
#ifndef CLINFER_REQUANTIZE_RUNS_H
#define CLINFER_REQUANTIZE_RUNS_H

#include "common/requantize.h"

typedef uchar CODE_RUN __attribute__((ext_vector_type(16), aligned(1)));
typedef uchar HALF_CODE_RUN __attribute__((ext_vector_type(8), aligned(1)));
typedef uint CODE_WORD __attribute__((aligned(1)));

static inline int16 rounded_numbers(float16 value, int zero, int y_kind) {
    const float16 lowest = (float16)(float)((y_kind == 2 ? -128 : 0) - zero);
    const float16 highest = (float16)(float)((y_kind == 2 ? 127 : 255) - zero);
    value = value > lowest ? value : lowest;
    value = value < highest ? value : highest;
    // to the nearest integer, half to even, by a number so large that it has no fraction
    return as_int16(value + 12582912.0f) + (zero - 0x4b400000);
}

static inline int16 rounded_codes(float16 value, int zero, int y_kind) {
    return rounded_numbers(value == value ? value : (float16)0.0f, zero, y_kind);
}

static inline int16 codes_of(int16 sums, float16 scales, int zero, int y_kind) {
    return rounded_numbers(convert_float16(sums) * scales, zero, y_kind);
}

static inline float16 divided_run(float16 a, float b) {
    const float16 quotient = a / b;
    const float16 better = quotient + fma(-quotient, (float16)b, a) / b;
    return fabs(better) <= (float16)MAXFLOAT ? better : quotient;
}

static inline float sum_scale(
        __global const float *x_scale, __global const float *w_scale, __global const float *y_scale, int index,
        int y_kind) {
    if (y_kind == 0) {
        return 1;
    }
    const float product = x_scale[0] * w_scale[index];
    return y_kind == 1 ? product : divided(product, y_scale[0]);
}

// The same of 16 channels with these scales, y_kind 1 and above; for codes finite, so that no product with it is a NaN:
// sums, which are whole numbers, have the same codes.
static inline float16 code_scales(
        __global const float *x_scale, float16 w_scales, __global const float *y_scale, int y_kind) {
    const float16 products = x_scale[0] * w_scales;
    if (y_kind == 1) {
        return products;
    }
    const float16 scales = divided_run(products, y_scale[0]);
    const float16 numbers = scales == scales ? scales : (float16)0.0f;
    return clamp(numbers, (float16)-MAXFLOAT, (float16)MAXFLOAT);
}

static inline int code_zero(__global const uchar *y_zero_point, int y_kind) {
    return !y_zero_point ? 0 : y_kind == 2 ? (int)as_char(y_zero_point[0]) : (int)y_zero_point[0];
}

static inline void store_sums(
        int16 sums, float16 scales, int zero, __global uchar *y, int step, int count, int y_kind) {
    int whole[16];
    if (y_kind == 0) {
        vstore16(sums, 0, whole);
    } else if (y_kind == 1) {
        vstore16(as_int16(convert_float16(sums) * scales), 0, whole);
    } else {
        const int16 codes = codes_of(sums, scales, zero, y_kind) & 255;
        if (step == 1 && count == 16) {
            *(__global CODE_RUN *)y = __builtin_convertvector(codes, CODE_RUN);
            return;
        }
        if (step == 1 && count == 8) {
            *(__global HALF_CODE_RUN *)y = __builtin_convertvector(codes.lo, HALF_CODE_RUN);
            return;
        }
        vstore16(codes, 0, whole);
        for (int i = 0; i < count; ++i) {
            y[i * step] = whole[i];
        }
        return;
    }
    for (int i = 0; i < count; ++i) {
        ((__global int *)y)[i * step] = whole[i];
    }
}

#endif
