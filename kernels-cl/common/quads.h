// Four neighbouring elements in one load. After common/element.h.
//
// Assumes: the first of them lies a multiple of four elements from the begin of its tensor.
// Gives:   TERM, TERM4  what is multiplied and summed: float, or int for int8; load_quad  four elements as such.
#ifndef CLINFER_QUADS_H
#define CLINFER_QUADS_H

#if ELEMENT_KIND == 1
#define TERM int
#define TERM4 int4
#else
#define TERM float
#define TERM4 float4
#endif

static inline TERM4 load_quad(__global const STORED *values, int index) {
#if ELEMENT_KIND == 1
    return convert_int4(*(__global const char4 *)(values + index));
#elif ELEMENT_KIND == 5
    return vloada_half4(0, values + index);
#elif ELEMENT_KIND == 6
    return as_float4(convert_uint4(*(__global const ushort4 *)(values + index)) << 16);
#else
    return *(__global const float4 *)(values + index);
#endif
}

#endif
