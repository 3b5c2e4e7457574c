// Four neighbouring elements at once. Buffers begin at multiples of 16 bytes and more, so that those of 32 bits are one
// load or store where the first one is a multiple of four. After common/element.h.
//
// Gives: STORED4, WIDE4  vectors of STORED and WIDE;
//        load_four       the elements from `at` on; load_aligned_four  those from a multiple of four;
//        store_four      stores them at a multiple of four, saturated or rounded as store_element does.
#ifndef CLINFER_FOURS_H
#define CLINFER_FOURS_H

#define STORED4 ELEMENT_VECTOR(STORED, 4)
#define WIDE4 ELEMENT_VECTOR(WIDE, 4)
#define FOURS_SATURATED ELEMENT_VECTOR(ELEMENT_VECTOR(convert_, STORED4), _sat)

#if ELEMENT_KIND == 5
#define FOURS_RAW ushort4
#else
#define FOURS_RAW STORED4
#endif

static inline WIDE4 fours_wide(FOURS_RAW raw) {
#if ELEMENT_KIND == 5
    return vload_half4(0, (const half *)&raw);
#elif ELEMENT_KIND == 6
    return as_float4(convert_uint4(raw) << 16);
#elif ELEMENT_KIND == 9
    return (WIDE4)(raw.s0 != 0, raw.s1 != 0, raw.s2 != 0, raw.s3 != 0);
#else
    return (WIDE4)(raw.s0, raw.s1, raw.s2, raw.s3);
#endif
}

static inline WIDE4 load_aligned_four(__global const STORED *x, int at) {
    return fours_wide(*(__global const FOURS_RAW *)(x + at));
}

static inline WIDE4 load_four(__global const STORED *x, int at) {
    if (at % 4 == 0) {
        return load_aligned_four(x, at);
    }
    return (WIDE4)(load_element(x, at), load_element(x, at + 1), load_element(x, at + 2), load_element(x, at + 3));
}

static inline FOURS_RAW fours_raw(WIDE4 values) {
#if ELEMENT_KIND == 5
    ushort4 raw;
    vstore_half4_rte(values, 0, (half *)&raw);
    return raw;
#elif ELEMENT_KIND == 6
    const uint4 bits = as_uint4(values);
    const uint4 even = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    return convert_ushort4(isnan(values) ? bits >> 16 | 64u : even);
#elif ELEMENT_KIND == 9
    return (STORED4)(values.s0 != 0, values.s1 != 0, values.s2 != 0, values.s3 != 0);
#elif ELEMENT_KIND == 4 || ELEMENT_KIND == 7 || ELEMENT_KIND == 8 || ELEMENT_KIND == 13
    return values;
#else
    return FOURS_SATURATED(values);
#endif
}

static inline void store_four(WIDE4 values, __global STORED *y, int at) {
    *(__global FOURS_RAW *)(y + at) = fours_raw(values);
}

#endif
