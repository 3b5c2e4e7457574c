// Four neighbouring results at a time. After common/quads.h.
//
// Macros: STORED_TOGETHER  4: 4 divides the columns of the result; 1: it need not.
// Gives:  store_four, store_sums  results, or sums as they are, of 4 columns, of which `count` exist.
#ifndef CLINFER_STORED_QUADS_H
#define CLINFER_STORED_QUADS_H

#ifndef STORED_TOGETHER
#define STORED_TOGETHER 1
#endif

static inline void store_four(const WIDE values[4], __global STORED *y, int index, int count) {
#if STORED_TOGETHER == 4 && ELEMENT_KIND == 7
    *(__global float4 *)(y + index) = (float4)(values[0], values[1], values[2], values[3]);
#elif STORED_TOGETHER == 4 && ELEMENT_KIND == 5
    vstorea_half4_rte((float4)(values[0], values[1], values[2], values[3]), 0, y + index);
#else
    _Pragma("unroll")
    for (int lane = 0; lane < 4; ++lane) {
        if (STORED_TOGETHER == 4 || lane < count) {
            store_element(values[lane], y, index + lane);
        }
    }
#endif
}

static inline void store_sums(TERM4 sums, __global TERM *parts, int index, int count) {
#if STORED_TOGETHER == 4
    *(__global TERM4 *)(parts + index) = sums;
#else
    TERM values[4];
    vstore4(sums, 0, values);
    _Pragma("unroll")
    for (int lane = 0; lane < 4; ++lane) {
        if (lane < count) {
            parts[index + lane] = values[lane];
        }
    }
#endif
}

#endif
