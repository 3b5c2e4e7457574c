// y[i] = x[i] converted to another type: reals to integers truncate and saturate (NaN gives 0), integers to narrower
// ones keep their low bits, reals and integers to reals round to nearest even, anything to bool is x != 0.
//
// Layout: any, x and y alike and dense; bits (u1) are packed from the most significant one of each byte on.
// Assumes: len < 2^31; the global size is at least len.
// Macros: ELEMENT (common/element.h)  the type of y; FROM  that of x, one of the same names or u1.
#include "common/element.h"

#ifndef FROM
#define FROM int32
#endif
#define ELEMENT_KIND_u1 14
#define FROM_KIND ELEMENT_KIND_OF(FROM)
#define FROM_REAL (FROM_KIND >= 5 && FROM_KIND <= 8)

#if FROM_KIND == 1
#define FROM_STORED char
#elif FROM_KIND == 2
#define FROM_STORED short
#elif FROM_KIND == 3
#define FROM_STORED int
#elif FROM_KIND == 4
#define FROM_STORED long
#elif FROM_KIND == 5
#define FROM_STORED half
#elif FROM_KIND == 6 || FROM_KIND == 11
#define FROM_STORED ushort
#elif FROM_KIND == 7
#define FROM_STORED float
#elif FROM_KIND == 8
#define FROM_STORED double
#elif FROM_KIND == 12
#define FROM_STORED uint
#elif FROM_KIND == 13
#define FROM_STORED ulong
#else
#define FROM_STORED uchar
#endif

#if FROM_KIND == 8
#define FROM_WIDE double
#elif FROM_REAL
#define FROM_WIDE float
#elif FROM_KIND == 13
#define FROM_WIDE ulong
#else
#define FROM_WIDE long
#endif

static inline FROM_WIDE load_from(__global const FROM_STORED *x, int index) {
#if FROM_KIND == 5
    return vload_half(index, x);
#elif FROM_KIND == 6
    return as_float((uint)x[index] << 16);
#elif FROM_KIND == 9
    return x[index] != 0;
#elif FROM_KIND == 14
    return x[index / 8] >> (7 - index % 8) & 1;
#else
    return x[index];
#endif
}

#if ELEMENT_KIND == 5 || ELEMENT_KIND == 6

// The value as a float that rounds to 16 bits as the value itself does: what does not fit is kept in the last bit.
static inline float narrowed(FROM_WIDE value) {
#if FROM_KIND == 8
    const float nearest = (float)value;
    const uint bits = as_uint(nearest);
    if (isnan(nearest) || isinf(nearest) || nearest == value) {
        return nearest;
    }
    return as_float((fabs((double)nearest) > fabs(value) ? bits - 1 : bits) | 1);
#elif FROM_REAL
    return value;
#else
    const ulong size = abs(value);
    const int dropped = max(40 - (int)clz(size), 0);
    const ulong kept = size >> dropped;
    const float magnitude = ldexp((float)(kept | (kept << dropped != size)), dropped);
    return value < 0 ? -magnitude : magnitude;
#endif
}

#endif

static inline void store_converted(FROM_WIDE value, __global STORED *y, int index) {
#if ELEMENT_KIND == 9
    y[index] = value != 0;
#elif ELEMENT_KIND == 5 || ELEMENT_KIND == 6
    store_element(narrowed(value), y, index);
#elif !IS_INTEGER || !FROM_REAL
    y[index] = (STORED)value;
#elif ELEMENT_KIND == 1
    y[index] = isnan(value) ? (char)0 : convert_char_sat_rtz(value);
#elif ELEMENT_KIND == 2
    y[index] = isnan(value) ? (short)0 : convert_short_sat_rtz(value);
#elif ELEMENT_KIND == 3
    y[index] = isnan(value) ? 0 : convert_int_sat_rtz(value);
#elif ELEMENT_KIND == 10
    y[index] = isnan(value) ? (uchar)0 : convert_uchar_sat_rtz(value);
#elif ELEMENT_KIND == 11
    y[index] = isnan(value) ? (ushort)0 : convert_ushort_sat_rtz(value);
#elif ELEMENT_KIND == 12
    y[index] = isnan(value) ? 0 : convert_uint_sat_rtz(value);
#elif ELEMENT_KIND == 13
    y[index] = isnan(value) ? 0 : convert_ulong_sat_rtz(value);
#else
    y[index] = isnan(value) ? 0 : convert_long_sat_rtz(value);
#endif
}

__kernel void cast(__global const FROM_STORED *x, __global STORED *y, const int len) {
    const int i = get_global_id(0);
    if (i < len) {
        store_converted(load_from(x, i), y, i);
    }
}
