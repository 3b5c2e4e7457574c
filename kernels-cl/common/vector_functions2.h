// The functions of functions2.h for 16 numbers at once, named with a 16 at the end; in larger and smaller a NaN wins.
#ifndef CLINFER_VECTOR_FUNCTIONS2_H
#define CLINFER_VECTOR_FUNCTIONS2_H

static inline float16 add16(float16 a, float16 b) {
    return a + b;
}

static inline float16 subtract16(float16 a, float16 b) {
    return a - b;
}

static inline float16 multiply16(float16 a, float16 b) {
    return a * b;
}

static inline float16 divide16(float16 a, float16 b) {
    return a / b;
}

static inline float16 power16(float16 a, float16 b) {
    return pow(a, b);
}

static inline float16 prelu16(float16 a, float16 b) {
    return select(a, b * a, a < 0.0f);
}

static inline float16 larger16(float16 a, float16 b) {
    return select(b, a, a >= b || isnan(a));
}

static inline float16 smaller16(float16 a, float16 b) {
    return select(b, a, a <= b || isnan(a));
}

#endif
