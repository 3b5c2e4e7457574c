// Functions of two numbers; in larger and smaller a NaN wins.
#ifndef CLINFER_FUNCTIONS2_H
#define CLINFER_FUNCTIONS2_H

static inline float add(float a, float b) {
    return a + b;
}

static inline float subtract(float a, float b) {
    return a - b;
}

static inline float multiply(float a, float b) {
    return a * b;
}

static inline float divide(float a, float b) {
    return a / b;
}

static inline float power(float a, float b) {
    return pow(a, b);
}

static inline float prelu(float a, float b) {
    return a < 0.0f ? b * a : a;
}

static inline float larger(float a, float b) {
    return a >= b || isnan(a) ? a : b;
}

static inline float smaller(float a, float b) {
    return a <= b || isnan(a) ? a : b;
}

#endif
