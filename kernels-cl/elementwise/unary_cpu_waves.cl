// y = sin(x + quarters * pi / 2) for every element of float32, quarters 0 or 1 (cosine): an item does a run of vectors.
//
// Layout: any, x and y alike and dense; x may be y.
// Assumes: len < 2^31. The vectors of 16 elements are divided into `items` runs. Global size [items].
// Macros: none.
#include "common/runs_end.h"
#include "common/vector_functions.h"

// Numbers so large that few of their bits are left when multiples of pi are taken off, infinities and NaN.
__attribute__((noinline)) static float16 waves_far(float16 v, int quarters) {
    float lanes[16];
    vstore16(v, 0, lanes);
    for (int lane = 0; lane < 16; ++lane) {
        lanes[lane] = quarters ? cos(lanes[lane]) : sin(lanes[lane]);
    }
    return vload16(0, lanes);
}

static inline float16 waves_of(float16 v, int quarters) {
    return any(!(fabs(v) <= 8192.0f)) ? waves_far(v, quarters) : wave16(v, quarters);
}

__kernel void unary_cpu_waves(
        __global const float *x,
        __global float *y,
        const int quarters,
        const int len,
        const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int vectors = len / 16 + (len % 16 != 0);
    const int first = (int)((long)vectors * at.x / items) * 16;
    const int last = at.x + 1 == items ? len : (int)((long)vectors * (at.x + 1) / items) * 16;
    for (int i = first; i < last; i += 16) {
        if (last - i >= 16) {
            blocked_store(waves_of(blocked_load(x + i), quarters), y + i);
        } else {
            runs_write(waves_of(runs_read(x + i, last - i), quarters), y + i, last - i);
        }
    }
}
