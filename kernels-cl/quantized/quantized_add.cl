// Sums of two tensors of codes as codes of another scale: what the three zero points make together, plus each code times its
// scale by that of y, that of the second one first, each in one step (fma); rounded half to even.
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

// The sum of codes 0.
static inline float zero_sum(int a_zero, int b_zero, float a_factor, float b_factor, int y_zero) {
    return (float)y_zero - fma(a_factor, (float)a_zero, b_factor * (float)b_zero);
}

static inline uchar added(int a, int b, float a_factor, float b_factor, float zeros, int kind) {
    const int code = code_of(fma((float)a, a_factor, fma((float)b, b_factor, zeros)), 0);
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
    const float a_factor = divided(a_scale[0], y_scale[0]);
    const float b_factor = divided(b_scale[0], y_scale[0]);
    const float zeros = zero_sum(code_zero(a_zero_point, a_kind), code_zero(b_zero_point, a_kind), a_factor, b_factor,
            code_zero(y_zero_point, y_kind));
    int i = at.x * ITEM;
    const int end = i + min(len - i, ITEM);
    for (; i <= end - RUN; i += RUN) {
        const int16 left = (__builtin_convertvector(*(__global const CODE_RUN *)(a + i), int16) ^ flip) - flip;
        const int16 right = (__builtin_convertvector(*(__global const CODE_RUN *)(b + i), int16) ^ flip) - flip;
        const float16 sum = fma(
                convert_float16(left), (float16)a_factor, fma(convert_float16(right), (float16)b_factor, (float16)zeros));
        *(__global CODE_RUN *)(y + i) = __builtin_convertvector(rounded_codes(sum, 0, y_kind) & 255, CODE_RUN);
    }
    for (; i < end; ++i) {
        y[i] = added((a[i] ^ flip) - flip, (b[i] ^ flip) - flip, a_factor, b_factor, zeros, y_kind);
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
    const int left = (a[strided_offset(i, dims, a_strides)] ^ flip) - flip;
    const int right = (b[strided_offset(i, dims, b_strides)] ^ flip) - flip;
    const float a_factor = divided(a_scale[0], y_scale[0]);
    const float b_factor = divided(b_scale[0], y_scale[0]);
    const float zeros = zero_sum(code_zero(a_zero_point, a_kind), code_zero(b_zero_point, a_kind), a_factor, b_factor,
            code_zero(y_zero_point, y_kind));
    y[i] = added(left, right, a_factor, b_factor, zeros, y_kind);
}
