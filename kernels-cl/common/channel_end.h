// The end of a sum of one output channel: bias, residual, activation. After common/epilogue.h.
//
// Macros: those of common/epilogue.h.
// Gives:  bias_of, slope_of  those of a channel: bias may be NULL, slope is that of PRELU, slope_step from one channel to
//                     the next;
//         end_of_sum  the output;
//         store_end   stores it at `to`, where the residual is, too.
#ifndef CLINFER_CHANNEL_END_H
#define CLINFER_CHANNEL_END_H

static inline WIDE bias_of(int channel, __global const RESULT *bias) {
    return bias ? load_result(bias, channel) : 0;
}

static inline WIDE slope_of(int channel, __global const RESULT *slope, int slope_step) {
    return ACTIVATION_KIND == FUNCTION_PRELU ? load_result(slope, channel * slope_step) : 0;
}

static inline WIDE end_of_sum(
        WIDE sum, WIDE added, int channel, __global const RESULT *bias, __global const RESULT *slope, int slope_step,
        REAL alpha, REAL beta) {
    return finished(sum + bias_of(channel, bias), added, slope_of(channel, slope, slope_step), alpha, beta);
}

static inline void store_end(
        WIDE sum, int channel, __global const RESULT *bias, __global const RESULT *residual,
        __global const RESULT *slope, __global RESULT *y, int slope_step, REAL alpha, REAL beta, int to) {
    const WIDE added = RESIDUAL_KIND ? load_result(residual, to) : 0;
    store_result(end_of_sum(sum, added, channel, bias, slope, slope_step, alpha, beta), y, to);
}

#endif
