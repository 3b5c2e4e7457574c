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

// Two runs of four: oclgrind does not take vectors that are put together of others.
static inline void cast_loaded(float4 *values, __global const FROM_STORED *x, int at) {
#if FROM_KIND == 7
    __global const float4 *fours = (__global const float4 *)(x + at);
    values[0] = fours[0];
    values[1] = fours[1];
#else
    const uint4 raw = *(__global const uint4 *)(x + at);
    _Pragma("unroll")
    for (int i = 0; i < 2; ++i) {
#if FROM_KIND == 5
        values[i] = vload_half4(i, (const half *)&raw);
#else
        const uint2 words = vload2(i, (const uint *)&raw);
        values[i] = as_float4((uint4)(words.x << 16, words.x & 0xffff0000u, words.y << 16, words.y & 0xffff0000u));
#endif
    }
#endif
}

static inline void cast_stored(const float4 *values, __global STORED *y, int at) {
#if ELEMENT_KIND == 7
    __global float4 *fours = (__global float4 *)(y + at);
    fours[0] = values[0];
    fours[1] = values[1];
#else
    uint4 raw;
    _Pragma("unroll")
    for (int i = 0; i < 2; ++i) {
#if ELEMENT_KIND == 5
        vstore_half4_rte(values[i], i, (half *)&raw);
#else
        const uint4 bits = as_uint4(values[i]);
        const uint4 even = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
        const uint4 rounded = isnan(values[i]) ? bits >> 16 | 64u : even;
        vstore2((uint2)(rounded.x | rounded.y << 16, rounded.z | rounded.w << 16), i, (uint *)&raw);
#endif
    }
    *(__global uint4 *)(y + at) = raw;
#endif
}

__kernel void cast_eights(__global const FROM_STORED *x, __global STORED *y, const int len) {
    const int at = get_global_id(0) * 8;
    if (at + 8 <= len) {
        float4 values[2];
        cast_loaded(values, x, at);
        cast_stored(values, y, at);
        return;
    }
    for (int i = at; i < len; ++i) {
        store_element(cast_element(x, i), y, i);
    }
}
