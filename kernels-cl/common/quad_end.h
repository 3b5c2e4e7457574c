// Four neighbouring results of a convolution at a time. After common/epilogue.h.
//
// Assumes: the first of them is at a multiple of 4.
// Gives:   store_quad   the four results; load_added  four elements of the residual, 0 where RESIDUAL is NONE.
#ifndef CLINFER_QUAD_END_H
#define CLINFER_QUAD_END_H

static inline void store_quad(const WIDE *values, __global RESULT *y, int at) {
#if ELEMENT_KIND == 7
    *(__global float4 *)(y + at) = (float4)(values[0], values[1], values[2], values[3]);
#elif ELEMENT_KIND == 5
    vstorea_half4_rte((float4)(values[0], values[1], values[2], values[3]), at / 4, y);
#else
    _Pragma("unroll")
    for (int i = 0; i < 4; ++i) {
        store_result(values[i], y, at + i);
    }
#endif
}

static inline void load_added(WIDE *values, __global const RESULT *residual, int at) {
#if RESIDUAL_KIND && ELEMENT_KIND == 7
    vstore4(*(__global const float4 *)(residual + at), 0, values);
#elif RESIDUAL_KIND && ELEMENT_KIND == 5
    vstore4(vloada_half4(at / 4, residual), 0, values);
#else
    _Pragma("unroll")
    for (int i = 0; i < 4; ++i) {
        values[i] = RESIDUAL_KIND ? load_result(residual, at + i) : 0;
    }
#endif
}

#endif
