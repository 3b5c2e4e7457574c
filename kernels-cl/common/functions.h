// Functions of one number, all called f(x, alpha, beta); those without parameters ignore alpha and beta.
// A NaN stays a NaN in all of them. expm1, log1p and erf are written out here, without branches, because the built-in
// ones are seldom vectorised; their errors stay below 4 units in the last place.
#ifndef CLINFER_FUNCTIONS_H
#define CLINFER_FUNCTIONS_H

// min(max(x, alpha), beta)
static inline float clip(float x, float alpha, float beta) {
    const float raised = x < alpha ? alpha : x;
    return raised > beta ? beta : raised;
}

// exp(x) - 1 for x <= 0: a Taylor series where the difference would cancel.
static inline float exp_minus_1(float x) {
    const float high = 1.0f + x / 5 * (1.0f + x / 6 * (1.0f + x / 7));
    const float series = 1.0f + x / 2 * (1.0f + x / 3 * (1.0f + x / 4 * high));
    return x > -0.35f ? x * series : exp(x) - 1.0f;
}

// log(1 + x) for 0 <= x <= 1: a polynomial fitted to its ratio to x.
static inline float log_1_plus(float x) {
    const float high = 1.989153747e-01f + x * (-1.610863192e-01f + x * (1.242510290e-01f + x * (-8.253533167e-02f
            + x * (4.155762219e-02f + x * (-1.344483083e-02f + x * 2.037690471e-03f)))));
    return x * (1.0f + x * (-4.999998172e-01f + x * (3.333256918e-01f + x * (-2.498739275e-01f + x * high))));
}

static inline float identity(float x, float alpha, float beta) {
    return x;
}

static inline float relu(float x, float alpha, float beta) {
    return x < 0.0f ? 0.0f : x;
}

static inline float relu6(float x, float alpha, float beta) {
    return clip(x, 0.0f, 6.0f);
}

static inline float leaky_relu(float x, float alpha, float beta) {
    return x < 0.0f ? alpha * x : x;
}

static inline float sigmoid(float x, float alpha, float beta) {
    return 1.0f / (1.0f + exp(-x));
}

static inline float hyperbolic_tangent(float x, float alpha, float beta) {
    return tanh(x);
}

static inline float elu(float x, float alpha, float beta) {
    return x > 0.0f ? x : alpha * exp_minus_1(x);
}

static inline float selu(float x, float alpha, float beta) {
    return beta * elu(x, alpha, 0.0f);
}

static inline float hard_sigmoid(float x, float alpha, float beta) {
    return clip(alpha * x + beta, 0.0f, 1.0f);
}

static inline float hard_swish(float x, float alpha, float beta) {
    return x * hard_sigmoid(x, 1.0f / 6.0f, 0.5f);
}

static inline float softplus(float x, float alpha, float beta) {
    return (x < 0.0f ? 0.0f : x) + log_1_plus(exp(-fabs(x)));
}

static inline float softsign(float x, float alpha, float beta) {
    return x / (1.0f + fabs(x));
}

static inline float exponential(float x, float alpha, float beta) {
    return exp(x);
}

static inline float logarithm(float x, float alpha, float beta) {
    return log(x);
}

static inline float square_root(float x, float alpha, float beta) {
    return sqrt(x);
}

static inline float absolute(float x, float alpha, float beta) {
    return fabs(x);
}

static inline float negative(float x, float alpha, float beta) {
    return -x;
}

static inline float reciprocal(float x, float alpha, float beta) {
    return 1.0f / x;
}

static inline float round_down(float x, float alpha, float beta) {
    return floor(x);
}

static inline float round_up(float x, float alpha, float beta) {
    return ceil(x);
}

static inline float round_even(float x, float alpha, float beta) {
    return rint(x);
}

static inline float signum(float x, float alpha, float beta) {
    return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : x;
}

// Near 0 an even polynomial times x, beyond 1 the exponential of a polynomial fitted to log(1 - erf(x)).
static inline float error_function(float x, float alpha, float beta) {
    const float size = fabs(x);
    const float t = size > 4.0f ? 4.0f : size;
    const float s = t * t;
    const float near = 1.128379166e+00f + s * (-3.761262690e-01f + s * (1.128359746e-01f + s * (-2.685432880e-02f
            + s * (5.189311943e-03f + s * (-8.018854993e-04f + s * 7.882497111e-05f)))));
    const float far = 1.233126668e-03f + t * (1.123505132e+00f + t * (6.440087438e-01f + t * (9.811828892e-02f
            + t * (-1.951572699e-02f + t * (2.387961182e-03f + t * -1.319593436e-04f)))));
    return copysign(size < 1.0f ? t * near : 1.0f - exp(-far), x);
}

static inline float sine(float x, float alpha, float beta) {
    return sin(x);
}

static inline float cosine(float x, float alpha, float beta) {
    return cos(x);
}

#endif
