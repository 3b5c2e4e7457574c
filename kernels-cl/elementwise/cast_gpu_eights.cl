// y[i] = x[i] between float32, float16 and bfloat16, rounded to nearest even: an item converts eight neighbouring elements,
// which it loads and stores 16 bytes at a time.
//
// Layout: any, x and y alike and dense.
// Assumes: len < 2^31 - 1024; the global size is at least ceil(len / 8) and rounded up to 64.
// Macros: ELEMENT (common/element.h)  the type of y; FROM  that of x: float32, float16 or bfloat16.
#include "common/element.h"

#ifndef FROM
#define FROM float16
#endif
#define FROM_KIND ELEMENT_KIND_OF(FROM)

#if FROM_KIND == 7
#define FROM_STORED float
#else
#define FROM_STORED ushort
#endif

static inline float cast_element(__global const FROM_STORED *x, int at) {
#if FROM_KIND == 5
    return vload_half(at, (__global const half *)x);
#elif FROM_KIND == 6
    return as_float((uint)x[at] << 16);
#else
    return x[at];
#endif
}

static inline float8 cast_loaded(__global const FROM_STORED *x, int at) {
#if FROM_KIND == 7
    __global const float4 *fours = (__global const float4 *)(x + at);
    return (float8)(fours[0], fours[1]);
#else
    const uint4 raw = *(__global const uint4 *)(x + at);
#if FROM_KIND == 5
    return vload_half8(0, (const half *)&raw);
#else
    return as_float8(convert_uint8(as_ushort8(raw)) << 16);
#endif
#endif
}

static inline void cast_stored(float8 values, __global STORED *y, int at) {
#if ELEMENT_KIND == 7
    __global float4 *fours = (__global float4 *)(y + at);
    fours[0] = values.lo;
    fours[1] = values.hi;
#else
#if ELEMENT_KIND == 5
    uint4 raw;
    vstore_half8_rte(values, 0, (half *)&raw);
#else
    const uint8 bits = as_uint8(values);
    const uint8 even = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    const uint4 raw = as_uint4(convert_ushort8(isnan(values) ? bits >> 16 | 64u : even));
#endif
    *(__global uint4 *)(y + at) = raw;
#endif
}

__kernel void cast_eights(__global const FROM_STORED *x, __global STORED *y, const int len) {
    const int at = get_global_id(0) * 8;
    if (at + 8 <= len) {
        cast_stored(cast_loaded(x, at), y, at);
        return;
    }
    for (int i = at; i < len; ++i) {
        store_element(cast_element(x, i), y, i);
    }
}
