// 16 floats of any alignment in memory: a pixel of a block of channels. vload16 and vstore16 are calls, which take the
// compiler of some devices much longer.
//
// Gives: Blocked16                    16 floats in memory of any kind, behind a pointer;
//        blocked_load, blocked_store  from and to global memory;
//        BlockedPart, StoredPart     those of them that a register of the device holds, StoredPart in memory;
//        REGISTER_LANES              how many these are, 16 or 8; every program is told.
#ifndef CLINFER_BLOCKED_VECTOR_H
#define CLINFER_BLOCKED_VECTOR_H

#ifndef REGISTER_LANES
#define REGISTER_LANES 16
#endif

typedef float16 __attribute__((aligned(4))) Blocked16;

#if REGISTER_LANES == 16
typedef float16 BlockedPart;
typedef Blocked16 StoredPart;
#else
typedef float8 BlockedPart;
typedef float8 __attribute__((aligned(4))) StoredPart;
#endif

static inline float16 blocked_load(__global const float *from) {
    return *(__global const Blocked16 *)from;
}

static inline void blocked_store(float16 value, __global float *to) {
    *(__global Blocked16 *)to = value;
}

#endif
