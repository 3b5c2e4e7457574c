// Functions of 16 floats at once, called f(x, alpha) and named with a 16 at the end; those without a parameter ignore
// alpha. A NaN stays a NaN in all of them. Errors in units in the last place: exponential16 2, logarithm16 2,
// hyperbolic_tangent16 3, error_function16 4; sine16 and cosine16, for numbers up to 8192, 2, near their zeros 2^-24.
#ifndef CLINFER_VECTOR_FUNCTIONS_H
#define CLINFER_VECTOR_FUNCTIONS_H

// The size of one number with the sign of another.
static inline float16 with_sign16(float16 size, float16 sign) {
    return as_float16((as_int16(size) & 0x7fffffff) | (as_int16(sign) & (int)0x80000000));
}

// min(max(x, low), high)
static inline float16 clip16(float16 x, float low, float high) {
    const float16 raised = x < low ? (float16)low : x;
    return raised > high ? (float16)high : raised;
}

// e^r for |r| up to log(2) / 2: a polynomial, wrong by 2^-28 at most before it is rounded.
static inline float16 power_of_e16(float16 r) {
    const float16 high = 4.16683942e-02f + r * (8.36878041e-03f + r * 1.38144671e-03f);
    return 1.0f + r * (1.0f + r * (4.99999934e-01f + r * (1.66665201e-01f + r * high)));
}

// 2^n * e^r for |x| up to 88, where n is the nearest integer to x / log(2), found by adding a number so large that it has
// no fraction.
static inline float16 bounded_exponential16(float16 x) {
    const float16 shifted = x * 1.44269504f + 12582912.0f;
    const float16 n = shifted - 12582912.0f;
    const float16 power = power_of_e16((x - n * 0.693145752f) - n * 1.42860677e-06f);
    return power * as_float16((as_int16(shifted) + 127) << 23);
}

// 2^n is multiplied in two steps, because 2^128 and 2^-127 are no normal floats.
static inline float16 exponential16(float16 x, float alpha) {
    const float16 raised = x < -104.0f ? -104.0f : x;
    const float16 given = raised > 89.0f ? 89.0f : raised;
    const float16 shifted = given * 1.44269504f + 12582912.0f;
    const float16 n = shifted - 12582912.0f;
    const float16 power = power_of_e16((given - n * 0.693145752f) - n * 1.42860677e-06f);
    const int16 exponent = as_int16(shifted) - 0x4b400000;
    const int16 part = exponent >> 1;
    return power * as_float16((part + 127) << 23) * as_float16((exponent - part + 127) << 23);
}

// The same for numbers that are not positive; below e^-87.7 it is 0.
static inline float16 decay16(float16 x, float alpha) {
    return bounded_exponential16(x < -88.0f ? -88.0f : x);
}

// exp(x) - 1 for x <= 0: a Taylor series where the difference would cancel.
static inline float16 exp_minus_1_16(float16 x) {
    const float16 high = 1.0f + x * 0.2f * (1.0f + x * 0.166666667f * (1.0f + x * 0.142857143f));
    const float16 series = 1.0f + x * 0.5f * (1.0f + x * 0.333333333f * (1.0f + x * 0.25f * high));
    return x > -0.35f ? x * series : exponential16(x, 0.0f) - 1.0f;
}

// log(2^n * (1 + f)) with 1 + f from sqrt(1/2) to sqrt(2).
static inline float16 logarithm16(float16 x, float alpha) {
    const int16 small = x < 1.17549435e-38f;
    const int16 bits = as_int16(small ? x * 8388608.0f : x);
    const float16 upper = as_float16((bits & 0x007fffff) | 0x3f800000);
    const int16 halved = upper > 1.41421356f;
    const float16 n = convert_float16((bits >> 23) - 127 - halved - (small & 23));
    const float16 f = (halved ? upper * 0.5f : upper) - 1.0f;
    const float16 high = -1.66680577e-1f + f * (1.42493228e-1f + f * (-1.24201408e-1f + f * (1.16769987e-1f
            + f * (-1.15146103e-1f + f * 7.03768363e-2f))));
    const float16 series = 3.33333312e-1f + f * (-2.49999940e-1f + f * (2.00007148e-1f + f * high));
    const float16 rest = f * f * (f * series) - 2.12194440e-4f * n - 0.5f * f * f;
    const float16 sum = f + rest + 0.693359375f * n;
    const float16 finite = x > 0.0f ? sum : x == 0.0f ? (float16)-INFINITY : (float16)NAN;
    return x == INFINITY ? x : finite;
}

// A polynomial near 0, else 1 - 2 / (1 + e^(2 |x|)).
static inline float16 hyperbolic_tangent16(float16 x, float alpha) {
    const float16 size = as_float16(as_int16(x) & 0x7fffffff);
    const float16 s = x * x;
    const float16 high = 1.33314422e-1f + s * (-5.37397156e-2f + s * (2.06390888e-2f + s * -5.70498873e-3f));
    const float16 near = size + size * s * (-3.33332819e-1f + s * high);
    const float16 given = size > 40.0f ? 40.0f : size;
    const float16 far = 1.0f - 2.0f / (1.0f + bounded_exponential16(2.0f * given));
    return with_sign16(size < 0.625f ? near : far, x);
}

static inline float16 sigmoid16(float16 x, float alpha) {
    return 1.0f / (1.0f + exponential16(-x, alpha));
}

static inline float16 swish16(float16 x, float alpha) {
    return x / (1.0f + exponential16(-alpha * x, alpha));
}

// 1 + tanh(u) is 2 / (1 + exp(-2 u)).
static inline float16 gelu_tanh16(float16 x, float alpha) {
    const float16 twice = x * (1.59576912f + 0.0713548163f * x * x);
    return x / (1.0f + exponential16(-twice, alpha));
}

// The polynomials of common/functions.h: the error function from 0 to 1 by s = t * t, and what it lacks of 1 up to 4.
static inline float16 error_near16(float16 s) {
    return 1.128379166e+00f + s * (-3.761262690e-01f + s * (1.128359746e-01f + s * (-2.685432880e-02f
            + s * (5.189311943e-03f + s * (-8.018854993e-04f + s * 7.882497111e-05f)))));
}

static inline float16 error_rest16(float16 t) {
    const float16 far = -3.120757564e-04f + t * (1.130199653e+00f + t * (6.318859939e-01f + t * (1.100212816e-01f
            + t * (-2.638625031e-02f + t * (4.746768455e-03f + t * (-5.939470523e-04f
            + t * (4.570453692e-05f + t * -1.618544885e-06f)))))));
    return bounded_exponential16(-far);
}

static inline float16 error_function16(float16 x, float alpha) {
    const float16 size = as_float16(as_int16(x) & 0x7fffffff);
    const float16 t = size > 4.0f ? 4.0f : size;
    return with_sign16(size < 1.0f ? t * error_near16(t * t) : 1.0f - error_rest16(t), x);
}

// Where the error function is near -1, what is left is computed by itself.
static inline float16 gelu16(float16 x, float alpha) {
    const float16 scaled = x * 0.70710678f;
    const float16 size = as_float16(as_int16(scaled) & 0x7fffffff);
    const float16 t = size > 4.0f ? 4.0f : size;
    const float16 rest = size > 4.0f ? 0.0f : error_rest16(t);
    const float16 beyond = x < 0.0f ? rest : 2.0f - rest;
    return 0.5f * x * (size < 1.0f ? 1.0f + scaled * error_near16(t * t) : beyond);
}

// sin(x + quarters * pi / 2): the nearest multiple of pi / 2 is taken off in three parts, the first two exactly.
static inline float16 wave16(float16 x, int quarters) {
    const float16 shifted = x * 0.636619772f + 12582912.0f;
    const float16 n = shifted - 12582912.0f;
    const float16 r = ((x - n * 1.5703125f) - n * 4.83751297e-4f) - n * 7.54978999e-8f;
    const float16 s = r * r;
    const float16 sine = r + r * s * (-1.66666546e-1f + s * (8.33216087e-3f + s * -1.95152959e-4f));
    const float16 rest = 4.16666457e-2f + s * (-1.38873163e-3f + s * 2.44331571e-5f);
    const float16 cosine = 1.0f - 0.5f * s + s * s * rest;
    const int16 quarter = as_int16(shifted) + quarters;
    const float16 value = (quarter & 1) != 0 ? cosine : sine;
    return as_float16(as_int16(value) ^ (quarter & 2) << 30);
}

static inline float16 sine16(float16 x, float alpha) {
    return wave16(x, 0);
}

static inline float16 cosine16(float16 x, float alpha) {
    return wave16(x, 1);
}

#endif
