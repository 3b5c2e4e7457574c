// Elements of tensors of any data type: how they are stored, and what they are computed in.
//
// Macros: ELEMENT     the data type: int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32
//                     float64 bool;
//         NARROW_SUM  1: sums of int8 and uint8 are kept in 32 bits, because the caller knows that they fit.
// Gives:  STORED      the type in memory; WIDE the type of sums; REAL the type of real coefficients: WIDE for reals, for
//                     integers double where the device has it, else float; REAL2, REAL8 its vectors; kernel parameters
//                     may have these types; IS_INTEGER, IS_REAL, IS_BYTE 1 or 0;
//         LOWEST, LARGEST  what no element is below or above, as WIDE.
// Integers are summed in 64 bits, uint64 without a sign, and saturated when stored, where low_bits did not wrap them; 16-bit floats are computed in float and rounded when stored.
#ifndef CLINFER_ELEMENT_H
#define CLINFER_ELEMENT_H

#ifndef ELEMENT
#define ELEMENT float32
#endif
#ifndef NARROW_SUM
#define NARROW_SUM 0
#endif

#define ELEMENT_KIND_int8 1
#define ELEMENT_KIND_int16 2
#define ELEMENT_KIND_int32 3
#define ELEMENT_KIND_int64 4
#define ELEMENT_KIND_float16 5
#define ELEMENT_KIND_bfloat16 6
#define ELEMENT_KIND_float32 7
#define ELEMENT_KIND_float64 8
#define ELEMENT_KIND_bool 9
#define ELEMENT_KIND_uint8 10
#define ELEMENT_KIND_uint16 11
#define ELEMENT_KIND_uint32 12
#define ELEMENT_KIND_uint64 13
#define ELEMENT_JOINED(prefix, name) prefix##name
#define ELEMENT_KIND_OF(name) ELEMENT_JOINED(ELEMENT_KIND_, name)
#define ELEMENT_KIND ELEMENT_KIND_OF(ELEMENT)

#define IS_INTEGER (ELEMENT_KIND <= 4 || ELEMENT_KIND >= 9)
#define IS_BYTE (ELEMENT_KIND == 1 || ELEMENT_KIND == 10)
#define IS_REAL (ELEMENT_KIND >= 5 && ELEMENT_KIND <= 8)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#if ELEMENT_KIND == 1
#define STORED char
#elif ELEMENT_KIND == 2
#define STORED short
#elif ELEMENT_KIND == 3
#define STORED int
#elif ELEMENT_KIND == 4
#define STORED long
#elif ELEMENT_KIND == 5
#define STORED half
#elif ELEMENT_KIND == 6 || ELEMENT_KIND == 11
#define STORED ushort
#elif ELEMENT_KIND == 7
#define STORED float
#elif ELEMENT_KIND == 8
#define STORED double
#elif ELEMENT_KIND == 12
#define STORED uint
#elif ELEMENT_KIND == 13
#define STORED ulong
#else
#define STORED uchar
#endif

#if IS_BYTE && NARROW_SUM
#define WIDE int
#define LOWEST INT_MIN
#define LARGEST INT_MAX
#elif ELEMENT_KIND == 13
#define WIDE ulong
#define LOWEST ((ulong)0)
#define LARGEST ULONG_MAX
#elif IS_INTEGER
#define WIDE long
#define LOWEST LONG_MIN
#define LARGEST LONG_MAX
#elif ELEMENT_KIND == 8
#define WIDE double
#define LOWEST ((double)-INFINITY)
#define LARGEST ((double)INFINITY)
#else
#define WIDE float
#define LOWEST (-INFINITY)
#define LARGEST INFINITY
#endif

#if IS_REAL
#define REAL WIDE
#elif defined(cl_khr_fp64)
#define REAL double
#else
#define REAL float
#endif

#define ELEMENT_VECTOR(type, lanes) ELEMENT_JOINED(type, lanes)
#define REAL2 ELEMENT_VECTOR(REAL, 2)
#define REAL8 ELEMENT_VECTOR(REAL, 8)

static inline WIDE load_element(__global const STORED *values, int index) {
#if ELEMENT_KIND == 5
    return vload_half(index, values);
#elif ELEMENT_KIND == 6
    return as_float((uint)values[index] << 16);
#elif ELEMENT_KIND == 9
    return values[index] != 0;
#else
    return values[index];
#endif
}

static inline void store_element(WIDE value, __global STORED *values, int index) {
#if ELEMENT_KIND == 1
    values[index] = convert_char_sat(value);
#elif ELEMENT_KIND == 2
    values[index] = convert_short_sat(value);
#elif ELEMENT_KIND == 3
    values[index] = convert_int_sat(value);
#elif ELEMENT_KIND == 10
    values[index] = convert_uchar_sat(value);
#elif ELEMENT_KIND == 11
    values[index] = convert_ushort_sat(value);
#elif ELEMENT_KIND == 12
    values[index] = convert_uint_sat(value);
#elif ELEMENT_KIND == 5
    vstore_half_rte(value, index, values);
#elif ELEMENT_KIND == 6
    const uint bits = as_uint(value);
    values[index] = isnan(value) ? (ushort)(bits >> 16 | 64) : (ushort)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
#elif ELEMENT_KIND == 9
    values[index] = value != 0;
#else
    values[index] = value;
#endif
}

// An integer as its type keeps it where it wraps; other values as they are.
static inline WIDE low_bits(WIDE value) {
#if ELEMENT_KIND == 1
    return as_char((uchar)value);
#elif ELEMENT_KIND == 2
    return as_short((ushort)value);
#elif ELEMENT_KIND == 3
    return as_int((uint)value);
#elif ELEMENT_KIND >= 10 && ELEMENT_KIND <= 12
    return (STORED)value;
#else
    return value;
#endif
}

// A real result as an element: integers round half to even and saturate, a NaN becomes 0.
static inline WIDE rounded(REAL value) {
#if IS_REAL
    return value;
#elif IS_BYTE && NARROW_SUM
    return isnan(value) ? 0 : convert_int_sat_rte(value);
#elif ELEMENT_KIND == 13
    return isnan(value) ? 0 : convert_ulong_sat_rte(value);
#else
    return isnan(value) ? 0 : convert_long_sat_rte(value);
#endif
}

// sum / count; integers round half to even.
static inline WIDE mean_of(WIDE sum, long count) {
#if IS_REAL
    return sum / (WIDE)count;
#elif ELEMENT_KIND == 13
    const ulong quotient = sum / (ulong)count;
    const ulong rest = sum - quotient * (ulong)count;
    const ulong twice = 2 * rest;
    return quotient + (twice > (ulong)count || (twice == (ulong)count && (quotient & 1) != 0) ? 1 : 0);
#else
    const long quotient = sum / count;
    const long rest = sum - quotient * count;
    const long twice = 2 * (rest < 0 ? -rest : rest);
    const bool away = twice > count || (twice == count && (quotient & 1) != 0);
    return (WIDE)(away ? quotient + (sum < 0 ? -1 : 1) : quotient);
#endif
}

#endif
