// Sums of two tensors of codes as codes of another scale: each code less its zero point times its scale by that of y,
// the second added to the first in one step (fma), rounded half to even.
//
// Layout: add_code_runs: all three alike and dense. add_codes: y dense over up to 8 axes, a and b walked with their own
// strides (0 = broadcast). Bytes with (kind 2) or without a sign (kind 3), those of a and b alike.
// Assumes: len < 2^31; one item for each 4096 elements (runs), or at least one for each; zero points of a and b may be
//          NULL.
// Macros: none.
#include "common/index.h"
#include "common/requantize_runs.h"

#define RUN 16
#define ITEM 4096

static inline int zero_of(__global const uchar *zero_point, int kind) {
    return code_zero(zero_point, kind) + (kind == 2 ? 128 : 0);
}

static inline uchar added(int a, int b, float a_factor, float b_factor, int zero, int kind) {
    const int code = code_of(fma((float)b, b_factor, (float)a * a_factor), zero);
    return kind == 2 ? clamp(code, -128, 127) : clamp(code, 0, 255);
}

__kernel void add_code_runs(
        __global const uchar *a,
        __global const uchar *b,
        __global const uchar *a_zero_point,
        __global const uchar *b_zero_point,
        __global const float *a_scale,
        __global const float *b_scale,
        __global const float *y_scale,
        __global const uchar *y_zero_point,
        __global uchar *y,
        const int len,
        const int a_kind,
        const int y_kind) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    // a byte with a sign and one without differ by 128 where their first bits differ
    const int flip = a_kind == 2 ? 128 : 0;
    const int a_zero = zero_of(a_zero_point, a_kind);
    const int b_zero = zero_of(b_zero_point, a_kind);
    const int zero = code_zero(y_zero_point, y_kind);
    const float a_factor = divided(a_scale[0], y_scale[0]);
    const float b_factor = divided(b_scale[0], y_scale[0]);
    int i = at.x * ITEM;
    const int end = i + min(len - i, ITEM);
    for (; i <= end - RUN; i += RUN) {
        const int16 left = (__builtin_convertvector(*(__global const CODE_RUN *)(a + i), int16) ^ flip) - a_zero;
        const int16 right = (__builtin_convertvector(*(__global const CODE_RUN *)(b + i), int16) ^ flip) - b_zero;
        const float16 sum =
                fma(convert_float16(right), (float16)b_factor, convert_float16(left) * (float16)a_factor);
        *(__global CODE_RUN *)(y + i) = __builtin_convertvector(rounded_codes(sum, zero, y_kind) & 255, CODE_RUN);
    }
    for (; i < end; ++i) {
        y[i] = added((a[i] ^ flip) - a_zero, (b[i] ^ flip) - b_zero, a_factor, b_factor, zero, y_kind);
    }
}

__kernel void add_codes(
        __global const uchar *a,
        __global const uchar *b,
        __global const uchar *a_zero_point,
        __global const uchar *b_zero_point,
        __global const float *a_scale,
        __global const float *b_scale,
        __global const float *y_scale,
        __global const uchar *y_zero_point,
        __global uchar *y,
        const int len,
        const int a_kind,
        const int y_kind,
        const int8 dims,
        const int8 a_strides,
        const int8 b_strides) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const int flip = a_kind == 2 ? 128 : 0;
    const int left = (a[strided_offset(i, dims, a_strides)] ^ flip) - zero_of(a_zero_point, a_kind);
    const int right = (b[strided_offset(i, dims, b_strides)] ^ flip) - zero_of(b_zero_point, a_kind);
    y[i] = added(left, right, divided(a_scale[0], y_scale[0]), divided(b_scale[0], y_scale[0]),
            code_zero(y_zero_point, y_kind), y_kind);
}
