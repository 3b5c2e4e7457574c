// Functions of 16 floats at once, called f(x, alpha) and named with a 16 at the end; those without a parameter ignore
// alpha. A NaN stays a NaN in all of them. exponential16 is exact to 2 units in the last place; below 2^-126 it is 0.
#ifndef CLINFER_VECTOR_FUNCTIONS_H
#define CLINFER_VECTOR_FUNCTIONS_H

// 2^n * e^r, where n is the nearest integer to x / log(2), found by adding a number so large that it has no fraction.
static inline float16 exponential16(float16 x, float alpha) {
    const float16 raised = select(x, (float16)-88.0f, x < -88.0f);
    const float16 given = select(raised, (float16)89.0f, raised > 89.0f);
    const float16 shifted = given * 1.44269504f + 12582912.0f;
    const float16 n = shifted - 12582912.0f;
    const float16 r = (given - n * 0.693145752f) - n * 1.42860677e-06f;
    const float16 high = 4.16666667e-02f + r * (8.33333333e-03f + r * (1.38888889e-03f + r * 1.98412698e-04f));
    const float16 power = 1.0f + r * (1.0f + r * (0.5f + r * (1.66666667e-01f + r * high)));
    // half of 2^n, because 2^128 is no float
    const int16 exponent = as_int16(shifted) - 0x4b400000 + 126;
    return power * as_float16(select(exponent, (int16)0, exponent < 0) << 23) * 2.0f;
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

// The polynomials of gelu in common/functions.h.
static inline float16 gelu16(float16 x, float alpha) {
    const float16 scaled = x * 0.70710678f;
    const float16 size = as_float16(as_int16(scaled) & 0x7fffffff);
    const float16 t = select(size, (float16)4.0f, size > 4.0f);
    const float16 s = t * t;
    const float16 near = 1.128379166e+00f + s * (-3.761262690e-01f + s * (1.128359746e-01f + s * (-2.685432880e-02f
            + s * (5.189311943e-03f + s * (-8.018854993e-04f + s * 7.882497111e-05f)))));
    const float16 far = -3.120757564e-04f + t * (1.130199653e+00f + t * (6.318859939e-01f + t * (1.100212816e-01f
            + t * (-2.638625031e-02f + t * (4.746768455e-03f + t * (-5.939470523e-04f + t * (4.570453692e-05f + t * -1.618544885e-06f)))))));
    const float16 rest = select(exponential16(-far, alpha), (float16)0.0f, size > 4.0f);
    const float16 beyond = select(2.0f - rest, rest, x < 0.0f);
    return 0.5f * x * select(beyond, 1.0f + scaled * near, size < 1.0f);
}

#endif
