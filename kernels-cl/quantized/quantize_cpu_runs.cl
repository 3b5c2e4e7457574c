// Real numbers as codes of bytes and back, for processors: y[i] = saturate(round(x[i] / scale) + zero_point), and
// y[i] = (x[i] - zero_point) * scale, with one scale for all.
//
// Layout: any, x and y alike and dense; float32 and bytes with (kind 2) or without a sign (kind 3).
// Assumes: len < 2^31; one item for each 1024 elements; zero_point may be NULL.
// Macros: none.
#include "common/requantize_runs.h"

#define RUN 16
#define ITEM 1024

typedef float REAL_RUN __attribute__((ext_vector_type(16), aligned(4)));

__kernel void quantize_runs(
        __global const float *x,
        __global const float *scale,
        __global const uchar *zero_point,
        __global uchar *y,
        const int len,
        const int kind) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int zero = code_zero(zero_point, kind);
    const float step = scale[0];
    const int last = min(len - at.x * ITEM, ITEM);
    int i = at.x * ITEM;
    const int end = i + last;
    for (; i <= end - RUN; i += RUN) {
        const int16 codes = rounded_codes(divided_run(*(__global const REAL_RUN *)(x + i), step), zero, kind) & 255;
        *(__global CODE_RUN *)(y + i) = __builtin_convertvector(codes, CODE_RUN);
    }
    for (; i < end; ++i) {
        const int code = code_of(divided(x[i], step), zero);
        y[i] = kind == 2 ? clamp(code, -128, 127) : clamp(code, 0, 255);
    }
}

__kernel void dequantize_runs(
        __global const uchar *x,
        __global const float *scale,
        __global const uchar *zero_point,
        __global float *y,
        const int len,
        const int kind) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    // a byte with a sign and one without differ by 128 where their first bits differ
    const int flip = kind == 2 ? 128 : 0;
    const int zero = code_zero(zero_point, kind) + flip;
    const float step = scale[0];
    const int last = min(len - at.x * ITEM, ITEM);
    int i = at.x * ITEM;
    const int end = i + last;
    for (; i <= end - RUN; i += RUN) {
        const int16 codes = __builtin_convertvector(*(__global const CODE_RUN *)(x + i), int16) ^ flip;
        *(__global REAL_RUN *)(y + i) = convert_float16(codes - zero) * step;
    }
    for (; i < end; ++i) {
        y[i] = (float)((x[i] ^ flip) - zero) * step;
    }
}
