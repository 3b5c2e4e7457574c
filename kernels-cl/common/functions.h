// Functions of one number, all called f(x, alpha, beta); those without parameters ignore alpha and beta.
// A NaN stays a NaN in all of them.
#ifndef CLINFER_FUNCTIONS_H
#define CLINFER_FUNCTIONS_H

// min(max(x, alpha), beta)
static inline float clip(float x, float alpha, float beta) {
    const float raised = x < alpha ? alpha : x;
    return raised > beta ? beta : raised;
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
    return x > 0.0f ? x : alpha * expm1(x);
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
    return (x < 0.0f ? 0.0f : x) + log1p(exp(-fabs(x)));
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

static inline float error_function(float x, float alpha, float beta) {
    return erf(x);
}

static inline float sine(float x, float alpha, float beta) {
    return sin(x);
}

static inline float cosine(float x, float alpha, float beta) {
    return cos(x);
}

#endif
