// Real numbers as codes of few bits, and sums of products of codes as codes.
//
// Macros: RESULT       the type that sums are stored as: int float char uchar;
//         RESULT_KIND  0: the sum as it is, 1: times its scales, 2: as a code of another scale.
// Gives: divided    a / b, correctly rounded, which a device need not do by itself;
//        code_of    round(value) + zero_point, half to even, saturated to int alone; a NaN is zero_point;
//        SATURATED_TO(type)  the conversion of an int to a narrower type that saturates;
//        scale_of   what a sum is multiplied by: the scales of both factors, for a code divided by its own;
//        channel_scale  the same of one scale of x and y and that of a channel;
//        store_sum  the end of a sum.
#ifndef CLINFER_REQUANTIZE_H
#define CLINFER_REQUANTIZE_H

#ifndef RESULT
#define RESULT int
#endif
#ifndef RESULT_KIND
#define RESULT_KIND 0
#endif

#define REQUANTIZE_JOINED(a, b, c) a##b##c
#define REQUANTIZE_SATURATED(type) REQUANTIZE_JOINED(convert_, type, _sat)
#define SATURATED_TO(type) REQUANTIZE_SATURATED(type)

static inline float divided(float a, float b) {
    const float quotient = a / b;
    const float better = quotient + fma(-quotient, b, a) / b;
    return isfinite(better) ? better : quotient;
}

static inline int code_of(float value, int zero_point) {
    const int whole = isnan(value) ? 0 : convert_int_sat_rte(value);
    return add_sat(whole, zero_point);
}

static inline float scale_of(float left, float right, float result) {
    return RESULT_KIND == 2 ? divided(left * right, result) : left * right;
}

static inline float channel_scale(
        __global const float *x_scale, __global const float *w_scale, __global const float *y_scale, int index) {
#if RESULT_KIND == 0
    return 1;
#elif RESULT_KIND == 1
    return scale_of(x_scale[0], w_scale[index], 1);
#else
    return scale_of(x_scale[0], w_scale[index], y_scale[0]);
#endif
}

static inline void store_sum(int sum, float scale, int zero_point, __global RESULT *y, int index) {
#if RESULT_KIND == 0
    y[index] = sum;
#elif RESULT_KIND == 1
    y[index] = (float)sum * scale;
#else
    y[index] = SATURATED_TO(RESULT)(code_of((float)sum * scale, zero_point));
#endif
}

#endif
