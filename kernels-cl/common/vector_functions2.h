// The functions of functions2.h for 16 numbers at once; in larger and smaller a NaN wins.
#ifndef CLINFER_VECTOR_FUNCTIONS2_H
#define CLINFER_VECTOR_FUNCTIONS2_H

static inline float16 add(float16 a, float16 b) {
    return a + b;
}

static inline float16 subtract(float16 a, float16 b) {
    return a - b;
}

static inline float16 multiply(float16 a, float16 b) {
    return a * b;
}

static inline float16 divide(float16 a, float16 b) {
    return a / b;
}

static inline float16 power(float16 a, float16 b) {
    return pow(a, b);
}

static inline float16 prelu(float16 a, float16 b) {
    return select(a, b * a, a < 0.0f);
}

static inline float16 larger(float16 a, float16 b) {
    return select(b, a, a >= b || isnan(a));
}

static inline float16 smaller(float16 a, float16 b) {
    return select(b, a, a <= b || isnan(a));
}

#endif
