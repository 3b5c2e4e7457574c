// Functions of one number, all called f(x, alpha, beta) with x of the type WIDE and alpha and beta of the type REAL of
// common/element.h, which is included before; those without parameters ignore alpha and beta. A NaN stays a NaN in all
// of them but shrink and above_threshold. For float, expm1, log1p and erf are written out here, without branches, because the built-in ones are seldom
// vectorised; their errors stay below 4 units in the last place.
#ifndef CLINFER_FUNCTIONS_H
#define CLINFER_FUNCTIONS_H

// min(max(x, low), high)
static inline WIDE clip(WIDE x, WIDE low, WIDE high) {
    const WIDE raised = x < low ? low : x;
    return raised > high ? high : raised;
}

static inline WIDE identity(WIDE x, REAL alpha, REAL beta) {
    return x;
}

static inline WIDE relu(WIDE x, REAL alpha, REAL beta) {
    return x < 0 ? 0 : x;
}

static inline WIDE relu6(WIDE x, REAL alpha, REAL beta) {
    return clip(x, 0, 6);
}

static inline WIDE leaky_relu(WIDE x, REAL alpha, REAL beta) {
    return x < 0 ? rounded(alpha * (REAL)x) : x;
}

// alpha added below -beta and taken away above beta, between them 0.
static inline WIDE shrink(WIDE x, REAL alpha, REAL beta) {
    const REAL real = x;
    return real < -beta ? rounded(real + alpha) : real > beta ? rounded(real - alpha) : 0;
}

#if IS_INTEGER

static inline WIDE negative(WIDE x, REAL alpha, REAL beta) {
    return low_bits((WIDE)(0 - (ulong)x));
}

static inline WIDE absolute(WIDE x, REAL alpha, REAL beta) {
    return x < 0 ? negative(x, alpha, beta) : x;
}

static inline WIDE signum(WIDE x, REAL alpha, REAL beta) {
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}

static inline WIDE round_down(WIDE x, REAL alpha, REAL beta) {
    return x;
}

static inline WIDE round_up(WIDE x, REAL alpha, REAL beta) {
    return x;
}

static inline WIDE round_even(WIDE x, REAL alpha, REAL beta) {
    return x;
}

#else

// exp(x) - 1 for x <= 0; for float a Taylor series where the difference would cancel.
static inline WIDE exp_minus_1(WIDE x) {
#if ELEMENT_KIND == 8
    return expm1(x);
#else
    const float high = 1.0f + x / 5 * (1.0f + x / 6 * (1.0f + x / 7));
    const float series = 1.0f + x / 2 * (1.0f + x / 3 * (1.0f + x / 4 * high));
    return x > -0.35f ? x * series : exp(x) - 1.0f;
#endif
}

// log(1 + x) for 0 <= x <= 1; for float a polynomial fitted to its ratio to x.
static inline WIDE log_1_plus(WIDE x) {
#if ELEMENT_KIND == 8
    return log1p(x);
#else
    const float high = 1.989153747e-01f + x * (-1.610863192e-01f + x * (1.242510290e-01f + x * (-8.253533167e-02f
            + x * (4.155762219e-02f + x * (-1.344483083e-02f + x * 2.037690471e-03f)))));
    return x * (1.0f + x * (-4.999998172e-01f + x * (3.333256918e-01f + x * (-2.498739275e-01f + x * high))));
#endif
}

static inline WIDE sigmoid(WIDE x, REAL alpha, REAL beta) {
    return 1 / (1 + exp(-x));
}

static inline WIDE hyperbolic_tangent(WIDE x, REAL alpha, REAL beta) {
    return tanh(x);
}

static inline WIDE elu(WIDE x, REAL alpha, REAL beta) {
    return x > 0 ? x : alpha * exp_minus_1(x);
}

static inline WIDE selu(WIDE x, REAL alpha, REAL beta) {
    return beta * elu(x, alpha, 0);
}

static inline WIDE hard_sigmoid(WIDE x, REAL alpha, REAL beta) {
    return clip(alpha * x + beta, 0, 1);
}

static inline WIDE hard_swish(WIDE x, REAL alpha, REAL beta) {
    return x * hard_sigmoid(x, (WIDE)1 / 6, 0.5f);
}

static inline WIDE softplus(WIDE x, REAL alpha, REAL beta) {
    return (x < 0 ? 0 : x) + log_1_plus(exp(-fabs(x)));
}

static inline WIDE softsign(WIDE x, REAL alpha, REAL beta) {
    return x / (1 + fabs(x));
}

static inline WIDE exponential(WIDE x, REAL alpha, REAL beta) {
    return exp(x);
}

static inline WIDE logarithm(WIDE x, REAL alpha, REAL beta) {
    return log(x);
}

static inline WIDE tangent(WIDE x, REAL alpha, REAL beta) {
    return tan(x);
}

static inline WIDE arc_sine(WIDE x, REAL alpha, REAL beta) {
    return asin(x);
}

static inline WIDE arc_cosine(WIDE x, REAL alpha, REAL beta) {
    return acos(x);
}

static inline WIDE arc_tangent(WIDE x, REAL alpha, REAL beta) {
    return atan(x);
}

static inline WIDE hyperbolic_sine(WIDE x, REAL alpha, REAL beta) {
    return sinh(x);
}

static inline WIDE hyperbolic_cosine(WIDE x, REAL alpha, REAL beta) {
    return cosh(x);
}

static inline WIDE area_sine(WIDE x, REAL alpha, REAL beta) {
    return asinh(x);
}

static inline WIDE area_cosine(WIDE x, REAL alpha, REAL beta) {
    return acosh(x);
}

static inline WIDE area_tangent(WIDE x, REAL alpha, REAL beta) {
    return atanh(x);
}

static inline WIDE celu(WIDE x, REAL alpha, REAL beta) {
    return x > 0 ? x : alpha * expm1(x / alpha);
}

static inline WIDE above_threshold(WIDE x, REAL alpha, REAL beta) {
    return x > alpha ? x : 0;
}

static inline WIDE square_root(WIDE x, REAL alpha, REAL beta) {
    return sqrt(x);
}

static inline WIDE absolute(WIDE x, REAL alpha, REAL beta) {
    return fabs(x);
}

static inline WIDE negative(WIDE x, REAL alpha, REAL beta) {
    return -x;
}

static inline WIDE reciprocal(WIDE x, REAL alpha, REAL beta) {
    return 1 / x;
}

static inline WIDE round_down(WIDE x, REAL alpha, REAL beta) {
    return floor(x);
}

static inline WIDE round_up(WIDE x, REAL alpha, REAL beta) {
    return ceil(x);
}

static inline WIDE round_even(WIDE x, REAL alpha, REAL beta) {
    return rint(x);
}

static inline WIDE signum(WIDE x, REAL alpha, REAL beta) {
    return x > 0 ? 1 : x < 0 ? -1 : x;
}

#if ELEMENT_KIND != 8
// The error function of 0 <= t <= 1 and, from 1 to 4, what it lacks of 1: an odd polynomial, and the exponential of a
// polynomial fitted to its logarithm.
static inline float error_near(float t) {
    const float s = t * t;
    const float near = 1.128379166e+00f + s * (-3.761262690e-01f + s * (1.128359746e-01f + s * (-2.685432880e-02f
            + s * (5.189311943e-03f + s * (-8.018854993e-04f + s * 7.882497111e-05f)))));
    return t * near;
}

static inline float error_rest(float t) {
    const float far = -3.120757564e-04f + t * (1.130199653e+00f + t * (6.318859939e-01f + t * (1.100212816e-01f
            + t * (-2.638625031e-02f + t * (4.746768455e-03f + t * (-5.939470523e-04f + t * (4.570453692e-05f + t * -1.618544885e-06f)))))));
    return exp(-far);
}
#endif

static inline WIDE error_function(WIDE x, REAL alpha, REAL beta) {
#if ELEMENT_KIND == 8
    return erf(x);
#else
    const float size = fabs(x);
    const float t = size > 4.0f ? 4.0f : size;
    return copysign(size < 1.0f ? error_near(t) : 1.0f - error_rest(t), x);
#endif
}

// x / 2 * (1 + erf(x / sqrt(2))); where the error function is near -1, what is left is computed by itself.
static inline WIDE gelu(WIDE x, REAL alpha, REAL beta) {
#if ELEMENT_KIND == 8
    return x / 2 * erfc(x * -0.70710678118654752);
#else
    const float scaled = x * 0.70710678f;
    const float size = fabs(scaled);
    const float t = size > 4.0f ? 4.0f : size;
    const float rest = size > 4.0f ? 0.0f : error_rest(t);
    const float beyond = x < 0.0f ? rest : 2.0f - rest;
    return 0.5f * x * (size < 1.0f ? 1.0f + copysign(error_near(t), x) : beyond);
#endif
}

// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))), of which 1 + tanh(u) is 2 / (1 + exp(-2 u)).
static inline WIDE gelu_tanh(WIDE x, REAL alpha, REAL beta) {
#if ELEMENT_KIND == 8
    const WIDE twice = x * (1.5957691216057308 + 0.07135481627260025 * x * x);
#else
    const WIDE twice = x * (1.59576912f + 0.0713548163f * x * x);
#endif
    return x / (1 + exp(-twice));
}

static inline WIDE swish(WIDE x, REAL alpha, REAL beta) {
    return x / (1 + exp(-alpha * x));
}

static inline WIDE sine(WIDE x, REAL alpha, REAL beta) {
    return sin(x);
}

static inline WIDE cosine(WIDE x, REAL alpha, REAL beta) {
    return cos(x);
}

#endif

#endif
