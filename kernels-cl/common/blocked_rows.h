// What follows convolutions in blocked channels whose sums are in y already: residual and activation of a row of
// pixels. Where a bound is all that follows, it is applied before the sums are stored, and the row is left alone.
//
// Gives: BLOCKED_ADD_...        where the residual is added, as descriptions number it;
//        blocked_is_bounded   whether a bound, or nothing, is all that follows;
//        blocked_finish_row   everything else.
#ifndef CLINFER_BLOCKED_ROWS_H
#define CLINFER_BLOCKED_ROWS_H

#include "common/epilogue_blocked.h"

#define BLOCKED_ADD_NONE 0
#define BLOCKED_ADD_BEFORE 1
#define BLOCKED_ADD_AFTER 2

static inline bool blocked_is_bounded(int activation, int residual_add) {
    return residual_add == BLOCKED_ADD_NONE && (activation == FUNCTION_NONE || blocked_only_clips(activation));
}

// Finishes `count` pixels from y[0] on; residual is what is added to them, unless residual_add is NONE.
__attribute__((noinline)) static void blocked_finish_row(
        __global float *y,
        __global const float *residual,
        int count,
        float16 slopes,
        int activation,
        int residual_add,
        float alpha,
        float beta) {
    for (int i = 0; i < count; ++i) {
        float16 v = blocked_load(y + i * 16);
        const float16 added = residual_add == BLOCKED_ADD_NONE ? (float16)0.0f : blocked_load(residual + i * 16);
        v = residual_add == BLOCKED_ADD_BEFORE ? v + added : v;
        v = blocked_activated(v, slopes, activation, alpha, beta);
        v = residual_add == BLOCKED_ADD_AFTER ? v + added : v;
        blocked_store(v, y + i * 16);
    }
}

#endif
